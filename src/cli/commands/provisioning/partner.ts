/** `marquee partner`: partners and their settings. */

import { checkedOrigins } from '../../../model/partners/keys/origins.ts'
import {
  createPartner,
  findPartner,
  listPartners,
  type Partner,
  type PartnerWishes,
  resumePartner,
  setPartner,
  suspendPartner,
} from '../../../model/partners/partners.ts'
import { createTestPartner } from '../../../model/partners/test-partners/test-partners.ts'
import { releaseNamed } from '../../../resources/schedule.ts'
import { type OperatorInput, type Output, UsageError } from '../../command.ts'
import { checkInvitation, inviteOrPrint, noteOn } from '../../invitations.ts'

export async function create(input: OperatorInput): Promise<Output> {
  const { caller, text, has } = input
  if (has('test')) return createTest(input)
  if (has('of')) throw new UsageError('--of goes with --test.')
  if (!has('name')) throw new UsageError('Missing --name.')
  const admin = has('invite') ? { email: text('invite') ?? '', role: 'admin', customers: 'all' } : null
  if (admin !== null) checkInvitation(admin)
  const { partner, account, key, password } = await createPartner(caller, text('name') ?? '')
  const document = { partner: { id: partner.id, name: partner.name }, account: { id: account.id, name: account.name }, key, password }
  const note = 'The key and its password are shown this once: keep them now.'
  if (admin === null) return { document, note }
  const invitation = await inviteOrPrint(input, partner.id, admin)
  return { document: { ...document, invitation }, note: `${note} ${noteOn(invitation)}` }
}

/** The service fills it in the background. */
async function createTest({ caller, text, number, has }: OperatorInput): Promise<Output> {
  if (has('invite')) throw new UsageError('--invite does not go with --test: the admins of its partner look after a test.')
  const of = number('of') ?? null
  const name = text('name') ?? (of === null ? '' : (await findPartner(caller, of)).name)
  if (name === '') throw new UsageError('Missing --name, or --of.')
  const { partner, key, password } = await createTestPartner(caller, of, name)
  return {
    document: { partner: { id: partner.id, name: partner.name }, key, password },
    note: 'The key and its password are shown this once: keep them now. The service fills the partner with the world of the demo.',
  }
}

export async function list({ caller }: OperatorInput): Promise<Output> {
  return {
    document: { partners: (await listPartners(caller)).map(shown) },
    columns: ['id', 'name', 'state', 'account_id', 'key_alone', 'created_at'],
  }
}

export async function show({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { partner: shown(await findPartner(caller, id)) } }
}

export async function set(input: OperatorInput): Promise<Output> {
  return { document: { partner: shown(await setPartner(input.caller, input.id, wishesOf(input))) } }
}

export async function suspend({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { partner: shown(await suspendPartner(caller, id)) } }
}

export async function resume({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { partner: shown(await resumePartner(caller, id)) } }
}

/** Changes only what was given; `default` restores the service's default. */
function wishesOf({ text, number, has }: OperatorInput): PartnerWishes {
  const limit = (option: string) => number(option) ?? null
  return {
    ...(has('name') && { name: text('name') ?? '' }),
    ...(has('key-alone') && { key_alone: text('key-alone') === 'on' ? 1 : 0 }),
    ...(has('names') && { names: namesOf(text('names')) }),
    ...(has('series') && { series: text('series') === 'all' ? 'all' : null }),
    ...(has('release') && { release: releaseNamed(text('release')) ?? null }),
    ...(has('second-factor') && { demands_second_factor: text('second-factor') === 'demanded' ? 1 : 0 }),
    ...(has('origins') && { origins: text('origins') === 'none' ? null : checkedOrigins(text('origins') ?? '') }),
    ...(has('reads-per-minute') && { reads_per_minute: limit('reads-per-minute') }),
    ...(has('writes-per-minute') && { writes_per_minute: limit('writes-per-minute') }),
    ...(has('taken-per-hour') && { taken_per_hour: limit('taken-per-hour') }),
  }
}

function namesOf(word: string | undefined): Partner['names'] {
  return word === 'encoded' || word === 'legacy' ? word : null
}

function shown(partner: Partner): object {
  return { ...partner, key_alone: partner.key_alone === 1, demands_second_factor: partner.demands_second_factor === 1 }
}
