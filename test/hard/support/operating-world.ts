/** What the examples of docs/operating.md speak of, made so that they are true: the partner 3, a key, a user, a site, an anchor. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Ran {
  readonly status: number
  readonly output: string
}

export interface World {
  /** The line with real names in the place of those of the example. */
  substitute(line: string): string
  /** After a line has been run: what follows from it, and what a reader is told to do next. */
  learn(line: string): void
  /** What must be true in the end. */
  finish(): string[]
}

export function makeWorld(scratch: string, run: (line: string) => Ran): World {
  const names = new Map<string, string>()
  const json = <T>(words: string): T => {
    const { status, output } = run(`marquee ${words} --json 2>/dev/null`)
    if (status !== 0) throw new Error(`marquee ${words}: ${output}`)
    return JSON.parse(output) as T
  }
  const after: Readonly<Record<string, () => void>> = {
    'npm install -g --prefix /opt/marquee --ignore-scripts ./marquee-0.1.0.tgz': () =>
      copyFileSync(join(scratch, 'marquee-0.1.0.tgz'), join(scratch, 'marquee-0.2.0.tgz')),
    'install -m 0640 -g marquee marquee.env': () => {
      const file = '/etc/marquee/marquee.env'
      writeFileSync(file, `${readFileSync(file, 'utf8')}PORT=8080\n`)
    },
    'install -m 0644 nginx.conf': () => certify(run),
    'marquee partner create': () => {
      json('partner create --name Globex')
      json('partner create --name Initech')
      const account = json<{ account: { id: number } }>('account create --partner 3 --name Harbor').account.id
      const user = json<{ user: { id: number } }>(
        `user create --account ${account} --email dana@acme.example --login dana-acme --generate --owner`,
      )
      const business = json<{ business: { id: number } }>(`business create --account ${account} --name Pier`).business.id
      const site = json<{ site: { id: number } }>(`site create --business ${business} --domain pier.example`)
      names.set('user 9 --site 12', `user ${user.user.id} --site ${site.site.id}`)
      const review = {
        type: 'review',
        site: 'pier.example',
        page_url: 'https://maps.example/1',
        source: 'google',
        rating: 4,
        date: '2026-11-01',
        user: 'Dana K.',
        detail: 'Good.',
        header: '',
      }
      writeFileSync(join(scratch, 'reviews.ndjson'), `${JSON.stringify(review)}\n`)
      json(`import ${scratch}/reviews.ndjson --partner 3 --create-missing`)
      names.set('User:9', `User:${user.user.id}`)
    },
    // Until the new secret has taken over, the old one is current.
    'marquee secret rotate': () => run('sleep 16'),
    'marquee partner suspend 3': () => json('partner resume 3'),
    'marquee key list': () => {
      const { record } = json<{ record: { public_part: string } }>('key issue --partner 3')
      names.set('AbC12345', record.public_part)
    },
    'marquee audit export': () => {
      run('sleep 2')
      names.set('4711:6353c7…', json<{ audit: { head: string } }>('audit verify').audit.head)
    },
  }
  return {
    substitute(line) {
      const real = [...names].reduce((text, [example, name]) => text.replaceAll(example, name), line)
      const asked = /--with-secret|restore/.test(real) ? `${real} --passphrase-stdin` : real
      return asked.startsWith('npm install') || asked.includes('./marquee-') ? asked.replace('./', `${scratch}/`) : asked
    },
    learn(line) {
      const [, work] = Object.entries(after).find(([begins]) => line.startsWith(begins)) ?? []
      work?.()
    },
    finish() {
      const through = run('curl -skf --resolve api.example.com:443:127.0.0.1 https://api.example.com/health/live')
      const stranger = run('setpriv --reuid=nobody --regid=nogroup --clear-groups -- marquee partner list')
      const stopped = run('systemctl stop marquee && nginx -s quit')
      return [
        ...(through.status === 0 ? [] : [`nginx does not reach the service: ${through.output}`]),
        ...(stranger.status === 1 ? [] : [`another user was not refused: ${stranger.output}`]),
        ...(stopped.status === 0 ? [] : [`the service did not stop: ${stopped.output}`]),
      ]
    },
  }
}

/** The name stays that of the example; the certificate is our own. */
function certify(run: (line: string) => Ran): void {
  mkdirSync('/etc/ssl/marquee', { recursive: true })
  run(
    'openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=api.example.com -keyout /etc/ssl/marquee/privkey.pem -out /etc/ssl/marquee/fullchain.pem',
  )
}
