/** The brand at the desk: an admin looks at it before it is saved, and it changes nobody else's. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setBrand } from '../../../src/model/partners/brand-changes.ts'
import { brandOfPartner } from '../../../src/model/partners/brands.ts'
import { agencyOn } from '../../support/agency.ts'
import { testBrowser } from '../../support/browser.ts'
import { onEngine, onPageEngine } from '../../support/engines.ts'
import type { PlainBrowser } from '../../support/plain-browser.ts'

const path = '/desk/brand'
const wasIn = (text: string) => /name="was" value="([\w-]{22})"/.exec(text)?.[1] ?? ''

onPageEngine('the brand at the desk', (place) => {
  const { service, agency, at, send } = agencyOn(place)
  let ada: PlainBrowser
  before(async () => {
    ada = await at('ada-desk')
  })
  const own = () => brandOfPartner(service.app, agency.world.partnerId)
  const form = { name: 'Quay Reports', sender_name: '', support: 'help@quay.example', accent: '#FFE066' }
  const audited = async () =>
    (await service.app.store.db.selectFrom('audit_entries').select('actor').where('action', '=', 'partner.brand').execute()).map(
      ({ actor }) => actor,
    )

  test('is looked at with what was typed, and nothing is saved by that', async () => {
    const { status, headers } = await send(ada, path, { ...form, do: 'look' })
    assert.equal(status, 303)
    const { text } = await ada.get(headers.location ?? '')
    assert.match(text, /Nothing is saved yet/)
    assert.match(text, /value="Quay Reports"/)
    assert.match(text, /too pale to be read, so links and lines are darker there: #[0-9a-f]{6}/)
    assert.match(text, /very colour, with black text on it: a contrast of \d+\.\d to 1/)
    const [, source = ''] = /<iframe src="([^"]*preview\/page[^"]*theme=dark[^"]*)"/.exec(text) ?? []
    const preview = await ada.get(source.replaceAll('&amp;', '&'))
    assert.match(preview.text, /data-theme="dark"/)
    assert.match(preview.text, /Quay Reports/)
    assert.match(preview.text, /accent-ffe066\.css/)
    assert.match(preview.headers['content-security-policy'] as string, /frame-ancestors 'self'$/)
    assert.equal(await own(), undefined)
  })

  test('is saved, told, recorded with who did it, and has effect at once', async () => {
    assert.equal(
      (await send(ada, path, { ...form, do: 'save', was: wasIn((await ada.get(path)).text) })).headers.location,
      `${path}?done=saved`,
    )
    assert.match((await ada.get(`${path}?done=saved`)).text, /The brand is saved/)
    assert.deepEqual([(await own())?.name, (await own())?.accent], ['Quay Reports', '#ffe066'])
    assert.deepEqual(await audited(), [`user:${agency.staff.ada}`])
    assert.match((await ada.get('/desk')).text, /<title>[^<]* · Quay Reports<\/title>/)
    const mail = await ada.get(`${path}/preview/mail`)
    assert.match(mail.text, /background:#ffe066;color:#0c1114/)
    assert.match(mail.text, /help@quay\.example/)
  })

  test('keeps what was typed where something is wrong, and says it beside the field', async () => {
    const wrong = await send(ada, path, { name: 'Quay', sender_name: '', support: 'nowhere', accent: 'pale blue', do: 'save' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /id="accent-wrong"[^>]*>A colour is written as # and six digits/)
    assert.match(wrong.text, /id="support-wrong"[^>]*>This is neither/)
    assert.match(wrong.text, /value="pale blue"/)
    assert.equal((await own())?.name, 'Quay Reports')
  })

  test('is not overwritten where somebody changed it meanwhile', async () => {
    const was = wasIn((await ada.get(path)).text)
    await setBrand(service.operator, agency.world.partnerId, { accent: '#123456' })
    const late = await send(ada, path, { ...form, name: 'Late', do: 'save', was })
    assert.equal(late.status, 422)
    assert.match(late.text, /changed this meanwhile/)
    assert.match(late.text, /value="Late"/)
    assert.deepEqual([(await own())?.name, (await own())?.accent], ['Quay Reports', '#123456'])
  })

  test('is there for admins alone, and there is one of another partner for nobody', async () => {
    const ben = await at('ben-desk')
    assert.doesNotMatch((await ben.get('/desk')).text, /href="\/desk\/brand"/)
    assert.match((await ada.get('/desk')).text, /href="\/desk\/brand"/)
    for (const one of [path, `${path}/preview/login`]) assert.equal((await ben.get(one)).status, 404, one)
    assert.equal((await send(ben, path, { ...form, do: 'save' }, '/desk')).status, 404)
    assert.equal((await ada.get(`${path}/preview/other`)).status, 404)
    const others = await service.app.store.db.selectFrom('brands').select('partner_id').execute()
    assert.deepEqual(others, [{ partner_id: agency.world.partnerId }])
  })
})

onEngine('sqlite', 'the brand at the desk, in a browser', (place) => {
  const { service } = agencyOn(place)
  const browser = testBrowser()

  for (const hasScript of [true, false])
    test(`shows its previews in frames ${hasScript ? 'with' : 'without'} script`, async () => {
      const { page, mishaps, close } = await browser.enter(service.url, 'ada-desk', { hasScript })
      await page.goto(`${service.url}${path}`)
      await page.getByLabel('Name', { exact: true }).fill('Quay')
      await page.getByLabel('Colour').fill('#7a1f5c')
      if (hasScript) await page.getByText('Nothing is saved yet').waitFor()
      else await page.getByRole('button', { name: 'Look at it first' }).click()
      for (const view of ['login', 'page', 'mail']) {
        const frame = page.frameLocator(`iframe[src*="preview/${view}"]`).first()
        await page.locator(`iframe[src*="preview/${view}"]`).first().scrollIntoViewIfNeeded()
        await frame.getByText('Quay').first().waitFor()
      }
      const login = page.frames().find((frame) => /preview\/login.*light/.test(frame.url()))
      const colour = await login?.evaluate("getComputedStyle(document.querySelector('.button')).backgroundColor")
      assert.equal(colour, 'rgb(122, 31, 92)')
      assert.deepEqual(mishaps, [])
      await close()
    })
})
