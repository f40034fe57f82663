/** A world in which the samples of the documentation work: records with the ids that the samples are given. */
import type { Endpoint } from '../../src/api/endpoint.ts'
import type { SampleValues } from '../../src/api/reference/samples.ts'
import { issueKey } from '../../src/model/partners/keys.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import type { TestService } from './service.ts'

export interface SampleWorld {
  readonly values: SampleValues
  readonly partnerId: number
  readonly env: Readonly<Record<string, string>>
}

export async function sampleWorld(house: TestService, name = 'Acme'): Promise<SampleWorld> {
  const acme = await house.partner(name)
  const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['provision', 'report', 'ingest'] })
  const user = { email: `ana@${slug(name)}.example`, login: `ana-${slug(name)}`, password: 'correct horse', account_id: acme.accountId }
  const created = (await acme.post('/api/users.json', user)).json() as { user: { id: number } }
  const business = (await acme.post('/api/businesses.json', { name: 'Acme' })).json() as { business: { id: number } }
  const site = await createSite(house.operator, business.business.id, 'example.com')
  return {
    partnerId: acme.id,
    values: {
      user_id: created.user.id,
      business_id: business.business.id,
      account_id: acme.accountId,
      site_id: site.id,
      scope_type: 'Account',
      scope_id: acme.accountId,
    },
    env: { PATH: process.env.PATH ?? '', BASE: house.url, KEY: key, PASSWORD: password },
  }
}

/** What is taken away is taken away last. */
export function inRunnableOrder(rows: readonly Endpoint[]): readonly Endpoint[] {
  const isLast = ({ method, path }: Endpoint) => Number((method as string) === 'DELETE' || /suspend|revoke/.test(path))
  return rows.toSorted((a, b) => isLast(a) - isLast(b))
}

function slug(name: string): string {
  return name.toLowerCase().replace(/\W+/g, '-')
}

/** Each language creates records of its own. */
export function valuesFor({ values }: SampleWorld, language: string): SampleValues {
  const name = language.toLowerCase()
  return { ...values, email: `${name}@acme.example`, login: `dana-${name}` }
}
