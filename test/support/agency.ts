/** An agency: the partner of the people's world, with colleagues who log in at its desk. */
import assert from 'node:assert/strict'
import { before } from 'node:test'
import { draftOf } from '../../src/fields/read.ts'
import { appointStaff } from '../../src/model/people/staff/staff.ts'
import { createUser } from '../../src/model/people/users.ts'
import { newUser } from '../../src/resources/user.ts'
import type { Place } from './engines.ts'
import { makePeople, type PeopleWorld, password } from './people.ts'
import { PlainBrowser } from './plain-browser.ts'
import { serviceOn } from './service.ts'

type Post = { role: 'admin' | 'member'; customers: 'all' | 'assigned' }

/** Begun before the first test of a block: `ada-desk` is an admin, `ben-desk` has all customers, `mia-desk` those that are assigned to her. */
export function agencyOn(place: Place, env: Readonly<Record<string, string>> = {}) {
  const service = serviceOn(place, env)
  const agency = { world: {} as PeopleWorld, home: 0, staff: { ada: 0, ben: 0, mia: 0 } }
  const colleague = async (login: string, post: Post) => {
    const { operator } = service
    const draft = draftOf(newUser, { login, email: `${login}@quay.example`, password, account_id: agency.home })
    const { id } = await createUser(operator, draft)
    await appointStaff(operator, agency.world.partnerId, id, post)
    return id
  }
  before(async () => {
    agency.world = await makePeople(service.operator)
    const partners = service.app.store.db.selectFrom('partners').select('account_id').where('id', '=', agency.world.partnerId)
    agency.home = (await partners.executeTakeFirstOrThrow()).account_id ?? 0
    agency.staff.ada = await colleague('ada-desk', { role: 'admin', customers: 'all' })
    agency.staff.ben = await colleague('ben-desk', { role: 'member', customers: 'all' })
    agency.staff.mia = await colleague('mia-desk', { role: 'member', customers: 'assigned' })
  })
  const at = async (login: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login)).status, 303)
    return browser
  }
  /** Sends a form of the page, with its token. */
  const send = async (browser: PlainBrowser, path: string, fields: Record<string, string>, form = path) =>
    browser.post(path, { form_token: await browser.token(form), ...fields })
  return { service, agency, at, send }
}
