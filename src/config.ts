/** Every setting of Marquee in one table, read once from the environment and the settings file; a bad value becomes a sentence that names it. */

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { parseEnvFile } from './lib/env-file.ts'
import { expandHosts } from './lib/network/addresses.ts'
import { type TextKind, textKinds } from './lib/text-kinds.ts'

/** A setting that cannot be used; the message is a sentence for the operator. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment together with the settings file, and the file's path where one was read. */
export interface Surroundings {
  readonly env: Environment
  readonly fromFile: ReadonlySet<string>
  readonly file: string | null
}

export const usualSettingsFile = '/etc/marquee/marquee.env'
export const usualAdminPort = 9464

type Kind<T> = Pick<TextKind<T>, 'says' | 'read'>

interface Setting<T> {
  readonly name: string
  readonly kind: Kind<T>
  readonly fallback: T
  readonly secret: boolean
  readonly note: string
}

const { text, oneOf, wholeNumber } = textKinds
const port = wholeNumber(0, 65_535, 'a port number (0 to 65535)')
const url = (...protocols: string[]): Kind<string> => ({
  says: `an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  read: (given) => (protocols.includes(URL.parse(given)?.protocol ?? '') ? given.replace(/\/+$/, '') : undefined),
})
/** Several hosts may be named, `postgres://user@one:5432,two:5432/name`. */
const databaseAddress: Kind<string> = {
  says: 'an address such as postgres://user@host:5432/name, or with several hosts postgres://user@one:5432,two:5432/name; target_session_attrs may be read-write or primary only',
  read(given) {
    const urls = expandHosts(given.replace(/\/+$/, ''))?.map((one) => new URL(one)) ?? []
    const isGood = ({ protocol, searchParams }: URL) =>
      /^postgres(ql)?:$/.test(protocol) && /^(read-write|primary)?$/.test(searchParams.get('target_session_attrs') ?? '')
    return urls.length > 0 && urls.every(isGood) ? given.replace(/\/+$/, '') : undefined
  },
}
const replicaAddress: Kind<string> = {
  says: 'an address of one host such as postgres://user@host:5432/name',
  read: (given) => (expandHosts(given)?.length === 1 ? databaseAddress.read(given) : undefined),
}
/** An address to which paths are appended, so it must not have a query or a fragment; credentials are not allowed either. */
const base: Kind<string> = {
  says: 'an address starting with http:// or https://, without credentials, query or fragment',
  read: (given) => (/[?#@]/.test(given) ? undefined : url('http:', 'https:').read(given)),
}
const contact: Kind<string> = {
  says: 'an address starting with mailto: or https://',
  read: (given) => (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(given) ? given : undefined),
}
/** Bytes, or with a unit: `512MiB`. */
const size: Kind<number> = { says: 'a size such as 512MiB or 1GiB', read: readSize }
const days = wholeNumber(0, 36_500, 'a number of days (0 to 36500)')
const zone: Kind<string> = { says: 'a time zone such as UTC or Europe/Berlin', read: (given) => (isTimeZone(given) ? given : undefined) }
const addresses: Kind<readonly string[]> = { says: 'IP addresses or networks separated by commas', read: readAddresses }

const maxWorkers = 256
export const workerSetting: Kind<number | 'auto'> = {
  says: `a number of processes (1 to ${maxWorkers}) or auto`,
  read: (given) => (given === 'auto' ? given : wholeNumber(1, maxWorkers).read(given)),
}

// biome-ignore format: a table reads by its columns
export const settingTable = {
  databaseUrl:    optional('DATABASE_URL',            databaseAddress,                                          'PostgreSQL database; of several hosts, the one that accepts writes is used; without it, an SQLite file under DATA_DIR', 'secret'),
  replicaUrl:     optional('DATABASE_REPLICA_URL',    replicaAddress,                                           'standby of the PostgreSQL database, from which reports are read if it has the same data', 'secret'),
  databasePool:   required('DATABASE_POOL',           wholeNumber(2, 1_000),                     10,            'largest number of connections to PostgreSQL per process for requests; reports use up to 4 more'),
  dataDir:        required('DATA_DIR',                text,                                      'data',        'folder of the SQLite file and the server secret'),
  settingsFile:   optional('MARQUEE_ENV_FILE',        text,                                                     'file with more settings, one NAME=value per line; /etc/marquee/marquee.env by default'),
  port:           required('PORT',                    port,                                      8080,          'port of the service'),
  host:           required('HOST',                    text,                                      '127.0.0.1',   'address the service listens on'),
  workers:        optional('MARQUEE_WORKERS',         workerSetting,                                            'number of worker processes, or auto for one per core; without it there is one process, without a primary that restarts it'),
  baseUrl:        required('BASE_URL',                base,                                      '',            'address at which clients reach the service; http://HOST:PORT by default'),
  timeZone:       required('TIME_ZONE',               zone,                                      'UTC',         'time zone in which the times of users and businesses are written'),
  logLevel:       required('LOG_LEVEL',               oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info', 'lowest level that is logged'),
  secretFile:     optional('MARQUEE_SECRET_FILE',     text,                                                     'file of the server secret; required with DATABASE_URL, else DATA_DIR/secret'),
  trustedProxies: required('MARQUEE_TRUSTED_PROXIES', addresses,                                 [],            'proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Request-Id are trusted'),
  names:          required('MARQUEE_NAMES',           oneOf('encoded', 'legacy'),                'encoded',     'how XML element names made from data are written'),
  getActions:     required('MARQUEE_GET_ACTIONS',     oneOf('on', 'off'),                        'on',          'whether GET deactivates and reactivates a business, as the interface says'),
  securityContact: optional('MARQUEE_SECURITY_CONTACT', contact,                                              'where to report weaknesses, for /.well-known/security.txt; without it that file does not exist'),
  smtpUrl:        optional('MARQUEE_SMTP_URL',        url('smtp:', 'smtps:'),                                   'mail server; without it no mail is sent', 'secret'),
  mailFrom:       optional('MARQUEE_MAIL_FROM',       text,                                                     'sender of the mails'),
  adminPort:      optional('MARQUEE_ADMIN_PORT',      port,                                                     'port of the metrics; by default 9464, or a free one if that is in use'),
  adminHost:      required('MARQUEE_ADMIN_HOST',      text,                                      '127.0.0.1',   'address at which the metrics are served; anyone who reaches it can read them'),
  otlpEndpoint:   optional('OTEL_EXPORTER_OTLP_ENDPOINT', url('http:', 'https:'),                             'where OpenTelemetry traces are sent, by OTLP over HTTP; without it none are sent'),
  maxUpload:      required('MARQUEE_MAX_UPLOAD',      size,                                      2 ** 30,       'largest file that may be uploaded for import in the background; decompressed, it may be ten times as large'),
  keepAuditDays:  required('MARQUEE_KEEP_AUDIT_DAYS', days,                                      730,           'days after which audit entries are removed; 0 keeps them forever'),
  keepIntakesDays: required('MARQUEE_KEEP_INTAKES_DAYS', days,                                   30,            'days for which an import or push can be undone; 0 keeps them forever'),
  keepDeletedUsersDays: required('MARQUEE_KEEP_DELETED_USERS_DAYS', days,                        90,            'days after which a deleted user is erased and their names are free; 0 keeps them forever'),
  keepReviewsDays: required('MARQUEE_KEEP_REVIEWS_DAYS', days,                                   0,             'days after their date at which reviews are removed; 0 keeps them forever'),
}

type ValueOf<S> = S extends Setting<infer T> ? T : never
export type Settings = { readonly [K in keyof typeof settingTable]: ValueOf<(typeof settingTable)[K]> }

export function readSettings(env: Environment): Settings {
  refuseUnknown(env)
  const read = Object.fromEntries(
    Object.entries(settingTable).map(([key, setting]) => [key, readSetting<unknown>(setting, env)]),
  ) as Settings
  return { ...read, baseUrl: read.baseUrl || addressOf(read.host, read.port) }
}

/** How many processes serve requests; 1 when no workers are configured. */
export function workerCount({ workers: wanted }: Pick<Settings, 'workers'>): number {
  return wanted === 'auto' ? availableParallelism() : (wanted ?? 1)
}

/** Adds the values of the settings file to the environment, which takes precedence. The default file may be missing; a file that was named must exist. */
export function withSettingsFile(env: Environment, named: string | undefined = env[settingTable.settingsFile.name]): Surroundings {
  const path = named || usualSettingsFile
  const text = readSettingsFile(path, Boolean(named))
  if (text === undefined) return { env, fromFile: new Set(), file: null }
  const { values, faultyLine } = parseEnvFile(text)
  if (faultyLine !== null) fail(`Line ${faultyLine} of ${path} must read NAME=value.`)
  const foreign = Object.keys(values).find((name) => !knownNames().includes(name) && !name.startsWith('OTEL_'))
  if (foreign !== undefined) fail(`${foreign} in ${path} is not a setting of Marquee.`)
  const fromFile = new Set(Object.keys(values).filter((name) => !env[name]))
  return { env: { ...env, ...Object.fromEntries([...fromFile].map((name) => [name, values[name]])) }, fromFile, file: path }
}

/** Where the value of a setting came from, for `marquee settings`. */
export function originOf({ env, fromFile, file }: Surroundings, { name, secret }: { name: string; secret: boolean }): string {
  const given = env[name] ? name : secret && env[`${name}_FILE`] ? `${name}_FILE` : undefined
  if (given === undefined) return 'default'
  const place = fromFile.has(given) ? (file ?? '') : 'environment'
  return given === name ? place : `${given} in ${place}`
}

function readSettingsFile(path: string, isNamed: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (!isNamed && error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    return fail(`The settings file ${path} cannot be read: check that it is there and that this user may read it.`)
  }
}

/** The version of this Marquee, as its package states it. */
export function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  return version
}

export function addressOf(host: string, port: number): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

function required<T>(name: string, kind: Kind<T>, fallback: NoInfer<T>, note: string): Setting<T> {
  return { name, kind, fallback, secret: false, note }
}

function optional<T>(name: string, kind: Kind<T>, note: string, secret?: 'secret'): Setting<T | undefined> {
  return { name, kind, fallback: undefined, secret: secret === 'secret', note }
}

function readSetting<T>(setting: Setting<T>, env: Environment): T {
  const given = env[setting.name] || (setting.secret ? fromFile(`${setting.name}_FILE`, env) : undefined)
  if (!given) return setting.fallback
  return setting.kind.read(given) ?? fail(`${setting.name} must be ${setting.kind.says}${setting.secret ? '' : `, not "${given}"`}.`)
}

function fromFile(name: string, env: Environment): string | undefined {
  const path = env[name]
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return fail(`${name} names a file that cannot be read: ${path}.`)
  }
}

function refuseUnknown(env: Environment): void {
  const known = knownNames()
  const unknown = Object.keys(env).find((name) => name.startsWith('MARQUEE_') && !known.includes(name))
  if (unknown !== undefined) fail(`${unknown} is not a setting of Marquee.`)
}

function knownNames(): readonly string[] {
  return Object.values(settingTable).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]))
}

function isTimeZone(given: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }) !== undefined
  } catch {
    return false
  }
}

const sizeUnits: Readonly<Record<string, number>> = { '': 1, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30 }

function readSize(given: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,12}) ?([a-z]*)$/i.exec(given) ?? []
  const factor = sizeUnits[unit.toUpperCase()]
  return number === undefined || factor === undefined ? undefined : Number(number) * factor
}

function readAddresses(given: string): readonly string[] | undefined {
  const list = given.split(',').map((item) => item.trim())
  return list.every(isAddress) ? list : undefined
}

function isAddress(item: string): boolean {
  const [address = '', prefix, ...more] = item.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return prefix === undefined || wholeNumber(0, family === 4 ? 32 : 128).read(prefix) !== undefined
}

function fail(sentence: string): never {
  throw new SettingError(sentence)
}
