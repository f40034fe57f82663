/** Brands over the API: a partner sets its own and those of its accounts, never a host, and nobody else's. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Marquee, NotFoundError, PermissionError } from '../../src/client/client.ts'
import { setBrand } from '../../src/model/partners/brand-changes.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { onEachEngine } from '../support/engines.ts'
import { refusedInBoth } from '../support/refusals.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

onEachEngine('brands over the API', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner
  let harbor: number

  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
    harbor = (await acme.client.createAccount({ name: 'Harbor' })).id
  })

  const entries = async () =>
    (await house.app.store.db.selectFrom('audit_entries').select('action').where('action', 'like', '%.brand').execute()).length
  const pictures = async () => (await house.app.store.db.selectFrom('brand_pictures').select('id').execute()).length
  const put = (body: object, status: number, codes: string[]) =>
    refusedInBoth(acme, 'PUT', '/api/brand', status, codes, { body: JSON.stringify(body), type: 'application/json' })

  test('begin as the service’s own, and keep what is not given', async () => {
    const own = { sender_name: 'Marquee', support: null, accent: null, host_name: null, logo: null, dark_logo: null, favicon: null }
    assert.deepEqual(await acme.client.showBrand(), { name: 'Marquee', ...own })
    await acme.client.changeBrand({ name: ' Acme Reports ', accent: '#0A7D5B' })
    const changed = await acme.client.changeBrand({ support: 'https://acme.example/help' })
    assert.deepEqual([changed.name, changed.sender_name, changed.accent], ['Acme Reports', 'Acme Reports', '#0a7d5b'])
    assert.deepEqual(await acme.client.changeBrand({ support: 'https://acme.example/help' }), changed)
    assert.equal(await entries(), 2, 'a repetition records nothing')
    assert.equal((await acme.client.changeBrand({ accent: '' })).accent, null)
    assert.equal((await globex.client.showBrand()).name, 'Marquee')
  })

  test('carry pictures, which are seen at the address of the answer and are gone when replaced', async () => {
    const { logo } = await acme.client.changeBrand({ logo: png.toString('base64') })
    const seen = await house.stranger.get(new URL(logo ?? '').pathname)
    assert.deepEqual([seen.status, seen.headers['content-type']], [200, 'image/png'])
    const again = await acme.client.changeBrand({ logo: png.toString('base64') })
    assert.notEqual(again.logo, logo)
    assert.deepEqual([(await house.stranger.get(new URL(logo ?? '').pathname)).status, await pictures()], [404, 1])
    assert.deepEqual([(await acme.client.changeBrand({ logo: '' })).logo, await pictures()], [null, 0])
  })

  test('of an account stand over that of the partner, and give way field by field', async () => {
    const own = await acme.client.changeAccountBrand(harbor, { name: 'Harbor', accent: '#123456', logo: png.toString('base64') })
    assert.deepEqual([own.name, own.accent, own.support], ['Harbor', '#123456', 'https://acme.example/help'])
    assert.equal((await acme.client.showBrand()).name, 'Acme Reports')
    const back = await acme.client.changeAccountBrand(harbor, { name: '', accent: '', logo: '' })
    assert.deepEqual(back, await acme.client.showBrand())
    assert.deepEqual([await house.app.store.db.selectFrom('account_brands').selectAll().execute(), await pictures()], [[], 0])
  })

  test('keep the host that the operator gave, and take none', async () => {
    await setBrand(house.operator, acme.id, { hostName: 'reports.acme.example' })
    const changed = await acme.client.changeBrand({ name: 'Acme', host_name: 'evil.example' } as { name: string })
    assert.equal(changed.host_name, 'reports.acme.example')
    await setBrand(house.operator, acme.id, { hostName: null })
  })

  test('refuse what cannot be shown', async () => {
    await put({ accent: 'red' }, 422, ['accent invalid'])
    await put({ support: 'javascript:alert(1)', name: 'two\nlines' }, 422, ['name not_one_line', 'support invalid'])
    await put({ name: 'x'.repeat(101), logo: 'no base64' }, 422, ['name too_long', 'logo invalid'])
    await put({ logo: Buffer.from('<svg/>').toString('base64') }, 400, ['bad_request'])
    await put({ logo: 'A'.repeat(2_000_000) }, 413, ['too_large'])
  })

  test('are those of others for nobody', async () => {
    await assert.rejects(globex.client.showAccountBrand(harbor), NotFoundError)
    await assert.rejects(globex.client.changeAccountBrand(harbor, { name: 'Mine' }), NotFoundError)
    const limited = async (account_ids: string, scopes: 'provision' | 'report' = 'provision') => {
      const { key, password } = await issueKey(house.operator, acme.id, { scopes: [scopes], account_ids })
      return new Marquee({ url: house.url, key, password })
    }
    const one = await limited(String(harbor))
    await assert.rejects(one.showBrand(), PermissionError)
    await assert.rejects(one.changeBrand({ name: 'All' }), PermissionError)
    assert.equal((await one.changeAccountBrand(harbor, { name: 'Harbor' })).name, 'Harbor')
    await assert.rejects(one.changeAccountBrand(acme.accountId, { name: 'Not mine' }), NotFoundError)
    await assert.rejects((await limited(String(harbor), 'report')).changeAccountBrand(harbor, { name: 'No' }), PermissionError)
  })
})
