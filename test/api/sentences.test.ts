/** Refusals help: they say what came, what would be right, and where. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { issueKey, keyScopes } from '../../src/model/partners/keys/keys.ts'
import { onEngine } from '../support/engines.ts'
import { refusal } from '../support/refusals.ts'
import { serviceOn } from '../support/service.ts'

onEngine('sqlite', 'a refusal', (place) => {
  const house = serviceOn(place)
  let credentials: string
  let siteId: number
  let accountId: number

  before(async () => {
    const acme = await house.partner('Acme')
    const all = await issueKey(house.operator, acme.id, { scopes: keyScopes })
    credentials = `${all.key}:${all.password}`
    accountId = acme.accountId
    const { business } = (await acme.post('/api/businesses.json?external_id=crm-7', { name: 'Bob' })).json() as { business: { id: number } }
    const created = await acme.post('/api/sites.json', { business_id: business.id, domain: 'acme.example' })
    siteId = (created.json() as { site: { id: number } }).site.id
  })

  const says = async (status: number, path: string, body: unknown, sentence: string) => {
    const reply = await house.stranger.post(`/api/${path}`, body as object, { credentials })
    assert.deepEqual(
      refusal(reply, status).map(({ message }) => message),
      [sentence],
    )
  }

  test('is answered for security.txt where nobody named a contact', async () => {
    const { status, text } = await house.stranger.get('/.well-known/security.txt')
    assert.equal(status, 404, text)
  })

  test('names the own id as the request does', async () => {
    await says(422, 'businesses.json?external_id=crm-7', { name: 'Bob' }, 'external_id has already been taken')
  })

  test('tells which words and numbers may stand there', async () => {
    const schedules = `accounts/${accountId}/schedules.json`
    await says(422, schedules, { rhythm: 'daily', recipients: 'a@b.example' }, 'Rhythm is not included in the list: weekly, monthly')
    const issued = keyScopes.filter((scope) => scope !== 'keys' && scope !== 'staff').join(', ')
    await says(422, 'keys.json', { scopes: 'report keys' }, `Scopes is not included in the list: ${issued}`)
    await says(422, 'keys.json', { scopes: 'report', days: 0 }, 'Days must be from 1 to 3650')
  })

  test('tells what a value must look like, in a list too', async () => {
    await says(422, 'sites.json', { business_id: 1, domain: 'nonsense' }, 'Domain must be a domain such as example.com')
    const note = { site_id: siteId, day: '2026-11-31', text: 'x' }
    await says(422, 'annotations.json', note, 'Day must be a date such as 2026-11-14')
    const rivals = { competitors: [{ domain: 'good.example' }, { domain: 'bad domain' }] }
    const second = 'Competitors (entry 2, domain) must be a domain such as example.com'
    await says(422, `sites/${siteId}/competitors.json`, rivals, second)
    const mails = { rhythm: 'weekly', recipients: 'a@b.example, nonsense' }
    await says(422, `accounts/${accountId}/schedules.json`, mails, 'Recipients must be email addresses, separated by commas')
    const bare = 'The body must be an object that holds a list under "keywords"'
    await says(400, `sites/${siteId}/keywords.json`, [{ phrase: 'plumber' }], bare)
  })

  test('names the type and the coding that came, and those that are taken', async () => {
    const records = 'application/json, application/x-ndjson or text/csv'
    const files = 'application/json, application/x-ndjson, text/csv, application/xml, application/zip or a workbook (.xlsx)'
    const bodies = 'application/xml, application/json, application/x-www-form-urlencoded or multipart/form-data'
    for (const [path, type, headers, sentence] of [
      ['users', 'image/png', {}, `The body is image/png; this address takes ${bodies}`],
      ['observations', 'text/plain; charset=utf-8', {}, `The body is text/plain; this address takes ${records}`],
      ['intakes', 'image/png', {}, `The body is image/png; this address takes ${files}`],
      ['users', 'application/json', { 'content-encoding': 'br' }, 'The body is compressed with br; this address takes bodies as they are'],
      ['observations', 'text/csv', { 'content-encoding': 'br' }, 'The body is compressed with br; this address takes gzip, or none'],
    ] as const) {
      const reply = await house.stranger.ask('POST', `/api/${path}.json`, { body: '[]', type, headers, credentials })
      assert.equal(refusal(reply, 415)[0]?.message, sentence)
    }
  })
})
