/** Brands of partners and accounts: what they may say, whose stands over whose, and what is left when they are taken off. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Failure } from '../../../src/lib/failures.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import {
  type BrandWishes,
  removeAccountBrand,
  removeBrand,
  setAccountBrand,
  setBrand,
  showBrand,
} from '../../../src/model/partners/brand-changes.ts'
import { brandOfAccount, brandOfHost, findPicture } from '../../../src/model/partners/brands.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { groundAt } from '../../support/app.ts'
import { onEachEngine } from '../../support/engines.ts'

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const ico = Buffer.from([0, 0, 1, 0, 1])

onEachEngine('brands', (place) => {
  const at = groundAt(place)
  let partnerId: number
  let accountId: number
  before(async () => {
    partnerId = (await createPartner(at.operator, 'Acme')).partner.id
    accountId = (await createAccount(at.operator, partnerId, 'Harbor')).id
  })

  test('what cannot be shown is refused in a sentence that says what is wanted, and nothing changes', async () => {
    const wrong: [BrandWishes, RegExp][] = [
      [{ logo: svg }, /^The logo is a PNG, JPEG or WebP of at most 200 KB$/],
      [{ logo: ico }, /^The logo is a PNG, JPEG or WebP/],
      [{ darkLogo: Buffer.concat([png, Buffer.alloc(200 * 1024)]) }, /^The dark logo is .* at most 200 KB$/],
      [{ favicon: svg }, /PNG, JPEG, WebP or ICO/],
      [{ accent: 'red' }, /such as #0a7d5b/],
      [{ hostName: 'not a host' }, /such as reports\.acme\.example/],
      [{ hostName: '10.0.0.1' }, /no IP address/],
      [{ hostName: 'acme.localhost' }, /its own machine/],
      [{ support: 'javascript:alert(1)' }, /help@acme\.example/],
      [{ support: 'a@b.example\nBcc: c@d.example' }, /help@acme\.example/],
      [{ name: ' ' }, /^The name is one line of 1 to 100 characters$/],
      [{ senderName: 'two\nlines' }, /^The sender name is one line/],
    ]
    for (const [wishes, sentence] of wrong) {
      const refused = (error: unknown) =>
        error instanceof Failure && error.code === 'bad_request' && sentence.test(error.details.sentence ?? '')
      await assert.rejects(async () => setBrand(at.operator, partnerId, wishes), refused, JSON.stringify(wishes).slice(0, 60))
    }
    assert.equal(await showBrand(at.operator, partnerId), undefined)
  })

  test("an account's fields stand over its partner's; its logo brings its own dark one, or none", async () => {
    await setBrand(at.operator, partnerId, { hostName: 'Reports.Acme.example', accent: '#0A7D5B', logo: png, darkLogo: png, favicon: ico })
    const partner = await brandOfHost(at.operator.app, 'reports.acme.example')
    assert.deepEqual([partner?.name, partner?.sender_name, partner?.accent], ['Acme', 'Acme', '#0a7d5b'])
    const own = await setAccountBrand(at.operator, accountId, { name: 'Harbor', logo: png })
    assert.deepEqual([own?.name, own?.sender_name, own?.accent, own?.host_name], ['Harbor', 'Harbor', '#0a7d5b', 'reports.acme.example'])
    assert.deepEqual([own?.dark_logo_id, own?.favicon_id], [null, null])
    assert.notEqual(own?.logo_id, partner?.logo_id)
    const picture = await findPicture(at.operator.app, own?.logo_id ?? '')
    assert.deepEqual([picture.type, Buffer.from(picture.bytes)], ['image/png', png])
    const other = (await createPartner(at.operator, 'Globex')).partner.id
    await assert.rejects(setBrand(at.operator, other, { hostName: 'reports.acme.example' }), { code: 'conflict' })
  })

  test('taken off, it gives way to what is below, and its pictures are gone', async () => {
    const before = await brandOfAccount(at.operator.app, accountId)
    assert.equal((await removeAccountBrand(at.operator, accountId))?.name, 'Acme')
    await assert.rejects(findPicture(at.operator.app, before?.logo_id ?? ''), { code: 'not_found' })
    assert.equal(await removeBrand(at.operator, partnerId), undefined)
    assert.equal(await brandOfHost(at.operator.app, 'reports.acme.example'), undefined)
    const { db } = at.operator.app.store
    for (const table of ['brands', 'account_brands', 'brand_pictures'] as const)
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
    for (const act of [setBrand, removeBrand, showBrand])
      await assert.rejects(async () => act(at.operator, 987_654, { name: 'Nobody' }), { code: 'not_found' })
  })
})
