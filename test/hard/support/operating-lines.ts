/** The command lines of docs/operating.md, and what each promises. */

export interface Expectation {
  /** What it must print. */
  readonly prints?: RegExp
  readonly code?: number
  readonly input?: string
  /** Run again as the service's user. */
  readonly asService?: true
}

interface Row extends Expectation {
  readonly begins: string
}

interface Skipped {
  readonly begins: string
  /** Why it is not run. */
  readonly skip: string
}

/** The lines of all indented blocks, without their comments. */
export function commandLines(markdown: string): string[] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('    ') && !line.startsWith('     '))
  return lines
    .map((line) =>
      line
        .trim()
        .replace(/\s{2,}#.*$/, '')
        .replace(/\s# .*$/, ''),
    )
    .filter((line) => line !== '' && !line.startsWith('#'))
}

const setting = 'a line of the settings file, which deploy/marquee.env holds'
const elsewhere = 'npm run hard -- postgres-backup runs it'

// biome-ignore format: a table reads by its columns
export const expectations: readonly (Row | Skipped)[] = [
  { begins: 'DATA_DIR=',                          skip: setting },
  { begins: 'BASE_URL=',                          skip: setting },
  { begins: 'MARQUEE_TRUSTED_PROXIES=',           skip: setting },
  { begins: 'MARQUEE_WORKERS=',                   skip: setting },
  { begins: 'docker ',                            skip: 'there is no Docker here' },
  { begins: 'LogFormat ',                         skip: 'a line of Apache' },
  { begins: 'podman ',                            skip: 'nor Podman' },
  { begins: 'DATABASE_URL=',                      skip: setting },
  { begins: 'MARQUEE_SECRET_FILE=',               skip: setting },
  { begins: 'su postgres ',                       skip: elsewhere },
  { begins: 'marquee --version',                  prints: /^\d+\.\d+\.\d+$/m },
  { begins: 'marquee migrate --init',             prints: /The database is ready\. Start the service\./ },
  { begins: 'marquee partner create',             prints: /key: mq_\w{8}_/ },
  { begins: 'marquee doctor',                     prints: /All is well\./, asService: true },
  { begins: 'curl -sf http://127.0.0.1:9464/health/ready', prints: /ok|ready/i },
  { begins: 'marquee partner set 3',              prints: /writes_per_minute: 60/ },
  { begins: 'marquee partner suspend 3',          prints: /state: suspended/ },
  { begins: 'marquee backup --to',                prints: /The server secret is not in it/, asService: true },
  { begins: 'marquee backup /var/backups',        prints: /The server secret is in it, under the passphrase/, input: 'correct horse battery\n' },
  { begins: 'marquee restore --check',            prints: /ok: true/, input: 'correct horse battery\n' },
  { begins: 'marquee restore /var',               prints: /The database is as it was on /, input: 'correct horse battery\n' },
  { begins: 'marquee migrate --plan',             prints: /The schema is current/, asService: true },
  { begins: 'marquee migrate',                    prints: /The schema was current\./ },
  { begins: 'marquee key list',                   prints: /public_part/, asService: true },
  { begins: 'marquee key rotate',                 prints: /key: mq_/ },
  { begins: 'marquee key revoke',                 prints: /revoked_at: 2/ },
  { begins: 'marquee why key',                    prints: /It was revoked at .* by operator\./, code: 1, asService: true },
  { begins: 'marquee why user',                   prints: /User \d+ (has|owns)/, asService: true },
  { begins: 'marquee secret rotate',              prints: /The server secret 2 takes over at / },
  { begins: 'marquee secret list',                prints: /announced|current/, asService: true },
  { begins: 'marquee secret retire',              prints: /They would be refused/, code: 1 },
  { begins: 'marquee audit list',                 prints: /partner\.create/, asService: true },
  { begins: 'marquee audit verify',               prints: /Every entry is as it was sealed\./ },
  { begins: 'marquee subject erase --reviewer',   prints: /reviews: 1/ },
  { begins: 'marquee subject erase --since',      prints: /erasures since then stand in .*erasures\.ndjson/ },
  { begins: 'marquee subject export',             prints: /dana@acme\.example/ },
]
