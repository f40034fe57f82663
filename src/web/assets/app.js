/* What the script adds to pages that work without it: hover on charts, sorting and filtering in place, the site switcher, the theme. */
;(() => {
  const root = document.documentElement
  root.classList.add('js')
  const all = (selector, within = document) => [...within.querySelectorAll(selector)]

  /* Theme: light, dark, or as the system; stored in a cookie that the server reads, so that nothing flashes. */
  for (const form of all('form[data-theme-form]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
      const theme = dark ? 'light' : 'dark'
      root.dataset.theme = theme
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the newer way
      document.cookie = form.dataset.themeForm.replace('=', `=${theme}`)
    })
  }

  /* Escape and a click elsewhere close an open menu. */
  document.addEventListener('click', (event) => {
    for (const menu of all('.menu[open], .custom[open], .explain[open]')) if (!menu.contains(event.target)) menu.open = false
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      for (const menu of all('.menu[open], .custom[open], .explain[open]')) {
        menu.open = false
        menu.querySelector('summary').focus()
      }
    }
    const typing = event.target instanceof Element && event.target.closest('input, textarea, select')
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const field = document.querySelector('.find [type=search], #narrow')
      if (field) {
        event.preventDefault()
        field.focus()
        field.select()
      }
    }
  })

  /* Hover and arrow keys: show the values of a row of the chart's table. */
  const hover = (figure) => {
    const plot = figure.querySelector('[data-plot]')
    const rows = all('.behind tr[data-at]', figure)
    if (!plot || rows.length === 0) return
    const columns = all('.behind thead th', figure)
    const heads = columns.map((cell) => cell.textContent)
    const rule = Object.assign(document.createElement('div'), { className: 'hover-rule', hidden: true })
    const card = Object.assign(document.createElement('div'), { className: 'hover-card', hidden: true })
    card.setAttribute('role', 'status')
    plot.append(rule, card)
    plot.tabIndex = 0
    plot.setAttribute('role', 'group')
    plot.setAttribute('aria-label', `${figure.querySelector('h2').textContent}: the arrow keys go through its values`)
    let shown = rows.length
    for (const svg of all('svg', plot)) {
      const title = svg.querySelector('title')
      if (title) {
        svg.setAttribute('aria-label', title.textContent)
        svg.removeAttribute('aria-labelledby')
        svg.setAttribute('aria-describedby', `${title.id.slice(0, -1)}d`)
        title.remove()
      }
    }
    /* The change since the row before, if both were measured. */
    const sinceBefore = (row, index) => {
      const numberIn = (cell) => Number(cell ? (cell.dataset.v ?? cell.textContent) : Number.NaN)
      const [now, before] = [row, row.previousElementSibling].map((one) => numberIn(one?.children[index]))
      const change = 'place' in columns[index].dataset ? before - now : now - before
      if (!change) return ''
      const size = Math.abs(change).toLocaleString(undefined, { maximumFractionDigits: 1 })
      return size === '0' ? '' : ` (${change > 0 ? '+' : '−'}${size})`
    }
    const hide = () => {
      rule.hidden = card.hidden = true
    }
    const drawn = () => {
      const svg = all('svg', plot).find((one) => one.getBoundingClientRect().width > 0)
      const box = svg.getBoundingClientRect()
      const unit = box.width / svg.viewBox.baseVal.width
      const left = svg.dataset.left * unit
      return { svg, box, unit, left, width: svg.dataset.right * unit - left }
    }
    const showAt = (clientX) => {
      const { box, left, width } = drawn()
      const at = (clientX - box.left - left) / width
      show(rows.reduce((best, row) => (Math.abs(row.dataset.at - at) < Math.abs(best.dataset.at - at) ? row : best)))
    }
    const show = (near) => {
      const { svg, unit, left, width } = drawn()
      shown = rows.indexOf(near)
      const x = left + near.dataset.at * width
      card.replaceChildren(
        ...[...near.children].map((cell, index) => {
          if (index === 0) return Object.assign(document.createElement('b'), { textContent: cell.textContent })
          const line = document.createElement('div')
          line.append(
            ...[heads[index], cell.textContent + sinceBefore(near, index)].map((text) =>
              Object.assign(document.createElement('span'), { textContent: text }),
            ),
          )
          return line
        }),
      )
      rule.hidden = card.hidden = false
      rule.style.left = `${x}px`
      rule.style.top = `${svg.dataset.top * unit}px`
      rule.style.height = `${(svg.dataset.bottom - svg.dataset.top) * unit}px`
      const right = x + 12 + card.offsetWidth > plot.clientWidth
      card.style.left = `${Math.max(0, right ? x - 12 - card.offsetWidth : x + 12)}px`
      card.style.top = '4px'
    }
    plot.addEventListener('pointermove', (event) => showAt(event.clientX))
    plot.addEventListener('pointerdown', (event) => showAt(event.clientX))
    /* On a touch screen the value stays until one taps elsewhere. */
    plot.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && hide())
    document.addEventListener('pointerdown', (event) => plot.contains(event.target) || hide())
    plot.addEventListener('keydown', (event) => {
      const last = rows.length - 1
      const next = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: last }[event.key]
      if (event.key === 'Escape') hide()
      if (next === undefined) return
      event.preventDefault()
      show(rows[Math.max(0, Math.min(last, next))])
    })
    plot.addEventListener('blur', hide)
  }

  for (const figure of all('figure.chart')) hover(figure)

  /* The links and the kept fields beside a list know how it was sorted and what was typed, as on the page that the server would have sent. */
  const follow = (page, list, freshList) => {
    const pairs = (selector) => {
      const [old, fresh] = [
        [document, list],
        [page, freshList],
      ].map(([whole, part]) => all(`main ${selector}`, whole).filter((one) => !part.contains(one)))
      return old.length === fresh.length ? old.map((one, index) => [one, fresh[index]]) : []
    }
    for (const [old, fresh] of pairs('a[href]')) old.setAttribute('href', fresh.getAttribute('href'))
    for (const [old, fresh] of pairs('form:not([method=post])')) {
      for (const field of all('[type=hidden]', old)) field.remove()
      old.prepend(...all('[type=hidden]', fresh))
    }
  }

  /* The server searches, sorts and pages lists; the script replaces only the list, so that the page keeps its scroll position. */
  let asked = 0
  const swap = async (url, list) => {
    const mine = ++asked
    const answer = await fetch(url, { credentials: 'same-origin' }).catch(() => null)
    const page = answer?.ok && !answer.redirected ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
    const fresh = page?.getElementById(list.id)
    if (mine !== asked) return
    if (!fresh) {
      location.href = url
      return
    }
    follow(page, list, fresh)
    list.replaceWith(document.adoptNode(fresh))
    history.replaceState(null, '', url)
    for (const figure of all('figure.chart', fresh)) hover(figure)
    fresh.querySelector('.chosen a')?.focus({ preventScroll: true })
  }
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('[data-swap] thead a, [data-swap] .pages a, [data-swap] .tabbed a')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    swap(link.href, link.closest('[data-swap]'))
  })
  for (const form of all('form[data-live]')) {
    let timer = 0
    const ask = () => {
      const url = new URL(form.action)
      for (const [name, value] of new FormData(form)) if (value !== '') url.searchParams.set(name, value)
      swap(url.href, document.querySelector(form.dataset.live))
    }
    form.addEventListener('input', () => {
      clearTimeout(timer)
      timer = setTimeout(ask, 200)
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      clearTimeout(timer)
      ask()
    })
  }

  /* What a form would make is shown while it is typed, in the named parts of its page; its buttons send it as without a script. */
  for (const form of all('form[data-looks]')) {
    let [timer, typed] = [0, 0]
    const look = async () => {
      const mine = ++typed
      const url = new URL(form.action)
      url.searchParams.set('look', '1')
      for (const field of all('input:not([type=hidden])', form)) url.searchParams.set(field.name, field.value.trim())
      const answer = await fetch(url, { credentials: 'same-origin' }).catch(() => null)
      const page = answer?.ok && !answer.redirected ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
      if (mine !== typed) return
      for (const id of form.dataset.looks.split(' ')) {
        const fresh = page?.getElementById(id)
        if (fresh) document.getElementById(id).replaceWith(document.adoptNode(fresh))
      }
    }
    form.addEventListener('input', () => {
      clearTimeout(timer)
      timer = setTimeout(look, 400)
    })
  }

  /* What goes on is shown again until it is over. */
  const again = (part) => {
    if (!part) return
    setTimeout(async () => {
      const answer = await fetch(location.href, { credentials: 'same-origin' }).catch(() => null)
      const page = answer?.ok && !answer.redirected ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
      const fresh = page?.getElementById(part.id)
      if (fresh) part.replaceWith(document.adoptNode(fresh))
      again(fresh ? document.querySelector('[data-again]') : part)
    }, 2000)
  }
  again(document.querySelector('[data-again]'))

  /* A keyword's history opens below its row. */
  document.addEventListener('click', async (event) => {
    const link = event.target instanceof Element && event.target.closest('a[data-opens]')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const row = link.closest('tr')
    if (row.nextElementSibling?.classList.contains('open')) {
      row.nextElementSibling.remove()
      link.setAttribute('aria-expanded', 'false')
      return
    }
    const answer = await fetch(link.href, { credentials: 'same-origin' }).catch(() => null)
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
    const figure = page?.querySelector('figure.chart')
    if (!figure) {
      location.href = link.href
      return
    }
    const open = document.createElement('tr')
    const cell = Object.assign(document.createElement('td'), { colSpan: row.children.length })
    open.className = 'open'
    cell.append(document.adoptNode(figure))
    open.append(cell)
    row.after(open)
    link.setAttribute('aria-expanded', 'true')
    hover(figure)
  })

  /* The site switcher: suggestions while typing, arrows to choose, Enter to go. */
  const finder = document.querySelector('.find[data-query]')
  if (finder) {
    const field = finder.querySelector('[type=search]')
    const hits = Object.assign(document.createElement('ul'), { className: 'hits', id: 'hits', hidden: true })
    hits.setAttribute('role', 'listbox')
    hits.setAttribute('aria-label', 'Sites')
    finder.append(hits)
    field.setAttribute('role', 'combobox')
    field.setAttribute('aria-controls', 'hits')
    field.setAttribute('aria-expanded', 'false')
    field.setAttribute('aria-autocomplete', 'list')
    let chosen = -1
    let asked = 0
    const close = () => {
      hits.hidden = true
      chosen = -1
      field.setAttribute('aria-expanded', 'false')
      field.removeAttribute('aria-activedescendant')
    }
    const choose = (index) => {
      chosen = index
      all('li', hits).forEach((item, position) => {
        item.setAttribute('aria-selected', String(position === index))
        if (position === index) field.setAttribute('aria-activedescendant', item.id)
      })
    }
    const ask = async () => {
      const mine = ++asked
      const answer = await fetch(`/sites.json?${finder.dataset.query}&q=${encodeURIComponent(field.value)}`, {
        credentials: 'same-origin',
      }).catch(() => null)
      if (!answer?.ok || mine !== asked) return
      const { sites } = await answer.json()
      hits.replaceChildren(
        ...sites.map((site, index) => {
          const item = Object.assign(document.createElement('li'), { id: `hit-${index}`, textContent: site.domain })
          item.setAttribute('role', 'option')
          item.setAttribute('aria-selected', 'false')
          item.dataset.href = site.href
          item.append(Object.assign(document.createElement('small'), { textContent: site.business }))
          return item
        }),
      )
      hits.hidden = sites.length === 0
      field.setAttribute('aria-expanded', String(sites.length > 0))
      chosen = -1
    }
    field.addEventListener('focus', ask)
    field.addEventListener('input', ask)
    field.addEventListener('blur', () => setTimeout(close, 150))
    field.addEventListener('keydown', (event) => {
      const items = all('li', hits)
      if (event.key === 'ArrowDown' && items.length) choose((chosen + 1) % items.length)
      else if (event.key === 'ArrowUp' && items.length) choose((chosen - 1 + items.length) % items.length)
      else if (event.key === 'Escape') close()
      else if (event.key === 'Enter' && chosen >= 0) location.href = items[chosen].dataset.href
      else return
      event.preventDefault()
    })
    hits.addEventListener('mousedown', (event) => {
      const item = event.target.closest('li')
      if (item) location.href = item.dataset.href
    })
  }

  /* What is to be copied gets a button for it, where the browser lets a page copy. */
  for (const text of navigator.clipboard ? all('.copied') : []) {
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'button soft', textContent: 'Copy' })
    button.setAttribute('aria-label', `Copy: ${text.getAttribute('aria-label')}`)
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text.textContent)
      button.textContent = 'Copied'
    })
    text.after(button)
  }

  if (new URLSearchParams(location.search).get('print') === 'all') addEventListener('load', () => print())
})()
