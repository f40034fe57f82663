/** Who sends the nasty requests, and for whom: a partner with a site and an owner who has logged in, and a neighbour who reads meanwhile. */
import { draftOf } from '../../../src/fields/read.ts'
import type { OperatorCaller } from '../../../src/model/core/caller.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { issueKey, keyScopes } from '../../../src/model/partners/keys/keys.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { logIn } from '../../../src/model/people/logins.ts'
import { hashToken } from '../../../src/model/people/sessions.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { createOwner, createUser } from '../../../src/model/people/users.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { newUser } from '../../../src/resources/user.ts'
import { cookieName } from '../../../src/web/cookies.ts'
import { formToken } from '../../../src/web/form-token.ts'
import { clientOf } from './client.ts'
import { nastyToken } from './nasty-forms.ts'
import { nastySite } from './nasty-pushes.ts'
import type { NastyRequest } from './nasty-requests.ts'
import { basic, newPartner } from './prepare.ts'

export interface NastyWorld {
  readonly partner: string
  readonly person: string
  readonly staff: string
  /** Of the forms of the staff. */
  readonly staffToken: string
  readonly neighbour: string
  readonly siteId: number
}

export async function makeWorld(operator: OperatorCaller): Promise<NastyWorld> {
  const acme = await newPartner(operator, 'Acme')
  const globex = await newPartner(operator, 'Globex')
  const business = await createBusiness(operator, draftOf(newBusiness, { name: 'Acme', account_id: acme.accountId }))
  const site = await createSite(operator, business.id, nastySite)
  const { key, password } = await issueKey(operator, acme.id, { scopes: keyScopes })
  const owner = { login: 'owner-acme', email: 'owner@acme.example', password: 'correct horse', account_id: acme.accountId }
  await createOwner(operator, draftOf(newUser, owner))
  const visitor = { app: operator.app, requestId: 'prepare', network: '127.0.0.1', hostPartnerId: null }
  const { token } = await logIn(visitor, { name: owner.login, password: owner.password, isRemembered: true })
  const ben = { login: 'ben-acme', email: 'ben@acme.example', password: 'correct horse', account_id: acme.accountId }
  const { id } = await createUser(operator, draftOf(newUser, ben))
  await appointStaff(operator, acme.id, id, { role: 'admin', customers: 'all' })
  const staff = await logIn(visitor, { name: ben.login, password: ben.password, isRemembered: true })
  return {
    staff: `${cookieName('session', true)}=${staff.token}`,
    staffToken: formToken(operator.app.secrets, hashToken(staff.token)),
    partner: basic(key, password),
    person: `${cookieName('session', true)}=${token}`,
    neighbour: globex.authorization,
    siteId: site.id,
  }
}

/** Sends it and gives the status; 0 where the connection ended without one. */
export async function sendNasty(
  url: string,
  { as, method, path, headers, body }: NastyRequest,
  world: NastyWorld,
  bytes = body?.(),
): Promise<number> {
  const client = clientOf(url)
  const asked = {
    method,
    headers: { ...credentialsOf(as, world), ...headers },
    timeoutMilliseconds: 120_000,
    ...(bytes && { body: as === 'staff' ? Buffer.concat([nastyToken(world.staffToken), bytes]) : bytes }),
  }
  const large = path.includes('{large}') ? await largeSiteId(client, world) : 0
  const answer = await client.ask(path.replace('{site}', String(world.siteId)).replace('{large}', String(large)), asked)
  client.close()
  return answer?.status ?? 0
}

/** 0, which no site has, once it is deleted. */
async function largeSiteId(client: ReturnType<typeof clientOf>, { partner }: NastyWorld): Promise<number> {
  const answer = await client.ask('/api/sites.json?domain=large.example', { headers: { authorization: partner } })
  const { sites } = JSON.parse(String(answer?.body ?? '{"sites":[]}')) as { sites: { id: number }[] }
  return sites[0]?.id ?? 0
}

export function credentialsOf(as: NastyRequest['as'], { partner, person, staff }: NastyWorld): Record<string, string> {
  switch (as) {
    case 'partner':
      return { authorization: partner }
    case 'person':
      return { cookie: person }
    case 'staff':
      return { cookie: staff }
    case 'nobody':
      return {}
  }
}
