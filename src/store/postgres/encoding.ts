/** Databases whose texts are not in UTF-8: which encoding they have, which characters they refuse, and the command that makes one in UTF-8. */

import { type Kysely, sql } from 'kysely'
import { unheldCharacter } from '../../lib/failures.ts'
import { expandHosts } from '../../lib/network/addresses.ts'
import type { Engine, Finding } from '../engine.ts'
import type { Tables } from '../rows/tables.ts'

type Encodings = Pick<Engine, 'otherEncoding' | 'unheldIn'>

export function encodingsOf(db: Kysely<Tables>, databaseUrl: string): Encodings {
  const unheld = new Set<string>()
  const held = new Set<string>()
  let known: string | undefined
  const encoding = async () => {
    known ??= await serverEncoding(db)
    return known
  }
  return {
    async otherEncoding() {
      const name = await encoding()
      return name === 'UTF8' ? null : { name, createOther: createUtf8(databaseUrl) }
    },
    async unheldIn(text) {
      if ((await encoding()) === 'UTF8') return unheld
      const asked = new Set(text().match(/[^\0-\x7f]/gu)).difference(held).difference(unheld)
      for (let character = await firstUnheld(db, asked); character !== undefined; character = await firstUnheld(db, asked)) {
        asked.delete(character)
        unheld.add(character)
      }
      for (const character of asked) held.add(character)
      return unheld
    },
  }
}

async function serverEncoding(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_setting('server_encoding') as name`.execute(db)
  return rows[0]?.name ?? ''
}

/** Only the server knows what it can translate, and names one character at a time. */
async function firstUnheld(db: Kysely<Tables>, characters: ReadonlySet<string>): Promise<string | undefined> {
  try {
    await sql`select ${[...characters].join('')}::text`.execute(db)
    return undefined
  } catch (error) {
    const character = unheldCharacter(error)
    if (character === undefined || !characters.has(character)) throw error
    return character
  }
}

const [untranslatable, notInRepertoire] = ['22P05', '22021']

/**
 * The character of a statement's values that the server refuses, from the bytes that it names in whichever language: `has no equivalent in encoding "LATIN1":
 * 0xe6 0x97 0xa5`. Bytes that are no character were not sent by us but stored by others.
 */
export function refusedCharacter(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== untranslatable && code !== notInRepertoire) return undefined
  const bytes = [...(error as Error).message.matchAll(/0x([0-9a-f]{2})\b/g)].map(([, byte = '']) => Number.parseInt(byte, 16))
  const text = Buffer.from(bytes).toString()
  return [...text].length === 1 && text !== '\ufffd' ? text : undefined
}

/** Works whatever the locale of the server is: the locale C goes with every encoding, and template0 may be copied into any. */
function createUtf8(databaseUrl: string): string {
  const url = new URL(expandHosts(databaseUrl)?.[0] ?? databaseUrl)
  const host = url.hostname || url.searchParams.get('host')
  const options = { host, port: url.port, username: decodeURIComponent(url.username) }
  const place = Object.entries(options).flatMap(([name, value]) => (value ? [`--${name}=${inShell(value)}`] : []))
  const name = `${decodeURIComponent(url.pathname.slice(1)) || 'marquee'}_utf8`
  return ['createdb', ...place, '--encoding=UTF8 --template=template0 --lc-collate=C --lc-ctype=C', inShell(name)].join(' ')
}

function inShell(word: string): string {
  return /^[\w.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** For the doctor. */
export async function inspectEncoding({ otherEncoding }: Encodings): Promise<Finding> {
  const other = await otherEncoding()
  if (other === null) return { name: 'encoding', value: 'UTF8' }
  return {
    name: 'encoding',
    value: other.name,
    complaint: `The texts of the database are in ${other.name} and not in UTF8, so that ${other.name === 'SQL_ASCII' ? 'the server does not know their characters' : 'it cannot hold every text'}.`,
    cause: 'It was made on a server, or from a template, with that encoding; an encoding cannot be changed.',
    cure: `Run ${other.createOther}, write the address of that database to a file, and run marquee move --to-file with it. marquee export --all works too.`,
  }
}
