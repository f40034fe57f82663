/** A browser without a screen, for tests of pages that need no script. */
import { password } from './people.ts'
import type { Client, Question, Reply } from './service.ts'

const form = 'application/x-www-form-urlencoded'
const ours = { 'sec-fetch-site': 'same-origin' }

/** A browser without a screen: keeps cookies, fills in tokens. */
export class PlainBrowser {
  readonly #client: Client
  readonly #headers: Record<string, string>
  readonly #keepsSecure: boolean
  cookies = new Map<string, string>()

  /** WebKit keeps no `Secure` cookie that came over plain HTTP. */
  constructor(client: Client, headers: Record<string, string> = {}, { keepsSecure = true } = {}) {
    this.#client = client
    this.#headers = headers
    this.#keepsSecure = keepsSecure
  }

  async get(path: string, question: Question = {}): Promise<Reply> {
    return this.#keep(
      await this.#client.get(path, {
        ...question,
        headers: { cookie: this.cookie, ...this.#headers, accept: 'text/html', ...question.headers },
      }),
    )
  }

  async post(path: string, fields: Record<string, string>, headers: Record<string, string> = ours): Promise<Reply> {
    return this.submit(path, Object.entries(fields), headers)
  }

  /** A form in which a field may stand several times. */
  async submit(path: string, fields: [string, string][], headers: Record<string, string> = ours): Promise<Reply> {
    const body = new URLSearchParams(fields).toString()
    return this.#keep(
      await this.#client.ask('POST', path, { body, type: form, headers: { cookie: this.cookie, ...this.#headers, ...headers } }),
    )
  }

  async token(path = '/login'): Promise<string> {
    return /name="form_token" value="([\w-]+)"/.exec((await this.get(path)).text)?.[1] ?? ''
  }

  async logIn(name: string, given = password, more: Record<string, string> = {}): Promise<Reply> {
    return this.post('/login', { form_token: await this.token(), name, password: given, ...more })
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #keep(reply: Reply): Reply {
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; Secure\b/.test(line) && !this.#keepsSecure) continue
      if (/Max-Age=0/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return reply
  }
}
