/** Reviews that wait for somebody: listed for staff over all customers, and marked as seen or answered for everybody who sees to the site. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importObservations } from '../../../src/model/imports/import.ts'
import { undoIntake } from '../../../src/model/intakes/undo.ts'
import { eraseReviewer } from '../../../src/model/people/personal-data.ts'
import { agencyOn } from '../../support/agency.ts'
import { bytesOf } from '../../support/data.ts'
import { onPageEngine } from '../../support/engines.ts'

onPageEngine('reviews that wait for somebody', (place) => {
  const { service, agency, at, send } = agencyOn(place)
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const review = (detail: string, more: object = {}) => {
    const page = { site: 'chicago.harbor.example', page_source: 'google', page_url: 'https://maps.example/chicago' }
    return { type: 'review', ...page, source: 'google', ref: detail, date: ago(3), rating: 1, user: 'Ann', detail, ...more }
  }
  const file = [
    review('Cold rooms'),
    review('Late again', { source: 'yelp', page_source: 'yelp', page_url: 'https://yelp.example/chicago', rating: 2 }),
    review('So kind', { rating: 5 }),
    review('Answered there', { answer: 'We are sorry' }),
    review('Of last year', { date: ago(300) }),
    review('Not ours', { competitor: 'rival.example' }),
    review('Other town', { site: 'evanston.harbor.example', page_url: 'https://maps.example/evanston', user: 'Bob' }),
  ]
  const store = async () => {
    const target = { partnerId: agency.world.partnerId, accountId: agency.world.accountId }
    const { intakeId, refused } = await importObservations(service.operator, target, readNdjson(bytesOf(file)), { createMissing: true })
    assert.equal(refused, 0)
    return intakeId ?? 0
  }
  let stored = 0
  before(async () => {
    stored = await store()
  })
  const listed = async (browser: Awaited<ReturnType<typeof at>>, query = '') => {
    const { text, status } = await browser.get(`/desk/reviews${query}`)
    assert.equal(status, 200)
    return file.map(({ detail }) => detail).filter((detail) => text.includes(detail))
  }
  const idOf = async (detail: string) =>
    (await service.app.store.db.selectFrom('reviews').select('id').where('detail', '=', detail).executeTakeFirstOrThrow()).id
  const mark = async (browser: Awaited<ReturnType<typeof at>>, detail: string, fields: Record<string, string>) =>
    send(browser, '/desk/reviews', { site: String(agency.world.chicago), review: String(await idOf(detail)), was: '', ...fields })

  test('are the low ones of all customers that nobody has seen, unless something else is asked', async () => {
    const ben = await at('ben-desk')
    assert.deepEqual(await listed(ben), ['Cold rooms', 'Late again', 'Other town'])
    assert.deepEqual(await listed(ben, '?source=yelp'), ['Late again'])
    assert.deepEqual(await listed(ben, '?stars=any'), ['Cold rooms', 'Late again', 'So kind', 'Other town'])
    assert.deepEqual(await listed(ben, '?stars=1&marked=any&days=365'), ['Cold rooms', 'Answered there', 'Of last year', 'Other town'])
    assert.deepEqual(await listed(ben, `?customer=${agency.home}`), [])
    assert.deepEqual(await listed(await at('mia-desk')), [], 'of customers that others look after')
  })

  test('are marked by one click, and everybody who sees to the site reads by whom, when and what', async () => {
    const [ben, dana] = [await at('ben-desk'), await at('dana-owner')]
    assert.equal((await mark(ben, 'Cold rooms', { do: 'seen', note: 'Called <b>' })).status, 303)
    assert.deepEqual(await listed(ben), ['Late again', 'Other town'])
    assert.deepEqual(await listed(ben, '?marked=unanswered'), ['Cold rooms', 'Late again', 'Other town'])
    const path = `/sites/${agency.world.chicago}/reputation`
    const { text } = await dana.get(path)
    assert.match(text, /Seen by ben-desk, /)
    assert.match(text, /Called &lt;b&gt;/)
    const was = /value="(\d{4}-[^"]+Z)"/.exec(text)?.[1] ?? ''
    const id = String(await idOf('Cold rooms'))
    const answered = await dana.post(`${path}?marked=unanswered`, {
      form_token: await dana.token(path),
      review: id,
      do: 'answered',
      note: 'Called',
      was,
    })
    assert.equal(answered.status, 303)
    assert.match(answered.headers.location ?? '', /marked=unanswered#reviews$/)
    assert.doesNotMatch((await dana.get(`${path}?marked=unanswered`)).text, /Cold rooms/)
    assert.deepEqual(await listed(ben, '?marked=unanswered'), ['Late again', 'Other town'])
  })

  test('what a colleague has noted meanwhile is not overwritten, and the page says so', async () => {
    const ben = await at('ben-desk')
    const late = await mark(ben, 'Cold rooms', { do: 'none', was: '2026-01-01T00:00:00Z' })
    assert.equal(late.status, 422)
    assert.match(late.text, /Somebody else has changed this meanwhile/)
    assert.match(
      (await mark(ben, 'Late again', { do: 'note', note: 'x'.repeat(501) })).text,
      /Note is too long \(maximum is 500 characters\)/,
    )
  })

  test('whoever may only look sees no marks, and marks nothing', async () => {
    const kim = await at('kim-one-site')
    const path = `/sites/${agency.world.chicago}/reputation`
    const { text } = await kim.get(`${path}?marked=unanswered`)
    assert.match(text, /Cold rooms/, 'the choice is not theirs')
    assert.doesNotMatch(text, /Answered by|Add a note|Noted/)
    const fields = { form_token: await kim.token('/password'), review: String(await idOf('Late again')), do: 'seen', was: '' }
    assert.equal((await kim.post(path, fields)).status, 404)
    const dana = await at('dana-owner')
    const ofRival = { form_token: await dana.token(path), review: String(await idOf('Not ours')), do: 'seen', was: '' }
    assert.equal((await dana.post(path, ofRival)).status, 404, 'a competitor answers itself')
    const ofOther = { ...ofRival, review: String(await idOf('Other town')) }
    assert.equal((await dana.post(path, ofOther)).status, 404, 'by way of another site')
  })

  test('a mark is there again when a file is taken back and stored anew, and goes with its author', async () => {
    await undoIntake(service.operator, stored)
    await store()
    const ben = await at('ben-desk')
    assert.deepEqual(await listed(ben, '?marked=unanswered'), ['Late again', 'Other town'])
    await eraseReviewer(service.operator, 'Ann')
    assert.deepEqual(await service.app.store.db.selectFrom('review_marks').select('id').execute(), [])
  })
})
