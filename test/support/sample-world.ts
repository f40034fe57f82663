/** A world in which the samples of the documentation work: records with the ids that the samples are given. */
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import type { SampleValues } from '../../src/api/reference/samples.ts'
import { draftOf } from '../../src/fields/read.ts'
import { saveMapping } from '../../src/model/imports/csv/saved-mappings.ts'
import { beginIntake, beginIntakes, endIntake } from '../../src/model/imports/journal/record-intake.ts'
import { addTask } from '../../src/model/intakes/tasks.ts'
import { previewDeletion } from '../../src/model/partners/deleted-accounts.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { addEditor } from '../../src/model/people/staff/editors.ts'
import { appointStaff } from '../../src/model/people/staff/staff.ts'
import { inviteStaffByLink } from '../../src/model/people/staff/staff-invitations.ts'
import { createUser } from '../../src/model/people/users.ts'
import { observations } from '../../src/resources/observation.ts'
import { newStaffInvitation, newUser } from '../../src/resources/user.ts'
import { password } from './people.ts'
import type { TestService } from './service.ts'
import { suppress } from './suppressed.ts'

export interface SampleWorld {
  readonly values: SampleValues
  readonly partnerId: number
  readonly env: Readonly<Record<string, string>>
}

export async function sampleWorld(house: TestService, name = 'Acme'): Promise<SampleWorld> {
  const acme = await house.partner(name)
  const { key, password } = await issueKey(house.operator, acme.id, { scopes: [...new Set(endpoints.map(({ access }) => access))] })
  const user = { email: `ana@${slug(name)}.example`, login: `ana-${slug(name)}`, password: 'correct horse', account_id: acme.accountId }
  const created = (await acme.post('/api/users.json', user)).json() as { user: { id: number } }
  const business = (await acme.post('/api/businesses.json', { name: 'Acme' })).json() as { business: { id: number } }
  const site = await createSite(house.operator, business.business.id, 'example.com')
  const credentials = `${key}:${password}`
  const first = async (kind: string) => {
    const reply = await house.stranger.get(`/api/sites/${site.id}/${kind}.json`, { credentials })
    return Object.values(reply.json() as Record<string, { id: number }[]>)[0]?.[0]?.id ?? 0
  }
  await push(house, credentials)
  const made = async (kind: string, path: string, sent: object) =>
    ((await acme.post(`/api/${path}.json`, sent)).json() as Record<string, { id: number }>)[kind]?.id ?? 0
  // No pages hang on its location, so that it can be deleted.
  const bare = await createSite(house.operator, business.business.id, 'bare.example')
  const located = await acme.post('/api/locations.json', { locations: [{ site_id: bare.id }] })
  const schedules = `accounts/${acme.accountId}/schedules`
  const issued = await house.stranger.post('/api/keys.json', { scopes: 'report' }, { credentials })
  const read = await house.stranger.post('/api/tokens.json', { site_id: site.id }, { credentials })
  const fetched = await house.stranger.post('/api/sources.json', { kind: 'site' }, { credentials })
  const page_id = await first('pages')
  const spare = await made('account', 'accounts', { name: 'Spare' })
  await addEditor(house.operator, acme.accountId, created.user.id)
  const { staff_id, invitation_id } = await staffIn(house, acme.id, acme.accountId, slug(name))
  return {
    partnerId: acme.id,
    values: {
      staff_id,
      invitation_id,
      key_id: (issued.json() as { fresh_key: { id: number } }).fresh_key.id,
      token_id: (read.json() as { fresh_token: { id: number } }).fresh_token.id,
      account_ids: String(acme.accountId),
      keyword_id: await first('keywords'),
      competitor_id: await first('competitors'),
      page_id,
      review_id: await first(`pages/${page_id}/reviews`),
      location_id: (located.json() as { locations: { id: number }[] }).locations[0]?.id ?? 0,
      intake_id: await endedIntake(house, acme.id),
      waiting_intake_id: await waitingIntake(house, acme.id),
      parked_intake_id: await parkedIntake(house, acme.id),
      annotation_id: await made('annotation', 'annotations', { site_id: site.id, day: '2026-11-14', text: 'A new page' }),
      suppression_id: await suppress(house.operator, acme.id, `gone@${slug(name)}.example`),
      share_link_id: await made('fresh_share_link', 'share_links', { site_id: site.id }),
      source_id: (fetched.json() as { source: { id: number } }).source.id,
      schedule_id: await made('schedule', schedules, { rhythm: 'weekly', recipients: user.email }),
      recipients: user.email,
      site_ids: String(site.id),
      mapping_name: await savedMapping(house, acme.id, 'positions'),
      spare_mapping: await savedMapping(house, acme.id, 'spare'),
      email: `dana@${slug(name)}.example`,
      login: `dana-${slug(name)}`,
      domain: 'new.example',
      user_id: created.user.id,
      business_id: business.business.id,
      account_id: acme.accountId,
      spare_account_id: spare,
      confirm: (await previewDeletion(house.operator, spare)).confirm,
      site_id: site.id,
      scope_type: 'Account',
      scope_id: acme.accountId,
    },
    env: { PATH: process.env.PATH ?? '', SERVICE_URL: house.url, KEY: key, PASSWORD: password },
  }
}

async function savedMapping({ operator }: TestService, partnerId: number, name: string): Promise<string> {
  await saveMapping(operator, partnerId, name, { preset: 'serpbear', set: 'locale=en-us' })
  return name
}

/** One record of each kind, so that lists are not empty. */
async function push(house: TestService, credentials: string): Promise<void> {
  const records = Object.entries(observations).map(([type, { fields }]) => {
    const given = Object.entries(fields).filter(([, { required }]) => required)
    return { type, ...Object.fromEntries(given.map(([name, { example }]) => [name, example])) }
  })
  await house.stranger.ask('POST', '/api/observations.json', { body: JSON.stringify(records), type: 'application/json', credentials })
}

/** The keyword of the samples, looked for on a phone in a city as well. */
export async function trackDevices(house: TestService, { env }: SampleWorld): Promise<void> {
  const tracked = { device: 'mobile', location: 'Chicago, IL (US)', search_engine: 'Google', locale: 'en-us' }
  const ranking = { type: 'ranking', site: 'example.com', phrase: 'plumber chicago', ranked_at: '2026-11-14 04:00:00', rank: 7, ...tracked }
  const credentials = `${env['KEY']}:${env['PASSWORD']}`
  const sent = { body: JSON.stringify([ranking]), type: 'application/json', credentials }
  const { status, text } = await house.stranger.ask('POST', '/api/observations.json', sent)
  if (status !== 200) throw new Error(text)
}

/** Two admins, of whom one can be removed, and an invitation. */
export async function staffIn({ operator }: Pick<TestService, 'operator'>, partnerId: number, accountId: number, word: string) {
  const admin = async (login: string) => {
    const draft = draftOf(newUser, { login, email: `${login}@staff.example`, password, account_id: accountId })
    const { id } = await createUser(operator, draft)
    await appointStaff(operator, partnerId, id, { role: 'admin', customers: 'all' })
    return id
  }
  const [staff_id, successor_id] = [await admin(`cara-${word}`), await admin(`ben-${word}`)]
  const wanted = draftOf(newStaffInvitation, { email: `abe@${word}.example`, role: 'member', customers: 'all' })
  const { id: invitation_id } = await inviteStaffByLink(operator, partnerId, wanted)
  return { staff_id, successor_id, invitation_id }
}

/** One that has changed nothing, so that undoing it takes nothing away, whatever came later. */
async function endedIntake({ operator }: TestService, partnerId: number): Promise<number> {
  return operator.app.store.write(async (tx) => {
    const id = await beginIntake(tx, operator, { partnerId }, { via: 'import' })
    await endIntake(tx, operator, { partnerId }, id, { kinds: {} }, true)
    return id
  })
}

/** An upload whose file lies on another host, which has just been heard of: it waits for as long as a test takes. */
export async function waitingIntake(
  { operator }: Pick<TestService, 'operator'>,
  partnerId: number,
  host: string | null = 'elsewhere',
): Promise<number> {
  return operator.app.store.write(async (tx) => {
    const [intake_id = 0] = await beginIntakes(tx, operator, [{ target: { partnerId }, about: { via: 'upload' } }], 'waiting')
    await addTask(tx, operator, { intake_id, partner_id: partnerId, task: 'store', host, file: 'none' })
    return intake_id
  })
}

/** An upload that rests until it is released. */
async function parkedIntake(house: TestService, partnerId: number): Promise<number> {
  const id = await waitingIntake(house, partnerId)
  await house.operator.app.store.write(async (tx) => {
    await tx.updateTable('intakes').set({ state: 'parked' }).where('id', '=', id).execute()
    await tx.updateTable('intake_tasks').set({ parked_at: house.operator.app.clock.now() }).where('intake_id', '=', id).execute()
  })
  return id
}

/** What is pushed knows the site by its first domain; what is taken away is taken away last, and what hangs below something else before it. An undo goes on for a while, and what is released waits in the way of others. */
export function inRunnableOrder(rows: readonly Endpoint[]): readonly Endpoint[] {
  const place = ({ method, path }: Endpoint) =>
    path === 'observations'
      ? -1
      : /release$/.test(path)
        ? 2_000
        : /undo$/.test(path)
          ? 1_000
          : method === 'DELETE'
            ? 1_000 - path.length
            : /suspend/.test(path)
              ? 1
              : 0
  return rows.toSorted((a, b) => place(a) - place(b))
}

function slug(name: string): string {
  return name.toLowerCase().replace(/\W+/g, '-')
}

/** Each language creates records of its own. */
export function valuesFor({ values }: SampleWorld, language: string, { method, path }: Endpoint): SampleValues {
  const name = `${method}-${path.length}-${language}`.toLowerCase()
  const gone = method === 'DELETE' ? { intake_id: values['waiting_intake_id'], mapping_name: values['spare_mapping'] } : {}
  const parked = path.endsWith('/release') ? { intake_id: values['parked_intake_id'] } : {}
  const account = method === 'DELETE' && path === 'accounts/{account_id}' ? { account_id: values['spare_account_id'] } : {}
  return {
    ...values,
    ...gone,
    ...parked,
    ...account,
    email: `${name}@acme.example`,
    login: `dana-${name}`,
    domain: `${name}.example`,
    external_id: name,
  }
}
