/** Every setting of Marquee in one table, read once from the environment and the settings file; a bad value becomes a sentence that names it. */

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { parseEnvFile } from './lib/env-file.ts'
import { expandHosts } from './lib/network/addresses.ts'
import { type SettingKind, settingKinds, workerSetting } from './lib/setting-kinds.ts'
import { textKinds } from './lib/text-kinds.ts'

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

interface Setting<T> {
  readonly name: string
  readonly kind: SettingKind<T>
  readonly fallback: T
  readonly secret: boolean
  readonly reload: Reload
  readonly note: string
}

/** What SIGHUP does with a changed value: the running process takes it, or the workers that take the place of the old ones do, or only a restart. */
export type Reload = 'at once' | 'new workers' | 'restart'

type Mark = 'secret' | 'at once' | 'restart'

const { text, oneOf, wholeNumber } = textKinds
const { port, url, base, contact, sender, certificates, size, days, zone, addresses, dnsServers, sitePlaces, provider } = settingKinds
/** Several hosts may be named, `postgres://user@one:5432,two:5432/name`. */
const databaseAddress: SettingKind<string> = {
  says: 'an address such as postgres://user@host:5432/name, or with several hosts postgres://user@one:5432,two:5432/name; target_session_attrs may be read-write or primary only',
  read(given) {
    const urls = expandHosts(given.replace(/\/+$/, ''))?.map((one) => new URL(one)) ?? []
    const isGood = ({ protocol, searchParams }: URL) =>
      /^postgres(ql)?:$/.test(protocol) && /^(read-write|primary)?$/.test(searchParams.get('target_session_attrs') ?? '')
    return urls.length > 0 && urls.every(isGood) ? given.replace(/\/+$/, '') : undefined
  },
}
const replicaAddress: SettingKind<string> = {
  says: 'an address of one host such as postgres://user@host:5432/name',
  read: (given) => (expandHosts(given)?.length === 1 ? databaseAddress.read(given) : undefined),
}

// biome-ignore format: a table reads by its columns
export const settingTable = {
  databaseUrl:    optional('DATABASE_URL',            databaseAddress,                                          'PostgreSQL database; of several hosts, the one that accepts writes is used; without it, an SQLite file under DATA_DIR', 'secret'),
  replicaUrl:     optional('DATABASE_REPLICA_URL',    replicaAddress,                                           'standby of the PostgreSQL database, from which reports are read if it has the same data', 'secret'),
  databasePool:   required('DATABASE_POOL',           wholeNumber(2, 1_000),                     10,            'largest number of connections to PostgreSQL per process for requests; pages, reports and letters are read on up to 4 more, and uploads and pushes being stored another 4, sources 2'),
  dataDir:        required('DATA_DIR',                text,                                      'data',        'folder of the SQLite file, the server secret and the journal of erasures'),
  settingsFile:   optional('MARQUEE_ENV_FILE',        text,                                                     'file with more settings, one NAME=value per line; /etc/marquee/marquee.env by default', 'restart'),
  port:           required('PORT',                    port,                                      8080,          'port of the service'),
  host:           required('HOST',                    text,                                      '127.0.0.1',   'address the service listens on'),
  workers:        optional('MARQUEE_WORKERS',         workerSetting,                                            'number of worker processes, or auto for one per core; without it there is one process, without a primary that restarts it', 'restart'),
  baseUrl:        required('BASE_URL',                base,                                      '',            'address at which clients reach the service; http://HOST:PORT by default'),
  timeZone:       required('TIME_ZONE',               zone,                                      'UTC',         'time zone in which the times of users and businesses are written'),
  logLevel:       required('LOG_LEVEL',               oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info', 'lowest level that is logged', 'at once'),
  secretFile:     optional('MARQUEE_SECRET_FILE',     text,                                                     'file of the server secret; required with DATABASE_URL, else DATA_DIR/secret'),
  trustedProxies: required('MARQUEE_TRUSTED_PROXIES', addresses,                                 [],            'proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Request-Id are trusted'),
  names:          required('MARQUEE_NAMES',           oneOf('encoded', 'legacy'),                'encoded',     'how XML element names made from data are written'),
  getActions:     required('MARQUEE_GET_ACTIONS',     oneOf('on', 'off'),                        'on',          'whether GET deactivates and reactivates a business, as the interface says', 'at once'),
  requestLog:     required('MARQUEE_REQUEST_LOG',     oneOf('on', 'off'),                        'on',          'whether the last answers of the API are kept for the admins of each partner, without what requests said of people', 'at once'),
  securityContact: optional('MARQUEE_SECURITY_CONTACT', contact,                                              'where to report weaknesses, for /.well-known/security.txt; without it that file does not exist', 'at once'),
  smtpUrl:        optional('MARQUEE_SMTP_URL',        url('smtp:', 'smtps:'),                                   'mail server; without it no mail is sent', 'secret'),
  smtpTls:        required('MARQUEE_SMTP_TLS',        oneOf('verified', 'unverified'),           'verified',    'whether the certificate of the mail server is checked; unverified encrypts, and lets anybody in between pose as the server'),
  smtpCaFile:     optional('MARQUEE_SMTP_CA_FILE',    certificates,                                             'authorities, or the certificate itself, by which the mail server is known, in place of the public ones'),
  dnsServers:     optional('MARQUEE_DNS_SERVERS',     dnsServers,                                               'DNS servers that are asked for the records by which partners prove that a host is theirs, and where addresses lead that are fetched; without it, those of this machine'),
  allowedNetworks: required('MARQUEE_ALLOWED_NETWORKS', addresses,                               [],            'networks that are not public and may be fetched from all the same, such as those of own sites; nothing of what is there is shown, only figures made of it'),
  sitePlaces:     required('MARQUEE_SITE_PLACES',     sitePlaces,                                [],            'where sites are measured instead of at their domain, such as at a port of this machine; networks that are not public must be allowed besides'),
  rdapUrl:        required('MARQUEE_RDAP_URL',        provider,                                  'https://rdap.org', 'whom sources ask since when a domain is registered'),
  mailFrom:       optional('MARQUEE_MAIL_FROM',       sender,                                                   'sender of the mails; where no brand has a name, this one is shown'),
  adminPort:      optional('MARQUEE_ADMIN_PORT',      port,                                                     'port of the metrics; by default 9464, or a free one if that is in use', 'restart'),
  adminHost:      required('MARQUEE_ADMIN_HOST',      text,                                      '127.0.0.1',   'address at which the metrics are served; anyone who reaches it can read them', 'restart'),
  otlpEndpoint:   optional('OTEL_EXPORTER_OTLP_ENDPOINT', url('http:', 'https:'),                             'where OpenTelemetry traces are sent, by OTLP over HTTP; without it none are sent'),
  maxUpload:      required('MARQUEE_MAX_UPLOAD',      size,                                      2 ** 30,       'largest file that may be uploaded for import in the background; decompressed, it may be ten times as large', 'at once'),
  keepAuditDays:  required('MARQUEE_KEEP_AUDIT_DAYS', days,                                      730,           'days after which audit entries are removed; 0 keeps them forever', 'at once'),
  keepEventsDays: required('MARQUEE_KEEP_EVENTS_DAYS', wholeNumber(1, 3_650),                    30,            'days for which events can be read from the feed', 'at once'),
  keepIntakesDays: required('MARQUEE_KEEP_INTAKES_DAYS', days,                                   30,            'days for which an import or push can be undone; 0 keeps them forever', 'at once'),
  keepDeletedAccountsDays: required('MARQUEE_KEEP_DELETED_ACCOUNTS_DAYS', days,                    30,            'days for which a deleted account can be brought back; then its people are deleted and everything of it is removed; 0 keeps it forever', 'at once'),
  keepDeletedUsersDays: required('MARQUEE_KEEP_DELETED_USERS_DAYS', days,                        90,            'days after which a deleted user is erased and their names are free; 0 keeps them forever', 'at once'),
  keepMailsDays:  required('MARQUEE_KEEP_MAILS_DAYS', days,                                      90,            'days after which a mail that was sent, or given up, loses its address and text; 0 keeps them forever', 'at once'),
  keepRequestsDays: required('MARQUEE_KEEP_REQUESTS_DAYS', days,                                 7,             'days after which what the API answered is forgotten, if newer answers have not taken its place before; 0 leaves it to these', 'at once'),
  askingMailsPerDay: required('MARQUEE_ASKING_MAILS_PER_DAY', wholeNumber(0, 1_000_000),      1_000,         'mails a day by which one partner asks people whether they want reports, or invites them; 0 sets no limit', 'at once'),
  keepReviewsDays: required('MARQUEE_KEEP_REVIEWS_DAYS', days,                                   0,             'days after their date at which reviews are removed; 0 keeps them forever', 'at once'),
}

type ValueOf<S> = S extends Setting<infer T> ? T : never
export type Settings = { readonly [K in keyof typeof settingTable]: ValueOf<(typeof settingTable)[K]> }

export function readSettings(env: Environment): Settings {
  const read = Object.fromEntries(
    Object.entries(settingTable).map(([key, setting]) => [key, readSetting<unknown>(setting, env)]),
  ) as Settings
  return { ...read, baseUrl: read.baseUrl || addressOf(read.host, read.port) }
}

/** Examples once read the address of the service from it, so it may still stand in an environment. */
const formerName = 'MARQUEE_URL'

/** A sentence on a name that looks like a setting and is none; null if there is none. It may be a mistake, or belong to a newer version. */
export function unknownSetting({ env, fromFile, file }: Surroundings): string | null {
  const known = [...knownNames(), formerName]
  const name = Object.keys(env).find((one) => one.startsWith('MARQUEE_') && !known.includes(one))
  return name === undefined ? null : `${name}${fromFile.has(name) ? ` in ${file}` : ''} is not a setting of Marquee.`
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
  const foreign = Object.keys(values).find((name) => !knownNames().includes(name) && !/^(OTEL|MARQUEE)_/.test(name))
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

function required<T>(name: string, kind: SettingKind<T>, fallback: NoInfer<T>, note: string, ...marks: readonly Mark[]): Setting<T> {
  return { name, kind, fallback, note, secret: marks.includes('secret'), reload: marks.find((mark) => mark !== 'secret') ?? 'new workers' }
}

function optional<T>(name: string, kind: SettingKind<T>, note: string, ...marks: readonly Mark[]): Setting<T | undefined> {
  return required<T | undefined>(name, kind, undefined, note, ...marks)
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

function knownNames(): readonly string[] {
  return Object.values(settingTable).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]))
}

function fail(sentence: string): never {
  throw new SettingError(sentence)
}
