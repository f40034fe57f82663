/**
 * `npm run hard:operating`: docs/operating.md, run. Every line of its command blocks, in order, as root and as the service's user, in a mount
 * namespace with an /etc, /opt, /var and /usr/local/bin of its own, and on a loopback address of its own, so that no port is taken; nothing of this
 * machine changes. It needs root, nginx, promtool and systemd's tools.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePackage } from '../../scripts/package.ts'
import { commandLines, type Expectation, expectations } from './support/operating-lines.ts'
import { makeWorld, type World } from './support/operating-world.ts'

const root = join(import.meta.dirname, '..', '..')
const tools = [
  'unshare',
  'nsenter',
  'ip',
  'mount',
  'setpriv',
  'nginx',
  'promtool',
  'openssl',
  'curl',
  'npm',
  'systemd-analyze',
  'systemd-sysusers',
  'systemd-tmpfiles',
]

process.exitCode = process.env.OPERATING_INSIDE === undefined ? outside() : inside()

/** Starts itself again where mounts are nobody else's. */
function outside(): number {
  const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0)
  if (missing.length > 0 || process.getuid?.() !== 0) {
    console.error(
      `This needs root and ${missing.join(', ') || 'nothing else'}: apt-get install nginx prometheus systemd util-linux iproute2 openssl curl`,
    )
    return 2
  }
  const scratch = mkdtempSync(join(tmpdir(), 'marquee-operating-'))
  try {
    makePackage(scratch)
    const args = ['-m', '--propagation', 'private', process.execPath, import.meta.filename]
    return spawnSync('unshare', args, { stdio: 'inherit', env: { ...process.env, OPERATING_INSIDE: scratch } }).status ?? 1
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function inside(): number {
  const scratch = process.env.OPERATING_INSIDE ?? ''
  newRoot(scratch)
  let cwd = scratch
  const world: World = makeWorld(scratch, (line) => run(line, cwd))
  const faults: string[] = []
  let count = 0
  try {
    for (const line of commandLines(readFileSync(join(root, 'docs/operating.md'), 'utf8'))) {
      const expectation = expectations.find(({ begins }) => line.startsWith(begins)) ?? {}
      if ('skip' in expectation) {
        console.log(`-  ${line}   (${expectation.skip})`)
        continue
      }
      count += 1
      const result = tryLine(world.substitute(line), expectation, cwd, faults)
      cwd = result.cwd
      world.learn(line)
    }
  } finally {
    faults.push(...world.finish())
  }
  for (const fault of faults) console.error(`FAULT ${fault}`)
  console.log(JSON.stringify({ goal: 'operating', passed: faults.length === 0, lines: count, faults: faults.length }))
  return faults.length === 0 ? 0 : 1
}

function tryLine(line: string, { prints, code = 0, input, asService }: Expectation, cwd: string, faults: string[]) {
  const result = run(line, cwd, input)
  const judge = ({ status, output }: { status: number; output: string }, who: string) => {
    console.log(`${status === code ? 'ok' : 'NO'} ${line}${who === 'root' ? '' : `   (as ${who})`}`)
    if (status !== code) faults.push(`${line} ended with ${status} for ${who}:\n${output}`)
    if (prints !== undefined && !prints.test(output)) faults.push(`${line} printed for ${who}, and not ${prints}:\n${output}`)
  }
  judge(result, 'root')
  if (asService) judge(run(`setpriv --reuid=marquee --regid=marquee --init-groups -- ${line}`, cwd, input), 'marquee')
  return result
}

/** In a shell, as an operator types it; what it leaves as the current folder is kept. Only npm sees the network of this machine. */
function run(line: string, cwd: string, input = '') {
  const scratch = process.env.OPERATING_INSIDE ?? ''
  const place = join(scratch, 'cwd')
  const shell = ['bash', '-c', `${line}\ncode=$?; pwd > ${place}; exit $code`]
  const [command = '', ...args] = line.startsWith('npm ') ? shell : ['nsenter', `--net=${join(scratch, 'net')}`, '--', ...shell]
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    input,
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
  })
  return { status: status ?? 1, output: `${stdout}${stderr}`, cwd: readFileSync(place, 'utf8').trim() }
}

function newRoot(scratch: string): void {
  const sh = (script: string) => {
    const { status, stderr } = spawnSync('bash', ['-ec', script], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  cpSync('/etc', join(scratch, 'etc'), { recursive: true, verbatimSymlinks: true })
  sh(
    `for place in /etc /opt /var /usr/local/bin; do mount -t tmpfs -o mode=755 none $place; done; cp -a ${scratch}/etc/. /etc/; chmod 755 ${scratch}`,
  )
  sh('rm -rf /etc/marquee /etc/systemd/system/marquee* /etc/sysusers.d /etc/tmpfiles.d; mkdir -p /etc/systemd/system /etc/nginx/conf.d')
  sh(
    'sed -i /^marquee:/d /etc/passwd /etc/group /etc/shadow /etc/gshadow; mkdir -p /var/lib/nginx /var/log/nginx /var/lib/systemd /var/tmp /var/cache',
  )
  sh(`touch ${scratch}/net; unshare --net=${scratch}/net ip link set lo up`)
  mkdirSync('/var/backups', { recursive: true })
  writeFileSync('/usr/local/bin/systemctl', readFileSync(join(import.meta.dirname, 'support/systemctl.sh')), { mode: 0o755 })
}
