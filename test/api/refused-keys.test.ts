/** Why a key was refused stands in the log, with the key's public part and its partner, and never in the answer. */
import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { test } from 'node:test'
import { openLog } from '../../src/lib/log.ts'
import { issueKey, revokeKey } from '../../src/model/partners/keys/keys.ts'
import { suspendPartner } from '../../src/model/partners/partners.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Reply, startTestService } from '../support/service.ts'

interface Line {
  status: number
  key?: string
  partner_id?: number
  reason?: string
}

onEachEngine('a refused key', (place) => {
  test('is explained in the log, and all answers are the same', async () => {
    const lines: Line[] = []
    const log = openLog('info', { counts: { written: 0, dropped: 0 }, write: (line) => void lines.push(JSON.parse(line)) })
    const service = await startTestService(place, {}, log)
    const acme = await service.partner('Acme')
    const other = await service.partner('Globex')
    const revoked = await issueKey(service.operator, acme.id)
    await revokeKey(service.operator, revoked.record.public_part)
    const expired = await issueKey(service.operator, acme.id, { expires_at: '2020-01-01T00:00:00Z' })
    await suspendPartner(service.operator, other.id)
    const foreign = `${acme.key.slice(0, 12)}${revoked.key.slice(12)}`
    const nameOf = (key: string) => key.slice(3, 11)
    // biome-ignore format: a table reads by its columns
    const cases: readonly [credentials: string | null, reason: string, key: string | undefined, partner: number | undefined][] = [
      [null,                                   'no key was sent',          undefined,              undefined],
      ['dana:secret',                          'what was sent is no key',  undefined,              undefined],
      [foreign,                                'what was sent is no key',  undefined,              undefined],
      [`${revoked.key}:${revoked.password}`,   'the key is revoked',       nameOf(revoked.key),    acme.id],
      [`${expired.key}:${expired.password}`,   'the key has expired',      nameOf(expired.key),    acme.id],
      [other.credentials,                      'the partner is suspended', nameOf(other.key),      other.id],
      [`${acme.key}:${revoked.password}`,      'the password is wrong',    nameOf(acme.key),       acme.id],
      [`${acme.key}:`,                         'the password is missing',  nameOf(acme.key),       acme.id],
    ]
    const bodies = new Set<string>()
    for (const [credentials, reason, key, partner_id] of cases) {
      lines.length = 0
      const reply: Reply = await acme.get('/api/users.xml', { credentials })
      bodies.add(reply.text)
      assert.equal(reply.status, 401, reason)
      const line = lines.find(({ status }) => status === 401)
      assert.deepEqual([line?.reason, line?.key, line?.partner_id], [reason, key, partner_id])
    }
    assert.equal(bodies.size, 1)
    await service.stop()
  })

  test('a connection serves as many requests as the client likes', async () => {
    const service = await startTestService(place)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const statuses = new Map<number | undefined, number>()
    for (let count = 0; count < 1_200; count++) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        get(`${service.url}/health/live`, { agent }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode))
        }).on('error', reject)
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    agent.destroy()
    await service.stop()
    assert.deepEqual([...statuses], [[200, 1_200]])
  })
})
