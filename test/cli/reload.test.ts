/** SIGHUP without workers, and while a service starts: it never ends the process, and each reload is told by one line. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareEnvironment } from '../support/child-node.ts'
import { marquee } from '../support/command.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { type Reloadable, reloadable, statusesWhile } from '../support/reloading.ts'
import { basic } from '../support/service.ts'

const bin = join(import.meta.dirname, '..', '..', 'bin', 'marquee.js')

describe('SIGHUP without workers', () => {
  let place: Place
  let service: Reloadable
  let authorization: string
  before(async () => {
    place = await freshPlace('sqlite')
    await marquee(place, 'partner create --name Acme')
    const issued = await marquee(place, 'key issue --partner 1 --scope provision,ingest --json')
    const { key, password } = issued.json<{ key: string; password: string }>()
    authorization = basic(`${key}:${password}`)
    service = await reloadable(place, 'serve')
  })
  after(async () => {
    await service?.stop()
    await place?.remove()
  })

  const statusOf = async (path: string, body?: string) => {
    const headers = { authorization, 'content-type': 'text/csv' }
    return (await fetch(`${service.url}${path}`, { headers, ...(body !== undefined && { method: 'POST', body }) })).status
  }

  test('applies what a running process can apply, and says what only a restart changes', async () => {
    const created = await fetch(`${service.url}/api/businesses.json`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ business: { name: 'Pier' } }),
    })
    const { business } = (await created.json()) as { business: { id: number } }
    const deactivation = `/api/businesses/${business.id}/deactivate.json`
    assert.deepEqual([await statusOf('/.well-known/security.txt'), await statusOf(deactivation)], [404, 200])
    service.change({
      LOG_LEVEL: 'info',
      MARQUEE_GET_ACTIONS: 'off',
      MARQUEE_SECURITY_CONTACT: 'mailto:security@marquee.test',
      MARQUEE_MAX_UPLOAD: '10',
      TIME_ZONE: 'Europe/Berlin',
      MARQUEE_WORKERS: '2',
    })
    const changed = 'LOG_LEVEL, MARQUEE_GET_ACTIONS, MARQUEE_SECURITY_CONTACT, MARQUEE_MAX_UPLOAD'
    assert.equal(
      await service.reload(),
      `The settings were reloaded. Changed: ${changed}. Only a restart changes: MARQUEE_WORKERS, TIME_ZONE.`,
    )
    assert.equal(await statusOf('/.well-known/security.txt'), 200)
    assert.notEqual(await statusOf(deactivation), 200)
    assert.equal(await statusOf('/api/intakes.json', 'x'.repeat(1_000)), 413)
    await service.prints('"status":413')
  })

  test('keeps everything as it is where a setting is bad, and the next one works', async () => {
    const before = service.outcomes().length
    const statuses = await statusesWhile(
      async () => {
        for (const [bad, told] of [
          [{ TIME_ZONE: 'Mars/Olympus' }, /^The settings were not reloaded: TIME_ZONE must be/],
          ['this is no line', /must read NAME=value/],
          [null, /cannot be read/],
        ] as const) {
          service.change(bad)
          assert.match(await service.reload(), told)
        }
        service.change({})
        assert.match(await service.reload(), /^The settings were reloaded\. Changed: LOG_LEVEL/)
        assert.equal(await service.reload(), 'The settings were reloaded. Nothing has changed.')
      },
      service.url,
      '/api/accounts.json',
      authorization,
    )
    assert.deepEqual([...new Set(statuses)], [200])
    assert.equal(service.outcomes().length, before + 5)
  })

  for (const words of ['serve', 'serve --workers 2'])
    test(`does not end ${words} while it starts, and is answered then`, async () => {
      const child = spawn(process.execPath, [bin, ...words.split(' ')], {
        env: { ...bareEnvironment(), ...place.env, PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'error' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let printed = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        printed += chunk
      })
      while (!hearsHangUps(child.pid as number)) await sleep(1)
      while (!printed.includes('listens on') && child.exitCode === null && child.signalCode === null) {
        child.kill('SIGHUP')
        await sleep(5)
      }
      while (!printed.includes('The settings were reloaded') && child.exitCode === null && child.signalCode === null) await sleep(5)
      child.kill('SIGTERM')
      const [code, signal] = await once(child, 'close')
      assert.deepEqual([code, signal], [0, null])
    })
})

/** Whether this process has become the service and has said that it hears SIGHUP: until then there is only Node, which ends by it. */
function hearsHangUps(pid: number): boolean {
  const hasBegun = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--max-semi-space-size')
  const [, caught] = /^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return hasBegun && (BigInt(`0x${caught}`) & 1n) === 1n
}
