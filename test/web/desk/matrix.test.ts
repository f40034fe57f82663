/** Every page and every form of the desk, made from the table of pages and from the forms that an admin sees, for everybody to whom they are nothing. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { addAnnotation } from '../../../src/model/dashboard/annotations.ts'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importObservations } from '../../../src/model/imports/import.ts'
import { lastPeriod, nameOfPeriod } from '../../../src/model/mail/periods.ts'
import { createSchedule } from '../../../src/model/mail/schedules.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { deleteAccount, previewDeletion } from '../../../src/model/partners/deleted-accounts.ts'
import { createShareLink } from '../../../src/model/people/share-links.ts'
import { addEditor } from '../../../src/model/people/staff/editors.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { suspendUser } from '../../../src/model/people/user-states.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { newUser } from '../../../src/resources/user.ts'
import { type Page, pages } from '../../../src/web/pages.ts'
import { agencyOn } from '../../support/agency.ts'
import { bytesOf } from '../../support/data.ts'
import { onPageEngine } from '../../support/engines.ts'
import { formEnding, formFields, formFile, formType, formWithFile } from '../../support/form-with-file.ts'
import { password } from '../../support/people.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'
import { unwantedWords } from '../../support/plain-words.ts'
import { waitingIntake } from '../../support/sample-world.ts'
import { suppress } from '../../support/suppressed.ts'

const desk = pages.filter(({ path }) => path === '/desk' || path.startsWith('/desk/') || path.startsWith('/desk.'))
const absent = '987654321'

interface Form {
  readonly path: string
  readonly fields: [string, string][]
  readonly isWithFile: boolean
}

onPageEngine('the desk', (place) => {
  const { service, agency, at } = agencyOn(place)
  const db = () => service.app.store.db
  const values: Record<string, string> = {}
  let forms: Form[] = []
  const strangers: Record<string, PlainBrowser> = {}

  before(async () => {
    const { operator } = service
    const { world } = agency
    const recipients = ['dana-owner@people.example']
    const mailing = await createSchedule(operator, world.accountId, { rhythm: 'monthly', siteIds: null, recipients })
    await createShareLink(operator, world.chicago, { label: 'harbor link', days: 30, password: null })
    await addAnnotation(operator, world.chicago, { day: '2026-11-02', text: 'harbor note' })
    await addEditor(operator, world.accountId, world.users['rosa-account'])
    const gone = await createAccount(operator, world.partnerId, 'harbor that is gone')
    await deleteAccount(operator, gone.id, (await previewDeletion(operator, gone.id)).confirm)
    const period = { rhythm: 'monthly' as const, ...lastPeriod('monthly', service.app.clock.now().slice(0, 10)) }
    const held = {
      schedule_id: mailing.id,
      account_id: world.accountId,
      rhythm: 'monthly',
      state: 'held',
      reasons: '[]',
      sentence: '',
    } as const
    const run = { ...held, period_from: period.from, period_to: period.to, updated_at: period.to }
    await service.app.store.write((tx) => tx.insertInto('report_runs').values(run).execute())
    await suppress(operator, world.partnerId, 'gone@else.example')
    Object.assign(values, {
      account_id: world.accountId,
      user_id: world.users['lee-business'],
      site_id: world.chicago,
      schedule_id: mailing.id,
      intake_id: await waitingIntake({ operator }, world.partnerId),
      period: nameOfPeriod(period),
      view: 'login',
      deleted_id: gone.id,
    })
    const review = {
      type: 'review',
      site: 'chicago.harbor.example',
      page_source: 'google',
      page_url: 'https://maps.example/',
      source: 'google',
    }
    const low = { ...review, date: service.app.clock.now().slice(0, 10), rating: 1, user: 'Ann', detail: 'Cold' }
    const target = { partnerId: world.partnerId, accountId: world.accountId }
    await importObservations(operator, target, readNdjson(bytesOf([low])), { createMissing: true })
    const ada = await at('ada-desk')
    const files = formFile('one.csv', 'site,phrase\nchicago.harbor.example,harbor') + formFile('two.csv', 'site,phrase\nnew.example,harbor')
    const body = formFields({ form_token: await ada.token('/desk/data'), customer: '' }) + files + formEnding
    const headers = { cookie: ada.cookie, 'sec-fetch-site': 'same-origin' }
    const arrived = await service.stranger.ask('POST', '/desk/data', { body, type: formType, headers })
    const [, delivery = ''] =
      /arrived\/(\d+)$/.exec(String(arrived.headers.location)) ?? assert.fail(`${arrived.status} ${arrived.text.slice(0, 2_000)}`)
    Object.assign(values, { delivery_id: delivery, place: '1' })
    forms = await formsSeenBy(ada)
    const colleague = async (login: string, partnerId: number, account_id: number) => {
      const draft = draftOf(newUser, { login, email: `${login}@else.example`, password, account_id })
      const { id } = await createUser(operator, draft)
      await appointStaff(operator, partnerId, id, { role: 'admin', customers: 'all' })
      return id
    }
    const globex = await db()
      .selectFrom('partners')
      .select(['id', 'account_id'])
      .where('id', '!=', world.partnerId)
      .executeTakeFirstOrThrow()
    await colleague('zoe-globex', globex.id, globex.account_id ?? 0)
    const sam = await colleague('sam-desk', world.partnerId, agency.home)
    strangers['staff of another partner'] = await at('zoe-globex')
    strangers['a member without customers'] = await at('mia-desk')
    strangers['an owner'] = await at('dana-owner')
    strangers['a client'] = await at('lee-business')
    strangers['an editor'] = await at('rosa-account')
    strangers['somebody suspended'] = await at('sam-desk')
    await suspendUser(operator, sam)
    const link = await createShareLink(operator, world.chicago, { label: 'a guest', days: 30, password: null })
    const guest = new PlainBrowser(service.stranger)
    await guest.post(`/share/${link.token}`, { form_token: await guest.token(`/share/${link.token}`) })
    strangers['a guest of a link'] = guest
    strangers['nobody'] = new PlainBrowser(service.stranger)
  })

  const pathOf = ({ path }: Page, ids: Readonly<Record<string, string>> = values) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) =>
      String(ids[path.startsWith('/desk/deleted/') ? 'deleted_id' : name] ?? assert.fail(`say what ${name} is`)),
    )
  const isTheirs = (who: string) => /^staff of|^a member/.test(who)
  const plain = (text: string) =>
    text
      .replace(/[\w-]{60,}/g, '')
      .replace(/Request [\w-]+/, '')
      .replace(/value="\/[^"]*"/g, '')
      .replaceAll(absent, '')

  test('has forms for every form of the table', () => {
    const sent = new Set(forms.map(({ path }) => path.split('?')[0]))
    const missing = desk.filter((page) => page.method === 'POST' && !sent.has(pathOf(page))).map(({ path }) => path)
    assert.deepEqual(missing, ['/desk/leave'], 'a page shows each form, and that one is shown in a view alone')
    assert.ok(forms.length > 30, `${forms.length} forms`)
  })

  test('shows its pages to nobody else, and nothing of a customer to colleagues who do not look after it', async () => {
    for (const page of desk.filter(({ method }) => method === 'GET'))
      for (const [who, browser] of Object.entries(strangers)) {
        const where = `${page.path} for ${who}`
        const reply = await browser.get(pathOf(page))
        assert.doesNotMatch(reply.text, /harbor/i, where)
        if (who === 'nobody' || who === 'a guest of a link' || who === 'somebody suspended') {
          assert.equal(reply.status, 303, where)
          assert.match(String(reply.headers.location), /^\/login/, where)
        } else if (!isTheirs(who) || namesAnybody(page)) {
          assert.equal(reply.status, 404, where)
          const none = await browser.get(pathOf(page, { ...values, ...Object.fromEntries(ids.map((name) => [name, absent])) }))
          assert.equal(plain(reply.text), plain(none.text), where)
        } else {
          const isClosed = who === 'a member without customers' && page.to === 'staff' && page.role === 'admin'
          assert.equal(reply.status, isClosed ? 404 : 200, where)
        }
      }
  })

  test('takes its forms from nobody else, and nothing of a customer or of the agency changes', async () => {
    const before = await everything()
    for (const form of forms)
      for (const [who, browser] of Object.entries(strangers)) {
        const where = `${form.path} with ${new URLSearchParams(form.fields)} for ${who}`
        const reply = await sendAs(browser, form, isTheirs(who) ? '/desk/add' : '/password')
        const steps = (form.path.split('?')[0] ?? '').split('/')
        const isAbout = Object.values(values).some((id) => /^\d+$/.test(String(id)) && steps.includes(String(id)))
        assert.ok(reply.status < 500, `${where}: ${reply.status}`)
        assert.doesNotMatch(reply.text.replaceAll(/value="[^"]*"|<textarea.*?<\/textarea>/gs, ''), /harbor (link|note|dental)/i, where)
        if (isTheirs(who) && !isAbout) continue
        assert.ok(
          [403, 404].includes(reply.status) || (reply.status === 303 && String(reply.headers.location).startsWith('/login')),
          `${where}: ${reply.status}`,
        )
      }
    assert.deepEqual(await everything(), before)
  })

  test('speaks the language of agencies, and has no word of the code', async () => {
    const ada = await at('ada-desk')
    const { world } = agency
    const paths = desk.filter(({ method, path }) => method === 'GET' && !path.includes('.csv')).map((page) => pathOf(page))
    const more = [
      '/',
      '/me',
      '/sessions',
      `/desk/customers/${world.accountId}?sees=${world.chicago}`,
      `/desk/customers/${world.accountId}?person=${values['user_id']}&site=${world.chicago}`,
      '/desk?q=harbor',
      '/desk/data?show=programs',
    ]
    for (const path of [...paths, ...more]) {
      assert.deepEqual(unwantedWords((await ada.get(path)).text), [], path)
    }
  })

  test('finds in its tables no word that every object has', async () => {
    const ada = await at('ada-desk')
    const asked = new URLSearchParams(
      ['done', 'show', 'sort', 'order', 'do', 'session'].map((name): [string, string] => [name, 'constructor']),
    )
    for (const page of [...desk, ...pages.filter(({ path }) => ['/login', '/people', '/me'].includes(path))]) {
      if (page.method === 'GET') assert.notEqual((await ada.get(`${pathOf(page)}?${asked}`)).status, 500, page.path)
      else if (!page.takesFiles && page.to === 'staff')
        for (const act of ['constructor', '__proto__']) {
          const fields = { form_token: await ada.token('/password'), do: act, member: '1', invitation: '1' }
          const { status } = await ada.post(pathOf(page), fields)
          assert.notEqual(status, 500, `${page.path} ${act}`)
        }
    }
  })

  /** The places in paths at which a record of somebody is named. */
  const ids = ['delivery_id', 'account_id', 'user_id', 'site_id', 'schedule_id', 'intake_id', 'deleted_id']
  const namesAnybody = ({ path }: Page) => ids.some((name) => path.includes(`{${name}}`))

  async function sendAs(browser: PlainBrowser, { path, fields, isWithFile }: Form, tokenAt: string) {
    const form_token = await browser.token(tokenAt)
    const own: [string, string][] = fields.map(([name, value]) => [name, name === 'form_token' ? form_token : value])
    if (!isWithFile) return browser.submit(path, own)
    const { body } = formWithFile(Object.fromEntries(own), 'x.csv', 'site,phrase\nnew.example,new')
    const headers = { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' }
    return service.stranger.ask('POST', path, { body, type: formType, headers })
  }

  /** What a browser would send of all pages, with each of their buttons. */
  async function formsSeenBy(browser: PlainBrowser): Promise<Form[]> {
    const { world, staff } = agency
    const more = [
      `/desk/bulk?do=tag&tag=mine&customer=${world.accountId}`,
      `/desk/bulk?do=deactivate&customer=${world.accountId}`,
      `/desk/team?member=${staff.ben}`,
      `/desk/reports/new?customer=${world.accountId}`,
      `/desk/deleted`,
      `/desk/customers/${world.accountId}/sites/${world.chicago}?remove=site`,
      `/desk/customers/${world.accountId}?business=${await emptyBusiness()}`,
    ]
    const shown = desk.filter(({ method, path }) => method === 'GET' && !path.includes('.csv')).map((page) => pathOf(page))
    const found = new Map<string, Form>()
    for (const path of [...shown, ...more]) {
      const { text } = await browser.get(path)
      for (const part of text.split('<form ').slice(1)) {
        const form = part.split('</form>')[0] ?? ''
        const action = /action="([^"]+)"/.exec(form)?.[1] ?? ''
        if (!form.startsWith('method="post"') || !action.startsWith('/desk')) continue
        for (const one of withEachButton(form, action)) found.set(`${one.path} ${new URLSearchParams(one.fields)}`, one)
      }
    }
    return [...found.values()]
  }

  async function emptyBusiness(): Promise<number> {
    const draft = draftOf(newBusiness, { name: 'harbor without sites', account_id: agency.world.accountId })
    return (await createBusiness(service.operator, draft)).id
  }

  /** Rows of the partner and of its customers; not those of sessions, which requests renew. */
  async function everything(): Promise<Record<string, string[]>> {
    const { world } = agency
    const rows: Record<string, string[]> = {}
    const owned = [world.accountId, Number(values['deleted_id'])]
    for (const { name, columns } of await db().introspection.getTables()) {
      const has = (column: string) => columns.some((one) => one.name === column)
      const [key, wanted] =
        name === 'accounts'
          ? ['id', owned]
          : has('account_id')
            ? ['account_id', owned]
            : has('partner_id')
              ? ['partner_id', [world.partnerId]]
              : ['', []]
      if (key === '' || /^(audit_|budgets|event|usage|account_figures|site_figures)/.test(name)) continue
      const found = await db()
        .selectFrom(name as 'sites')
        .selectAll()
        .where(key as 'id', 'in', wanted)
        .execute()
      rows[name] = found.map((row) => JSON.stringify(row)).toSorted()
    }
    return rows
  }
})

function withEachButton(form: string, path: string): Form[] {
  const inputs = [...form.matchAll(/<input\b[^>]*>/g)].flatMap(([tag]): [string, string][] => {
    const name = / name="([^"]*)"/.exec(tag)?.[1]
    const isOff = /type="(checkbox|radio)"/.test(tag) && !/ checked/.test(tag) && !/name="(one-of|sees|sure)/.test(tag)
    return name === undefined || isOff || /type="file"/.test(tag) ? [] : [[name, / value="([^"]*)"/.exec(tag)?.[1] || 'harbor']]
  })
  const selects = [...form.matchAll(/<select\b[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs)].map(
    ([, name = '', options = '']): [string, string] => [
      name,
      /value="([^"]*)" selected/.exec(options)?.[1] ?? /value="([^"]+)"/.exec(options)?.[1] ?? '',
    ],
  )
  const texts = [...form.matchAll(/<textarea\b[^>]* name="([^"]*)"/g)].map(([, name = '']): [string, string] => [name, 'harbor'])
  const buttons = [...form.matchAll(/<button\b[^>]* name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  )
  const fields = [...inputs, ...selects, ...texts]
  const isWithFile = form.includes('multipart/form-data')
  return (buttons.length === 0 ? [[]] : buttons.map((one) => [one])).map((pressed) => ({
    path,
    fields: [...fields, ...pressed],
    isWithFile,
  }))
}
