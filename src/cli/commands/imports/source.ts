/** `marquee source`: from where figures are fetched by the service itself. */

import { draftOf } from '../../../fields/read.ts'
import { notFound } from '../../../lib/failures.ts'
import { FetchFailure } from '../../../lib/network/outgoing.ts'
import { allPages } from '../../../model/core/paging.ts'
import { sitesWithin } from '../../../model/core/tenancy.ts'
import { tryLook } from '../../../model/sources/run-site.ts'
import {
  changeSource,
  findSource,
  listSourceSites,
  listSources,
  makeSource,
  removeSource,
  runSource,
} from '../../../model/sources/sources.ts'
import { changedSource, newSource } from '../../../resources/imports/source.ts'
import type { OperatorInput, Output } from '../../command.ts'

export async function list({ caller, number }: OperatorInput): Promise<Output> {
  const partner_id = number('partner')
  const sources = await allPages((after) => listSources(caller, after, partner_id === undefined ? {} : { partner_id }))
  return { document: { sources }, columns: ['id', 'account_id', 'kind', 'rhythm', 'state', 'sites', 'failing', 'last_run_at'] }
}

export async function add({ caller, number, text }: OperatorInput): Promise<Output> {
  const account_id = number('account')
  const wanted = { kind: text('kind'), rhythm: text('every'), ...(account_id !== undefined && { account_id }) }
  const source = await makeSource(caller, number('partner') ?? 0, draftOf(newSource, wanted))
  return { document: { source }, note: 'The running service fetches within seconds: `marquee source show` tells what came.' }
}

export async function show({ caller, id }: OperatorInput): Promise<Output> {
  const source = await findSource(caller, id)
  return { document: { source, sites: await allPages((after) => listSourceSites(caller, id, after)) } }
}

export async function run({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { source: await runSource(caller, id) }, note: 'The running service fetches within seconds.' }
}

export async function start({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { source: await changeSource(caller, id, draftOf(changedSource, { state: 'active' })) } }
}

export async function rest({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { source: await changeSource(caller, id, draftOf(changedSource, { state: 'resting' })) } }
}

export async function remove({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { removed: await removeSource(caller, id) }, note: 'What it has fetched stays.' }
}

/** Prints what a live site gives, and stores nothing. */
export async function tryOut({ caller, id }: OperatorInput): Promise<Output> {
  const site = (await sitesWithin(caller).select('domain').where('id', '=', id).executeTakeFirst()) ?? notFound('site')
  try {
    const { known, ...look } = await tryLook(caller.app, { domain: site.domain, time_zone: 'UTC' })
    return { document: { look: { domain: site.domain, ...look, registered_on: known.registered_on } }, note: 'Nothing of it was stored.' }
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    return { document: { look: { domain: site.domain, failed: error.code } }, note: error.message, exitCode: 1 }
  }
}
