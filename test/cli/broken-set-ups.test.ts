/** Forty set-ups and more that are broken, each found by the doctor, with a sentence each for what is wrong, why, and what to do. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import Database from 'better-sqlite3'
import { examineInstallation, examineStated } from '../../src/cli/commands/operation/doctor.ts'
import { sentencesOf } from '../../src/cli/error-messages.ts'
import { readSettings, withSettingsFile } from '../../src/config.ts'
import type { Finding } from '../../src/store/engine.ts'
import { marquee, marqueeEach } from '../support/command.ts'
import { freshPlace, onEngine, type Place } from '../support/engines.ts'

type Env = Record<string, string>

const isRoot = process.getuid?.() === 0
const https = { BASE_URL: 'https://api.example', MARQUEE_TRUSTED_PROXIES: '127.0.0.1' }
const smtp = 'smtp://127.0.0.1:1'

// biome-ignore format: a table reads by its columns
const settings: readonly [what: string, env: Env, complaint: RegExp][] = [
  ['plain HTTP in public',                 { HOST: '0.0.0.0' },                                             /plain HTTP: keys and passwords would travel readable/],
  ['https without proxies',                { BASE_URL: 'https://api.example' },                             /no proxy is trusted/],
  ['proxies of the whole internet',        { ...https, MARQUEE_TRUSTED_PROXIES: '0.0.0.0/0' },              /trusts the whole internet/],
  ['proxies of all of IPv6',               { ...https, MARQUEE_TRUSTED_PROXIES: '::/0' },                   /trusts the whole internet/],
  ['proxies of half the internet',         { ...https, MARQUEE_TRUSTED_PROXIES: '10.0.0.1,128.0.0.0/1' },   /trusts the whole internet/],
  ['a base address with a path',           { ...https, BASE_URL: 'https://api.example/marquee' },           /BASE_URL has the path \/marquee/],
  ['a base address of this machine',       { HOST: '0.0.0.0', BASE_URL: 'http://localhost:8080' },          /names this machine only/],
  ['both ports the same',                  { PORT: '9000', MARQUEE_ADMIN_PORT: '9000' },                    /are both 9000/],
  ['metrics on a public address',          { MARQUEE_ADMIN_HOST: '203.0.113.7' },                           /can be read from the internet/],
  ['mail without a sender',                { MARQUEE_SMTP_URL: smtp },                                      /MARQUEE_MAIL_FROM is not: no mail can be sent/],
  ['a sender without a mail server',       { MARQUEE_MAIL_FROM: 'a@b.example' },                            /MARQUEE_SMTP_URL is not/],
  ['a mail server that is not there',      { MARQUEE_SMTP_URL: smtp, MARQUEE_MAIL_FROM: 'a@b.example' },    /The mail server cannot be used: .*ECONNREFUSED/],
  ['a mail server without a name',         { MARQUEE_SMTP_URL: 'smtp://mail.invalid', MARQUEE_MAIL_FROM: 'a@b.example' }, /The mail server cannot be used/],
  ['an address of another machine',        { ...https, HOST: '203.0.113.7' },                               /has no address 203\.0\.113\.7/],
  ['a data folder that is not there',      { DATA_DIR: '/nowhere/at/all' },                                 /There is no database in \/nowhere\/at\/all\. If this is/],
  ['a data folder that is a file',         { DATA_DIR: '/etc/hostname' },                                   /which is no folder/],
  ['a database server that is not there',  { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', MARQUEE_SECRET_FILE: '/etc/hostname' },    /ECONNREFUSED.*Check that the server runs/],
  ['a database server without a name',     { DATABASE_URL: 'postgres://x@db.invalid/x', MARQUEE_SECRET_FILE: '/etc/hostname' },     /Check the host name in DATABASE_URL/],
]

// biome-ignore format: a table reads by its columns
const refused: readonly [what: string, env: Env, sentence: RegExp][] = [
  ['a port in words',                      { PORT: 'eighty' },                                              /^PORT must be a port number/],
  ['a port too high',                      { PORT: '70000' },                                               /^PORT must be a port number/],
  ['an admin port below zero',             { MARQUEE_ADMIN_PORT: '-1' },                                    /^MARQUEE_ADMIN_PORT must be/],
  ['a base address without a scheme',      { BASE_URL: 'api.example' },                                     /^BASE_URL must be an address/],
  ['a base address with a query',          { BASE_URL: 'https://api.example/?x' },                          /^BASE_URL must be an address/],
  ['a zone on Mars',                       { TIME_ZONE: 'Mars/Olympus' },                                   /^TIME_ZONE must be a time zone/],
  ['a level that is none',                 { LOG_LEVEL: 'loud' },                                           /^LOG_LEVEL must be one of/],
  ['a proxy that is no address',           { MARQUEE_TRUSTED_PROXIES: 'proxy.example' },                    /^MARQUEE_TRUSTED_PROXIES must be IP addresses/],
  ['days in words',                        { MARQUEE_KEEP_AUDIT_DAYS: 'a year' },                           /^MARQUEE_KEEP_AUDIT_DAYS must be a number of days/],
  ['a sender that is no address',          { MARQUEE_SMTP_URL: smtp, MARQUEE_MAIL_FROM: 'Marquee' },        /^MARQUEE_MAIL_FROM must be a mail address such as .*, not "Marquee"/],
  ['a file of authorities that is none',   { MARQUEE_SMTP_CA_FILE: '/etc/hostname' },                       /^MARQUEE_SMTP_CA_FILE must be a readable file of certificates/],
  ['TLS by another word',                  { MARQUEE_SMTP_TLS: 'off' },                                     /^MARQUEE_SMTP_TLS must be one of verified, unverified/],
  ['a secret in a missing file',           { MARQUEE_SMTP_URL_FILE: '/nowhere' },                           /names a file that cannot be read/],
  ['a settings file that is missing',      { MARQUEE_ENV_FILE: '/nowhere.env' },                            /^The settings file \/nowhere\.env cannot be read/],
]

const data = (folder: string) => join(folder, 'marquee.db')
const inDatabase = (folder: string, sql: string) => {
  const database = new Database(data(folder))
  database.exec(sql)
  database.close()
}

const arranged: readonly [what: string, arrange: (folder: string) => void, complaint: RegExp, needsRoot?: true][] = [
  [
    'a database file that others can read',
    (at) => chmodSync(data(at), 0o644),
    /can be reached by other users\. Its mode is 0644\. Run chmod 600 .*marquee\.db/,
  ],
  ['a data folder that others can enter', (at) => chmodSync(at, 0o755), /Run chmod 700/],
  [
    'a secret that others can read',
    (at) => chmodSync(join(at, 'secret'), 0o644),
    /can be read by other users\. Its mode is 0644\. Run chmod 600 .*secret/,
  ],
  ['another secret', (at) => writeFileSync(join(at, 'secret'), 'x'.repeat(64)), /is not the one this database was made with/],
  ['a secret that is too short', (at) => writeFileSync(join(at, 'secret'), 'short'), /is too short/],
  ['a secret that is gone', (at) => rmSync(join(at, 'secret')), /There is no server secret/],
  ['a database that is gone', (at) => rmSync(data(at)), /The server secret .* is there, so a database was/],
  [
    'a database that is no database',
    (at) => writeFileSync(data(at), 'Dear Dana, this is a letter and not a database.'.repeat(100)),
    /The database file is damaged, or no database at all: file is not a database\. Restore a backup/,
  ],
  ['the database of another installation', (at) => writeFileSync(`${at}.installation`, 'another\n'), /is of another installation/],
  ['an older schema', (at) => inDatabase(at, "delete from schema_migrations where name like '0004%'"), /misses 0004.* Run marquee migrate/],
  [
    'a newer schema',
    (at) => inDatabase(at, "insert into schema_migrations (name, applied_at) values ('9999-later', '2030-01-01T00:00:00Z')"),
    /of a newer Marquee/,
  ],
  [
    'a clock that was set back',
    (at) =>
      inDatabase(
        at,
        "insert into audit_entries (at, actor, action, subject_type, request_id) values ('2099-01-01T00:00:00Z', 'operator', 'x', 'X', 'x')",
      ),
    /The clock of this machine is behind/,
  ],
  [
    'no backup for days',
    (at) => inDatabase(at, "update schema_migrations set applied_at = '2020-01-01T00:00:00Z'"),
    /The last good backup is older than 48 hours: never/,
  ],
  [
    'a database that root made',
    (at) => chownSync(data(at), 65_534, 65_534),
    /marquee\.db belongs to nobody, and the data folder to root/,
    true,
  ],
]

describe('broken set-ups', () => {
  let sound: Place
  let folder: string
  before(async () => {
    sound = await freshPlace('sqlite')
    folder = join(sound.folder, 'one')
  })
  after(() => sound?.remove())

  const complaintsOf = async (env: Env) => {
    const surroundings = withSettingsFile({ ...sound.env, ...env })
    const settings = readSettings(surroundings.env)
    return told([...examineStated(settings, surroundings), ...(await examineInstallation(settings))])
  }

  test('there are forty of them, and the set-up they start from is sound', async () => {
    assert.ok(settings.length + refused.length + arranged.length >= 40)
    assert.deepEqual(await complaintsOf({}), [])
  })

  for (const [what, env, wanted] of settings) {
    test(`${what} is found`, async () => {
      const found = (await complaintsOf(env)).filter((sentences) => wanted.test(sentences))
      assert.equal(found.length, 1, JSON.stringify(await complaintsOf(env)))
    })
  }

  for (const [what, env, wanted] of refused) {
    test(`${what} is refused`, async () => {
      const error = await complaintsOf(env).then(
        () => assert.fail('nothing was refused'),
        (reason: unknown) => reason,
      )
      assert.match(sentencesOf(error).join(' '), wanted)
    })
  }

  const copySound = () => {
    rmSync(`${folder}.installation`, { force: true })
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { mode: 0o700 })
    for (const name of ['marquee.db', 'secret']) cpSync(join(sound.folder, name), join(folder, name))
  }

  for (const [what, arrange, wanted, needsRoot] of arranged) {
    test(`${what} is found`, { skip: needsRoot && !isRoot }, async () => {
      copySound()
      arrange(folder)
      assert.match((await complaintsOf({ DATA_DIR: folder })).join('\n'), wanted)
    })
  }

  test('a database that cannot be written is found, also by root, who could write it', async () => {
    const place = await freshPlace('sqlite')
    chmodSync(data(place.folder), 0o400)
    if (isRoot) for (const path of [place.folder, data(place.folder), join(place.folder, 'secret')]) chownSync(path, 65_534, 65_534)
    const { code, json } = await marquee(place, 'doctor --json')
    await place.remove()
    assert.equal(code, 1)
    assert.match(
      told(json<{ findings: Finding[] }>().findings).join('\n'),
      /The database file cannot be written: attempt to write a readonly database\. Check the owner and mode/,
    )
  })

  test('a disk that is mounted read-only is called so, by every command', { skip: !isRoot }, async () => {
    const place = await freshPlace('sqlite')
    const readOnly = (words: string, folder = place.folder) => {
      const script = 'mount --bind "$DATA_DIR" "$DATA_DIR" && mount -o remount,ro,bind "$DATA_DIR" && exec "$0" bin/marquee.js $WORDS'
      const env = { PATH: process.env.PATH, ...place.env, DATA_DIR: folder, WORDS: words, PORT: '0', MARQUEE_ADMIN_PORT: '0' }
      const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script, process.execPath], { env, encoding: 'utf8' })
      return stdout + stderr
    }
    const called =
      /The disk of the database is mounted read-only: EROFS: read-only file system.*\. Mount it for writing; the log of the system/
    for (const words of ['doctor', 'partner list', 'serve', 'migrate']) assert.match(readOnly(words), called, words)
    const empty = join(place.folder, 'empty')
    mkdirSync(empty)
    assert.match(readOnly('migrate --init', empty), /is mounted read-only: mount it for writing/)
    await place.remove()
  })

  test('keys that a rotation has left behind are told, and are a problem two weeks before they are refused', async () => {
    const place = await freshPlace('sqlite')
    const lines = ['partner create --name Acme', 'secret rotate --in 0 --grace 20', 'doctor --json']
    const early = (await marqueeEach(place, lines)).at(-1)
    inDatabase(place.folder, "update server_secrets set retires_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+13 days') where id = 1")
    const [late] = await marqueeEach(place, ['doctor --json'])
    await place.remove()
    const findings = early?.json<{ findings: Finding[] }>().findings ?? []
    assert.match(findings.find(({ name }) => name === 'idle keys')?.value ?? '', /^1, refused from 2\d\d\d-/)
    assert.deepEqual([early?.code, told(findings)], [0, []])
    const [sentences = ''] = told(late?.json<{ findings: Finding[] }>().findings ?? [])
    assert.match(
      sentences,
      /^Keys that have not been used since the rotation .*: \w{8} of partner 1\. A key moves .* Have the partner use each/,
    )
    assert.equal(late?.code, 1)
  })
})

onEngine('postgres', 'broken set-ups', (place) => {
  const complaintsAt = async (env: Env) => told(await examineInstallation(readSettings({ ...place.env, ...env }))).join('\n')
  const urlWith = (change: (url: URL) => void) => {
    const url = new URL(place.env.DATABASE_URL ?? '')
    change(url)
    return { DATABASE_URL: url.href }
  }

  test('refusals of the server are told apart', async () => {
    const noDatabase = urlWith((url) => Object.assign(url, { pathname: '/nowhere' }))
    assert.match(await complaintsAt(noDatabase), /database "nowhere" does not exist\. Create it with createdb/)
    const noUser = urlWith((url) => Object.assign(url, { username: 'nobody-here' }))
    assert.match(await complaintsAt(noUser), /"nobody-here" does not exist\. Check the user in DATABASE_URL/)
  })

  test('a database that accepts no writes is found', async () => {
    const readOnly = urlWith((url) => url.searchParams.set('options', '-c default_transaction_read_only=on'))
    assert.match(await complaintsAt(readOnly), /The database accepts no writes now/)
  })
})

/** What is wrong, why and what to do, of each finding with a complaint. */
function told(findings: readonly Finding[]): string[] {
  const wrong = findings.filter(({ complaint }) => complaint !== undefined)
  for (const each of wrong) {
    for (const sentence of [each.complaint, each.cause, each.cure]) assert.match(String(sentence), /^\S.{10,}[.]$/s, each.name)
  }
  return wrong.map(({ complaint, cause, cure }) => `${complaint} ${cause} ${cure}`)
}
