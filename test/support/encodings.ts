/** Databases on the test server whose texts are not in UTF-8, and commands of its tools as statements. */
import pg from 'pg'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore } from '../../src/store/store.ts'
import { emptyPlace, type Place } from './engines.ts'

/** A database without tables. */
export async function emptyIn(encoding: string): Promise<Place> {
  const place = await emptyPlace('postgres')
  const { pathname } = new URL(place.env['DATABASE_URL'] ?? '')
  await ask(`drop database ${pathname.slice(1)}`)
  await ask(
    `create database ${pathname.slice(1)} encoding '${encoding}' template template0 locale_provider libc lc_collate 'C' lc_ctype 'C'`,
  )
  return place
}

/** As a version left it that looked at no encoding. */
export async function existingIn(encoding: string): Promise<Place> {
  const place = await emptyIn(encoding)
  const store = openStore(readSettings(place.env))
  await migrate(store)
  await store.close()
  await (await openApp(readSettings(place.env), { schema: 'bring up' })).close()
  return place
}

/** Does what a printed `createdb` does, which sends this one statement to the server that its options name; returns the address of the database. */
export async function createdb(command: string): Promise<string> {
  const [tool, ...words] = command.split(' ')
  const name = words.find((word) => !word.startsWith('--')) ?? ''
  const options = Object.fromEntries(words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')))
  const { host, port, username, encoding, template, 'lc-collate': collate, 'lc-ctype': ctype, ...others } = options
  if (tool !== 'createdb' || Object.keys(others).length > 0) throw new Error(`This is not understood: ${command}`)
  const server = `postgres://${username}@${host}:${port}`
  await ask(
    `create database "${name}" encoding '${encoding}' template ${template} lc_collate '${collate}' lc_ctype '${ctype}'`,
    `${server}/postgres`,
  )
  return `${server}/${name}`
}

export async function ask(statement: string, url = process.env['TEST_POSTGRES_URL'] ?? ''): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
