/* What the script adds to pages that work without it: hover on charts, sorting and filtering in place, the site switcher, the theme. */
;(() => {
  const root = document.documentElement
  root.classList.add('js')
  const all = (selector, within = document) => [...within.querySelectorAll(selector)]

  /* Theme: light, dark, or as the system says; remembered in a cookie that the server reads, so that nothing flashes. */
  for (const form of all('form[data-theme-form]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
      const theme = dark ? 'light' : 'dark'
      root.dataset.theme = theme
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the newer way
      document.cookie = `__Host-theme=${theme}; Path=/; Secure; SameSite=Lax; Max-Age=31536000`
    })
  }

  /* An open menu closes with Escape and with a click elsewhere. */
  document.addEventListener('click', (event) => {
    for (const menu of all('.menu[open], .custom[open]')) if (!menu.contains(event.target)) menu.open = false
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      for (const menu of all('.menu[open], .custom[open]')) {
        menu.open = false
        menu.querySelector('summary').focus()
      }
    }
    const typing = event.target instanceof Element && event.target.closest('input, textarea, select')
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const field = document.querySelector('.find input')
      if (field) {
        event.preventDefault()
        field.focus()
        field.select()
      }
    }
  })

  /* Hover: the values of the nearest row of the table behind the chart. */
  for (const figure of all('figure.chart')) {
    const plot = figure.querySelector('[data-plot]')
    const rows = all('.behind tr[data-at]', figure)
    if (!plot || rows.length === 0) continue
    const heads = all('.behind thead th', figure).map((cell) => cell.textContent)
    const rule = Object.assign(document.createElement('div'), { className: 'hover-rule', hidden: true })
    const card = Object.assign(document.createElement('div'), { className: 'hover-card', hidden: true })
    plot.append(rule, card)
    for (const svg of all('svg', plot)) {
      const title = svg.querySelector('title')
      if (title) {
        svg.setAttribute('aria-label', title.textContent)
        svg.removeAttribute('aria-labelledby')
        svg.setAttribute('aria-describedby', `${title.id.slice(0, -1)}d`)
        title.remove()
      }
    }
    /* The change from the row before, where both were measured. */
    const sinceBefore = (row, index) => {
      const [now, before] = [row, row.previousElementSibling].map((one) => Number(one?.children[index]?.dataset.v ?? Number.NaN))
      const change = now - before
      if (!change) return ''
      const size = Math.abs(change).toLocaleString(undefined, { maximumFractionDigits: 1 })
      return size === '0' ? '' : ` (${change > 0 ? '+' : '−'}${size})`
    }
    const hide = () => {
      rule.hidden = card.hidden = true
    }
    const show = (clientX) => {
      const svg = all('svg', plot).find((one) => one.getBoundingClientRect().width > 0)
      const box = svg.getBoundingClientRect()
      const unit = box.width / svg.viewBox.baseVal.width
      const left = svg.dataset.left * unit
      const width = svg.dataset.right * unit - left
      const at = (clientX - box.left - left) / width
      const near = rows.reduce((best, row) => (Math.abs(row.dataset.at - at) < Math.abs(best.dataset.at - at) ? row : best))
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
    plot.addEventListener('pointermove', (event) => show(event.clientX))
    plot.addEventListener('pointerdown', (event) => show(event.clientX))
    plot.addEventListener('pointerleave', hide)
  }

  /* Sorting in place: the links in the head sort on the server; here they sort what is already there. */
  const sortKey = (row, index) => {
    const cell = row.children[index]
    const value = cell.dataset.v ?? cell.textContent.trim()
    return value === '' ? null : Number.isNaN(Number(value)) ? value.toLowerCase() : Number(value)
  }
  const compare = (a, b) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1)
  for (const table of all('table[data-sortable]')) {
    table.tHead.addEventListener('click', (event) => {
      const link = event.target.closest('a')
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const head = link.closest('th')
      const index = [...head.parentNode.children].indexOf(head)
      const was = head.getAttribute('aria-sort')
      const order = was ? (was === 'ascending' ? 'descending' : 'ascending') : (head.dataset.first ?? 'ascending')
      for (const other of head.parentNode.children) other.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', order)
      const sign = order === 'ascending' ? 1 : -1
      const keyed = [...table.tBodies[0].rows].filter((row) => !row.classList.contains('open')).map((row) => [sortKey(row, index), row])
      keyed.sort(([a], [b]) => (a === null ? (b === null ? 0 : 1) : b === null ? -1 : sign * compare(a, b)))
      table.tBodies[0].replaceChildren(...keyed.map(([, row]) => row))
      const url = new URL(link.href)
      url.searchParams.set('order', order === 'ascending' ? 'up' : 'down')
      history.replaceState(null, '', url)
    })
  }

  /* Filtering as one types. */
  for (const field of all('input[data-filter]')) {
    const rows = all(`${field.dataset.filter} tbody tr`)
    const texts = rows.map((row) => row.textContent.toLowerCase())
    const said = document.querySelector(field.dataset.count)
    const narrow = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
      let shown = 0
      rows.forEach((row, index) => {
        row.hidden = !words.every((word) => texts[index].includes(word))
        if (!row.hidden) shown++
      })
      if (said) said.textContent = words.length ? `${shown} of ${rows.length} shown` : ''
    }
    field.addEventListener('input', narrow)
    field.form?.addEventListener('submit', (event) => {
      if (field.form.dataset.inPlace !== undefined) event.preventDefault()
    })
  }

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
  })

  /* The site switcher: suggestions while typing, arrows to choose, Enter to go. */
  const finder = document.querySelector('.find')
  if (finder) {
    const field = finder.querySelector('input')
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
      const answer = await fetch(`/sites.json?q=${encodeURIComponent(field.value)}`, { credentials: 'same-origin' }).catch(() => null)
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

  for (const button of all('[data-print]')) button.addEventListener('click', () => print())
})()
