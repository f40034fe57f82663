/** What keeps Marquee from a PostgreSQL server is told with its cure: rights, the search_path, and TLS with a self-made certificate. */
import assert from 'node:assert/strict'
import { chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { makeCertificate } from '../../support/certificate.ts'
import { marquee } from '../../support/command.ts'
import { emptyPlace, onEngine, type Place } from '../../support/engines.ts'
import { findBinaries, freePort, initialise, launch, serverIdentity, stop, untilReady } from '../../support/postgres.ts'

const ask = async (url: string, ...statements: string[]) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
const changed = (place: Place, change: (url: URL) => void) => {
  const url = new URL(place.env.DATABASE_URL ?? '')
  change(url)
  return { env: { DATABASE_URL: url.href } }
}

onEngine('postgres', 'a server', (place) => {
  test('whose role may not read the tables is told with the rights that are missing', async (t) => {
    const role = `reader_${process.pid}`
    const database = new URL(place.env.DATABASE_URL ?? '').pathname.slice(1)
    await ask(place.env.DATABASE_URL ?? '', `create role ${role} login`)
    t.after(() => ask(place.env.DATABASE_URL ?? '', `drop owned by ${role}`, `drop role ${role}`))
    const asRole = changed(place, (url) => Object.assign(url, { username: role, password: '' }))
    const cure = /permission denied for table \w+\. Make the role of DATABASE_URL the owner of the tables, or grant it what the owner may: /
    const doctor = await marquee(place, 'doctor', asRole)
    assert.equal(doctor.code, 1)
    assert.match(doctor.stdout, cure)
    assert.match((await marquee(place, 'partner list', asRole)).stderr, cure)
    const started = await marquee(place, 'serve', { env: { ...asRole.env, PORT: '0', MARQUEE_ADMIN_PORT: '0' } })
    assert.equal(started.code, 1)
    assert.match(started.stderr, cure)
    await ask(
      place.env.DATABASE_URL ?? '',
      `grant select on all tables in schema public to ${role}`,
      `grant connect on database ${database} to ${role}`,
    )
    assert.match((await marquee(place, 'doctor', asRole)).stdout, cure, 'who may read and not write')
  })

  test('on which the role may make no tables is told at migrate --init', async (t) => {
    const empty = await emptyPlace('postgres')
    const role = `maker_${process.pid}`
    await ask(empty.env.DATABASE_URL ?? '', `create role ${role} login`)
    t.after(async () => {
      await ask(empty.env.DATABASE_URL ?? '', `drop owned by ${role}`, `drop role ${role}`)
      await empty.remove()
    })
    const asRole = changed(empty, (url) => Object.assign(url, { username: role, password: '' }))
    assert.match(
      (await marquee(empty, 'migrate --init', asRole)).stderr,
      /permission denied for schema public\. Make the role of DATABASE_URL the owner/,
    )
  })

  test('with a wrong search_path is told where the tables are, and how to get there', async () => {
    await ask(place.env.DATABASE_URL ?? '', 'create schema elsewhere')
    for (const [path, leads] of [
      ['elsewhere', 'elsewhere'],
      ['nowhere', 'no schema that exists'],
    ] as const) {
      const wrong = changed(place, (url) => url.searchParams.set('options', `-c search_path=${path}`))
      const cure = new RegExp(
        `are in the schema public, and the search_path of this role leads to ${leads}: correct it with alter role .* set search_path = public`,
      )
      for (const [words, stream] of [
        ['doctor', 'stdout'],
        ['partner list', 'stderr'],
        ['serve', 'stderr'],
        ['migrate', 'stderr'],
        ['migrate --plan', 'stderr'],
      ] as const)
        assert.match((await marquee(place, words, wrong))[stream], cure, words)
    }
    const empty = await emptyPlace('postgres')
    assert.match((await marquee(empty, 'migrate --plan')).stderr, /is empty: if it is the right one, run `marquee migrate --init` first/)
    const nowhere = changed(empty, (url) => url.searchParams.set('options', '-c search_path=nowhere'))
    assert.match(
      (await marquee(empty, 'migrate --init', nowhere)).stderr,
      /no schema has been selected to create in\. No schema of search_path exists: make it with create schema, or correct search_path/,
    )
    await empty.remove()
  })
})

describe('a server with TLS', () => {
  test('and a self-made certificate is served with sslrootcert, and told with its cure without', async (t) => {
    const [identity, certificate] = [serverIdentity(), makeCertificate()]
    const folder = mkdtempSync(join(tmpdir(), 'marquee-tls-'))
    for (const [from, to] of [
      [certificate.file, 'server.crt'],
      [certificate.keyFile, 'server.key'],
    ] as const)
      copyFileSync(from, join(folder, to))
    if (identity) for (const name of ['', 'server.crt', 'server.key']) chownSync(join(folder, name), identity.uid, identity.gid)
    const bin = findBinaries(folder, identity)
    const data = join(folder, 'data')
    initialise(bin, data, identity)
    const port = await freePort()
    const tls = { ssl: 'on', ssl_cert_file: join(folder, 'server.crt'), ssl_key_file: join(folder, 'server.key') }
    const server = launch(bin, folder, data, port, identity, tls)
    const plain = `postgres://postgres@127.0.0.1:${port}/postgres`
    await untilReady(plain, server)
    t.after(async () => {
      await stop(server)
      certificate.remove()
      rmSync(folder, { recursive: true, force: true })
    })
    const empty = await emptyPlace('postgres')
    t.after(() => empty.remove())
    const at = (query: string, host = 'localhost') => ({ env: { DATABASE_URL: `postgres://postgres@${host}:${port}/postgres?${query}` } })
    const trusted = `sslmode=verify-full&sslrootcert=${certificate.file}`
    const made = await marquee(empty, 'migrate --init', at(trusted))
    assert.equal(made.code, 0, made.stderr)
    assert.doesNotMatch((await marquee(empty, 'doctor', at(trusted))).stdout, /certificate|not trusted/)
    const untrusted =
      /self-signed certificate.*\. Name the authority of the server, or its own certificate, in DATABASE_URL: sslmode=verify-full&sslrootcert=/
    for (const words of ['partner list', 'serve'])
      assert.match((await marquee(empty, words, at('sslmode=verify-full'))).stderr, untrusted, words)
    assert.match((await marquee(empty, 'doctor', at('sslmode=verify-full'))).stdout, untrusted)
    assert.equal((await marquee(empty, 'partner list', at('sslmode=no-verify'))).code, 0)
    const missing = await marquee(empty, 'partner list', at('sslmode=verify-full&sslrootcert=/nowhere.pem'))
    assert.match(missing.stderr, /There is no \/nowhere\.pem/)
    const without = changed(empty, (url) => url.searchParams.set('sslmode', 'verify-full'))
    assert.match(
      (await marquee(empty, 'migrate --init', without)).stderr,
      /The server does not support SSL connections\. Switch TLS on at the server, or take sslmode out of DATABASE_URL/,
    )
  })
})
