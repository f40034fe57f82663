/** Bodies as partners send them. */
import type { NewUser } from '../../src/client/client.ts'

let people = 0

export interface Person {
  email?: string | undefined
  password?: string | undefined
  login?: string | undefined
  account_id?: number | string | undefined
}

/** A person nobody has seen before, who belongs to the account. */
export function newPerson(account_id: number, changes?: Partial<NewUser>): NewUser
export function newPerson(account_id: number, changes: Person): Person
export function newPerson(account_id: number, changes: Person = {}): Person {
  people += 1
  const login = `person-${process.pid}-${people}`
  return { email: `${login}@example.com`, password: 'correct horse', login, account_id, ...changes }
}

/** `<user><email>…</email>…</user>`, with the hyphens the interface shows. */
export function xmlOf(root: string, fields: object): string {
  const elements = Object.entries(fields).filter(([, value]) => value !== undefined)
  const lines = elements.map(
    ([name, value]) => `  <${name.replaceAll('_', '-')}${typeOf(value)}>${escaped(String(value))}</${name.replaceAll('_', '-')}>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>\n${lines.join('')}</${root}>\n`
}

export function formOf(fields: object, root?: string): string {
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [
    root === undefined ? name : `${root}[${name}]`,
    String(value),
  ])
  return new URLSearchParams(pairs).toString()
}

export const form = 'application/x-www-form-urlencoded'

function typeOf(value: unknown): string {
  return typeof value === 'number' ? ' type="integer"' : ''
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
