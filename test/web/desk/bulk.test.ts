/** Many customers changed alike from the list: what becomes of each is shown, only that is done, and nothing of anybody else's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'
import type { PlainBrowser } from '../../support/plain-browser.ts'

onPageEngine('customers changed alike', (place) => {
  const { service, agency, at, send } = agencyOn(place)
  const db = () => service.app.store.db
  const made: number[] = []
  const add = async (browser: PlainBrowser, name: string, more: Record<string, string> = {}) => {
    const { headers } = await send(browser, '/desk/add', { name, domain: `${name.toLowerCase()}.example`, ...more })
    const id = Number(/\/desk\/customers\/(\d+)/.exec(headers.location ?? '')?.[1])
    made.push(id)
    return id
  }
  const asked = (query: Record<string, string>, ids: readonly number[]) =>
    `/desk/bulk?${new URLSearchParams([...Object.entries(query), ...ids.map((id): [string, string] => ['customer', String(id)])])}`
  const told = (text: string) =>
    [...text.matchAll(/<th scope="row">(.*?)<\/th><td class="wrap" data-l="What happens">(.*?)<\/td>/g)].map(
      ([, name, what]) => `${name}: ${what}`,
    )
  /** Sends the form of a page as a browser does. */
  const confirm = async (browser: PlainBrowser, path: string) => {
    const { text } = await browser.get(path)
    const form = /<form method="post" action="\/desk\/bulk".*?<\/form>/s.exec(text)?.[0] ?? ''
    const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']): [string, string] => [name, value])
    return browser.submit('/desk/bulk', fields)
  }
  const row = (id: number) => db().selectFrom('accounts').select(['tags', 'looked_after_by']).where('id', '=', id).executeTakeFirstOrThrow()

  test('a tag is given to those who are chosen, and taken away again', async () => {
    const browser = await at('ben-desk')
    const [ash, elm, oak] = [
      await add(browser, 'Ash', { tags: 'old' }),
      await add(browser, 'Elm'),
      await add(browser, 'Oak', { tags: 'north' }),
    ]
    const list = (await browser.get('/desk')).text
    const box = (more: string) => new RegExp(`<label><input type="checkbox" name="customer" value="${ash}"${more}><a [^>]*>Ash</a></label>`)
    assert.match(list, box(''))
    assert.match((await browser.get('/desk?choose=shown')).text, box(' checked'))
    const ask = await browser.get(asked({ do: 'tag' }, [ash, elm, oak]))
    assert.match(ask.text, /Give customers a tag/)
    assert.doesNotMatch(ask.text, /What happens/)
    const path = asked({ do: 'tag', tag: 'north' }, [oak, ash, elm])
    assert.deepEqual(told((await browser.get(path)).text), [
      'Ash: will have the tags old, north',
      'Elm: will have the tags north',
      'Oak: has it already',
    ])
    assert.equal((await row(ash)).tags, 'old', 'a look changes nothing')
    const { status, headers } = await confirm(browser, path)
    assert.deepEqual([status, headers.location], [303, '/desk?changed=2'])
    assert.match((await browser.get('/desk?changed=2')).text, /2 customers are changed\./)
    assert.deepEqual([(await row(ash)).tags, (await row(elm)).tags, (await row(oak)).tags], ['old, north', 'north', 'north'])
    assert.match((await browser.get(path)).text, /Nothing would change/)
    await confirm(browser, asked({ do: 'untag', tag: 'north' }, [ash, oak]))
    assert.deepEqual([(await row(ash)).tags, (await row(elm)).tags, (await row(oak)).tags], ['old', 'north', null])
    assert.match((await browser.get(asked({ do: 'tag', tag: 'a, b' }, [ash]))).text, /A tag is one line without commas/)
    const entries = db().selectFrom('audit_entries').select('actor').where('action', '=', 'account.change').where('account_id', 'in', made)
    assert.deepEqual(
      (await entries.execute()).map(({ actor }) => actor),
      Array(4).fill(`user:${agency.staff.ben}`),
    )
  })

  test('they are assigned, and what somebody has changed meanwhile is not overwritten', async () => {
    const [browser, ada] = [await at('ben-desk'), await at('ada-desk')]
    const path = asked({ do: 'assign', colleague: String(agency.staff.mia) }, made)
    const { text } = await browser.get(path)
    assert.ok(told(text).every((line) => line.endsWith('will be looked after by mia-desk')))
    const was = /name="was" value="([^"]+)"/.exec(text)?.[1] ?? ''
    await confirm(ada, asked({ do: 'assign', colleague: String(agency.staff.mia) }, made.slice(0, 1)))
    const late = { do: 'assign', colleague: String(agency.staff.mia), was, form_token: await browser.token('/desk/add') }
    const refused = await browser.submit('/desk/bulk', [
      ...Object.entries(late),
      ...made.map((id): [string, string] => ['customer', String(id)]),
    ])
    assert.equal(refused.status, 422)
    assert.match(refused.text, /changed this meanwhile/)
    assert.deepEqual(told(refused.text)[0], 'Ash: is so already')
    assert.equal((await row(made[1] ?? 0)).looked_after_by, null)
    assert.equal((await confirm(browser, path)).headers.location, '/desk?changed=2')
    assert.match((await (await at('mia-desk')).get('/desk')).text, /Ash.*Elm.*Oak/s)
  })

  test('reports are mailed to the people who may see all, and businesses are deactivated', async () => {
    const browser = await at('ben-desk')
    const fir = await add(browser, 'Fir', { email: 'fir@clients.example' })
    const both = [agency.world.accountId, fir, made[0] ?? 0]
    const path = asked({ do: 'schedule', rhythm: 'monthly' }, both)
    assert.deepEqual(told((await browser.get(path)).text), [
      'Ash: cannot get mail: it is archived, or nobody of it may see all of it',
      'Fir: reports go to fir@clients.example',
      'Harbor Dental: reports go to dana-owner@people.example, rosa-account@people.example',
    ])
    assert.equal((await confirm(browser, path)).headers.location, '/desk?changed=2')
    const recipients = await db().selectFrom('report_recipients').select(['email', 'state']).orderBy('email').execute()
    assert.deepEqual(
      recipients.map(({ email, state }) => `${email} ${state}`),
      ['dana-owner@people.example unconfirmed', 'fir@clients.example unconfirmed', 'rosa-account@people.example unconfirmed'],
    )
    assert.match(told((await browser.get(path)).text).join(), /Fir: has reports by mail already/)
    assert.equal((await confirm(browser, asked({ do: 'deactivate' }, [fir, made[0] ?? 0]))).headers.location, '/desk?changed=2')
    const states = db().selectFrom('businesses').select(['aasm_state', 'is_deactivated_together']).where('account_id', '=', fir)
    assert.deepEqual(await states.execute(), [{ aasm_state: 'deactivated', is_deactivated_together: 1 }])
  })

  test('mia changes her own and nobody assigns by her hand; others change nothing', async () => {
    const mia = await at('mia-desk')
    const harbor = agency.world.accountId
    const path = asked({ do: 'tag', tag: 'mine' }, [harbor, made[1] ?? 0])
    assert.deepEqual(told((await mia.get(path)).text), ['Elm: will have the tags north, mine'])
    assert.equal((await confirm(mia, path)).headers.location, '/desk?changed=1')
    assert.equal((await row(harbor)).tags, null)
    assert.doesNotMatch((await mia.get('/desk')).text, /<option value="assign"/)
    assert.equal((await confirm(mia, asked({ do: 'assign', colleague: '' }, [made[1] ?? 0]))).status, 403)
    const client = await at('dana-owner')
    assert.equal((await client.get(path)).status, 404)
    const fields: [string, string][] = [
      ['do', 'tag'],
      ['tag', 'x'],
      ['customer', String(harbor)],
      ['was', 'x'],
    ]
    assert.equal((await client.submit('/desk/bulk', [['form_token', await client.token('/password')], ...fields])).status, 404)
    const ben = await at('ben-desk')
    assert.equal((await ben.submit('/desk/bulk', fields)).status, 403)
    assert.equal((await ben.submit('/desk/bulk', [['form_token', await ben.token('/desk/add')], ...fields])).status, 422)
    const many = asked(
      { do: 'deactivate' },
      Array.from({ length: 201 }, (_, at) => at + 1),
    )
    assert.equal((await ben.get(many)).status, 400)
    assert.match((await ben.get('/desk/bulk?do=nonsense')).text, /Please choose customers in the/)
    assert.equal((await row(harbor)).tags, null)
  })
})
