/** The reference's script: search, copy buttons, one language for all samples, and requests with the reader's own key. Nothing is stored. */

const search = document.querySelector('form.search')
const field = document.querySelector('#search')
const found = document.querySelector('#found')
let index

if (search && field && found) {
  search.hidden = false
  search.addEventListener('submit', (event) => {
    event.preventDefault()
    found.querySelector('a')?.click()
  })
  field.addEventListener('focus', load)
  field.addEventListener('input', show)
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') focusResult(event, 0)
  })
  found.addEventListener('keydown', (event) => {
    const links = [...found.querySelectorAll('a')]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) focusResult(event, links.indexOf(document.activeElement) + step)
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      field.focus()
    }
    if (event.key === 'Escape') found.hidden = true
  })
}

async function load() {
  index ??= fetch('/docs/search.json').then(async (answer) => indexOf(await answer.json()))
  await index
  show()
}

/** Every word must occur, or be the beginning of one or close to one; in a heading it counts more than in the text. */
function indexOf(entries) {
  const options = { prefix: true, fuzzy: (word) => (word.length > 5 ? 0.2 : 0), boost: { heading: 4, page: 2 }, combineWith: 'AND' }
  const found = new MiniSearch({
    idField: 'path',
    fields: ['heading', 'page', 'text'],
    storeFields: ['heading', 'page'],
    searchOptions: options,
  })
  found.addAll(entries)
  return found
}

async function show() {
  const asked = field.value.trim()
  const ranked = asked === '' || !index ? [] : (await index).search(asked).slice(0, 8)
  found.replaceChildren(...ranked.map(({ id, page, heading }) => result({ page, heading, path: id })))
  if (asked !== '' && ranked.length === 0) found.append(Object.assign(document.createElement('li'), { textContent: 'Nothing found' }))
  found.hidden = asked === ''
}

function result({ page, heading, path }) {
  const link = Object.assign(document.createElement('a'), { href: path, textContent: heading })
  const where = Object.assign(document.createElement('span'), { textContent: page })
  link.append(' ', where)
  const item = document.createElement('li')
  item.append(link)
  link.addEventListener('click', () => {
    found.hidden = true
  })
  return item
}

function focusResult(event, at) {
  const links = [...found.querySelectorAll('a')]
  event.preventDefault()
  if (at < 0) field.focus()
  else links[Math.min(at, links.length - 1)]?.focus()
}

for (const block of document.querySelectorAll('main pre')) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy', textContent: 'Copy' })
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(block.innerText)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  const frame = Object.assign(document.createElement('div'), { className: 'copyable' })
  block.replaceWith(frame)
  frame.append(block, button)
}

// Choosing a language for one sample chooses it for all.
for (const choice of document.querySelectorAll('.samples input')) {
  choice.addEventListener('change', () => {
    for (const other of document.querySelectorAll('.samples input')) if (other.value === choice.value) other.checked = true
  })
}

const attempt = document.querySelector('section.try')
if (attempt) {
  const form = attempt.querySelector('form')
  const { endpoint, key, password, address, body } = form.elements
  const [status, answer] = [form.querySelector('output'), attempt.querySelector('pre')]
  attempt.hidden = false
  const choose = () => {
    const { dataset } = endpoint.selectedOptions[0]
    address.value = dataset.address
    body.value = dataset.body
    body.closest('p').hidden = dataset.body === ''
  }
  endpoint.addEventListener('change', choose)
  choose()
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { method } = endpoint.selectedOptions[0].dataset
    const headers = { authorization: `Basic ${btoa(`${key.value}:${password.value}`)}` }
    if (body.value !== '') headers['content-type'] = 'application/json'
    status.textContent = 'Sending …'
    const reply = await send(address.value, { method, headers, body: body.value === '' ? undefined : body.value })
    status.textContent = reply.status
    answer.hidden = false
    answer.firstElementChild.textContent = reply.text
  })
}

/** Sends only to this service, whatever was typed as the address. */
async function send(typed, request) {
  try {
    const target = new URL(typed, location.origin)
    if (target.origin !== location.origin) return { status: 'Only addresses of this service can be tried', text: '' }
    const answer = await fetch(target, { ...request, credentials: 'omit' })
    return { status: `${answer.status} ${answer.statusText}`, text: indented((await answer.text()).slice(0, 200_000)) }
  } catch (error) {
    return { status: 'No answer', text: String(error) }
  }
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
