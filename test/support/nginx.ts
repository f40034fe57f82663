/** A real nginx with the deployed configuration before a service, on free ports. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './postgres.ts'
import { findProgram } from './programs.ts'

const deployed = join(import.meta.dirname, '..', '..', 'deploy', 'nginx.conf')

export interface Nginx {
  readonly securePort: number
  readonly plainPort: number
  /** The process that talks to clients. */
  readonly worker: string
  log(): string
  /** What went wrong, if it is bad enough to be told. */
  errors(): string
  stop(): Promise<void>
}

export interface NginxPrograms {
  readonly nginx: string
  readonly openssl: string
}

export function findNginx(): NginxPrograms {
  const says = 'The tests put nginx before the service. Install both (Debian: apt-get install nginx openssl).'
  return {
    nginx: findProgram({ names: ['nginx'], debian: ['nginx', 'nginx-light'], isServer: true, says }),
    openssl: findProgram({ names: ['openssl'], debian: ['openssl'], says }),
  }
}

export async function startNginx({ nginx, openssl }: NginxPrograms, serviceUrl: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-nginx-'))
  certify(openssl, folder)
  const [securePort, plainPort] = [await freePort(), await freePort()]
  const text = readFileSync(deployed, 'utf8')
    .replace('127.0.0.1:8080', new URL(serviceUrl).host)
    .replace('listen 443 ', `listen 127.0.0.1:${securePort} `)
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replaceAll('/etc/ssl/marquee', folder)
    .replaceAll('/var/log/nginx', folder)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, `${mainPart(folder)}http {\naccess_log off;\n${temporaryPaths(folder)}${text}\n}\n`)
  const child = spawn(nginx, ['-c', file, '-e', join(folder, 'error.log')], { stdio: 'ignore' })
  await untilOpen(child, securePort, () => readFileSync(join(folder, 'error.log'), 'utf8'))
  return {
    securePort,
    plainPort,
    worker: readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim(),
    log: () => readFileSync(join(folder, 'marquee.log'), 'utf8'),
    errors: () => ['marquee-error.log', 'error.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true })
    },
  }
}

/** Root's nginx would give its worker another user, who may not write in the folder of the test. */
function mainPart(folder: string): string {
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  return `${user}daemon off;\nworker_processes 1;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\n`
}

function temporaryPaths(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};\n`).join('')
}

function certify(openssl: string, folder: string): void {
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=x', ...files]
  execFileSync(openssl, args, { stdio: 'ignore' })
}

async function untilOpen(child: ChildProcess, port: number, log: () => string): Promise<void> {
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${log()}`)
    await sleep(20)
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
