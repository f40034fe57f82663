/** A site is a domain of a business, in one spelling, once in an account. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { createSite, listSites } from '../../../src/model/partners/sites.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { groundAt } from '../../support/app.ts'
import { onEachEngine } from '../../support/engines.ts'

onEachEngine('sites', (place) => {
  const at = groundAt(place)
  let accountId: number
  const business = async (name: string, account_id: number) =>
    (await createBusiness(at.operator, draftOf(newBusiness, { name, account_id }))).id
  const versionOf = async (id: number) =>
    (await at.app.store.db.selectFrom('accounts').select('report_version').where('id', '=', id).executeTakeFirstOrThrow()).report_version
  before(async () => {
    accountId = (await createPartner(at.operator, 'Acme')).account.id
  })

  test('a domain is kept in lower case and punycode', async () => {
    const site = await createSite(at.operator, await business('Books', accountId), ' Bücher.Example. ')
    assert.equal(site.domain, 'xn--bcher-kva.example')
    assert.equal(site.account_id, accountId)
  })

  test('the same domain, however spelled, is taken in the account and free in another', async () => {
    const [one, two] = [await business('One', accountId), await business('Two', accountId)]
    await createSite(at.operator, one, 'Taken.example')
    await assert.rejects(createSite(at.operator, two, 'tAKEN.example'), { code: 'validation_failed' })
    const elsewhere = (await createPartner(at.operator, 'Globex')).account.id
    assert.ok(await createSite(at.operator, await business('Three', elsewhere), 'taken.example'))
  })

  test('what is no domain is refused', async () => {
    const id = await business('Plain', accountId)
    for (const text of ['', 'localhost', 'https://acme.example', 'acme.example/path', '10.0.0.1', 'a b.example', '-.example']) {
      await assert.rejects(createSite(at.operator, id, text), { code: 'validation_failed' }, text)
    }
    await assert.rejects(createSite(at.operator, 999, 'acme.example'), { code: 'not_found' })
    assert.equal((await listSites(at.operator, undefined, { business_id: id })).items.length, 0)
  })

  test('a new site changes the version of the reports that list it', async () => {
    const before = await versionOf(accountId)
    await createSite(at.operator, await business('Fresh', accountId), 'fresh.example')
    assert.notEqual(await versionOf(accountId), before)
  })
})
