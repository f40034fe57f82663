/** R24: words that must not be found anywhere afterwards: passwords, keys and sessions, in logs, answers, metrics, files and backups. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { backUp } from '../../src/model/upkeep/backups.ts'
import { freePort } from '../support/postgres.ts'
import { type Answer, clientOf, xml } from './support/client.ts'
import type { Goal } from './support/goal.ts'
import { basic, type Credentials, makePartner, prepare } from './support/prepare.ts'
import { pause, startHard } from './support/process.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  readonly people: number
}

export const secrets: Goal<Size> = {
  id: 'R24',
  says: 'no password, key or session is found in logs, errors, metrics, database files or backups, in plain, base64 or URL form',
  short: { people: 5 },
  long: { people: 200 },
  forMutants: { people: 3 },
  run: (tree, { people }) =>
    inFolder(async (folder) => {
      const adminPort = await freePort()
      const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'trace', MARQUEE_ADMIN_PORT: String(adminPort) }
      const partner = await makePartner(env, 'Acme')
      const linking = await prepare(env, (operator) => issueKey(operator, partner.id, { scopes: ['login_link', 'keys', 'provision'] }))
      const service = await startHard(tree, { env })
      const words = new Map<string, string>([
        ['partner key', partner.key],
        ['partner password', partner.password],
        ['basic credentials', partner.authorization.slice(6)],
        ['key that makes links and keys', linking.key],
        ['its password', linking.password],
      ])
      const bodies = await live(service.url, partner, people, words, basic(linking.key, linking.password))
      bodies.push(await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text())
      await pause(1_200)
      const whileRunning = filesBelow(join(folder, 'data'))
      await prepare(env, ({ app }) => backUp(app.store, app.settings, join(folder, 'backup.db')))
      await service.kill('SIGTERM')
      const places = [
        ['log', Buffer.from(service.printed())],
        ['answers and metrics', Buffer.from(bodies.join('\n'))],
        ...whileRunning,
        ...filesBelow(folder),
      ] as [string, Buffer][]
      const faults = places.flatMap(([place, bytes]) =>
        [...words].flatMap(([what, word]) =>
          formsOf(word)
            .filter((form) => bytes.includes(form))
            .map(() => `the ${what} is in ${place}`),
        ),
      )
      const bytes = places.reduce((sum, [, content]) => sum + content.length, 0)
      if (!service.printed().includes('"route"')) faults.push('nothing was logged: the goal measured nothing')
      return { figures: { words: words.size, places: places.length, searched_bytes: bytes }, faults: [...new Set(faults)] }
    }),
  mutants: [
    {
      says: 'answers that are kept for a repeat are kept as they are',
      file: 'src/model/core/idempotency.ts',
      from: "app.secrets.encrypt('answer', plain)",
      to: 'plain',
    },
    {
      says: 'the log names the credentials of a request',
      file: 'src/http/metrics.ts',
      from: '{ request_id: id,',
      to: '{ who: request.headers.authorization, request_id: id,',
    },
    {
      says: 'the verifier is the password itself',
      file: 'src/model/people/users.ts',
      from: 'const verifier = await caller.app.passwords.hash(input.password, partyOf(caller))',
      to: 'const verifier = input.password',
    },
  ],
}

/** Everything that handles a secret, done well and done wrong. */
async function live(url: string, partner: Credentials, people: number, words: Map<string, string>, linking: string): Promise<string[]> {
  const client = clientOf(url, partner.authorization)
  const bodies: string[] = []
  const note = (answer: Answer | null, isRefusal = true) => {
    if (isRefusal) bodies.push(`${JSON.stringify(answer?.headers)} ${answer?.body}`)
    return answer
  }
  for (let index = 0; index < people; index += 1) {
    const password = `canary/${index} p+ss w=rd&é`
    words.set(`password of person ${index}`, password)
    const login = `person-${index}`
    const user = `<email>${login}@canary.example</email><login>${login}</login><password>${password.replace('&', '&amp;')}</password><account-id>${partner.accountId}</account-id>`
    note(
      await client.ask('/api/users.xml', { method: 'POST', headers: { ...xml, 'idempotency-key': login }, body: `<user>${user}</user>` }),
    )
    note(await client.ask('/api/users.xml', { method: 'POST', headers: xml, body: `<user>${user}</user>` }))
    note(await client.ask('/api/users.xml', { method: 'POST', headers: xml, body: `<user>${user}` }))
    await takeLink(url, linking, index + 1, words)
    await takeKey(url, linking, index, words)
    await logIn(url, login, password, index, words, bodies)
  }
  const wrong = `${partner.key}x`
  note(await client.ask('/api/users.xml', { headers: { authorization: basic(wrong, partner.password) } }))
  note(await client.ask(`/api/users.xml?key=${partner.key}`))
  note(await client.ask('/api/users.json', { headers: { authorization: basic(partner.key, 'wrong') } }))
  client.close()
  return bodies
}

/** A link that lets someone in is answered once and kept for a repeat; nobody else may read it there. */
async function takeLink(url: string, authorization: string, userId: number, words: Map<string, string>): Promise<void> {
  const client = clientOf(url, authorization)
  const headers = { 'content-type': 'application/json', 'idempotency-key': `link-${userId}` }
  const answer = await client.ask(`/api/users/${userId}/login_link.json`, { method: 'POST', headers, body: '{"seconds":3600}' })
  const [, token] = /login-link\/([\w-]+)/.exec(String(answer?.body)) ?? []
  if (token === undefined) throw new Error(`no login link was given: ${answer?.status} ${answer?.body}`)
  words.set(`login link of user ${userId}`, token)
  client.close()
}

/** A key that another key issued: its answer is kept for a repeat like every other. */
async function takeKey(url: string, authorization: string, index: number, words: Map<string, string>): Promise<void> {
  const client = clientOf(url, authorization)
  const headers = { 'content-type': 'application/json', 'idempotency-key': `key-${index}` }
  const answer = await client.ask('/api/keys.json', { method: 'POST', headers, body: '{"key":{"scopes":"provision"}}' })
  const [key, password] = [/"(mq_\w+)"/, /"(mqs_\w+)"/].map((pattern) => pattern.exec(String(answer?.body))?.[1])
  if (key === undefined || password === undefined) throw new Error(`no key was issued: ${answer?.status} ${answer?.body}`)
  words.set(`issued key ${index}`, key).set(`its password ${index}`, password)
  client.close()
}

/** Through the pages, as a browser would; the cookie of the session is a secret too. */
async function logIn(
  url: string,
  login: string,
  password: string,
  index: number,
  words: Map<string, string>,
  bodies: string[],
): Promise<void> {
  const page = await fetch(`${url}/login`, { headers: { accept: 'text/html' }, redirect: 'manual' })
  const text = await page.text()
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const hidden = [...text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) => [
    /name="([^"]*)"/.exec(tag)?.[1] ?? '',
    /value="([^"]*)"/.exec(tag)?.[1] ?? '',
  ])
  const names = [...text.matchAll(/<input[^>]*name="([^"]+)"/g)].map(([, name = '']) => name)
  const nameField = names.find((name) => /login|name|email/.test(name)) ?? 'login'
  for (const given of [`${password}x`, password]) {
    const form = new URLSearchParams([...(hidden as [string, string][]), [nameField, login], ['password', given]])
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: cookies.join('; '),
      origin: url,
      'sec-fetch-site': 'same-origin',
    }
    const answer = await fetch(`${url}/login`, { method: 'POST', body: form, headers, redirect: 'manual' })
    bodies.push(await answer.text())
    for (const cookie of answer.headers.getSetCookie()) {
      const [, value = ''] = /=([^;]*)/.exec(cookie) ?? []
      if (value.length >= 32) words.set(`session of person ${index}`, value)
    }
  }
}

function formsOf(word: string): Buffer[] {
  const bytes = Buffer.from(word)
  const base64 = bytes.toString('base64').replace(/=+$/, '').slice(0, -1)
  const forms = [
    word,
    base64,
    bytes.toString('base64url').slice(0, -1),
    encodeURIComponent(word),
    new URLSearchParams({ x: word }).toString().slice(2),
    bytes.toString('hex'),
  ]
  return [...new Set(forms)].map((form) => Buffer.from(form))
}

function filesBelow(folder: string): [string, Buffer][] {
  return globSync(join(folder, '**/*'))
    .filter((file) => statSync(file).isFile() && !file.endsWith('-shm'))
    .map((file) => [file.slice(folder.length + 1), readFileSync(file)])
}
