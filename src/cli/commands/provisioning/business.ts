/** `marquee business`: businesses of accounts. */

import { draftOf } from '../../../fields/read.ts'
import { allPages } from '../../../model/core/paging.ts'
import { createBusiness, deactivateBusiness, listBusinesses, reactivateBusiness } from '../../../model/partners/businesses.ts'
import { newBusiness } from '../../../resources/business.ts'
import type { OperatorInput, Output } from '../../command.ts'
import { businessRecord } from '../../records.ts'

export async function create({ caller, number, text }: OperatorInput): Promise<Output> {
  const draft = draftOf(newBusiness, { name: text('name'), account_id: number('account') })
  return { document: { business: businessRecord(await createBusiness(caller, draft)) } }
}

export async function list({ caller, number }: OperatorInput): Promise<Output> {
  const account_id = number('account')
  const businesses = await allPages((after) => listBusinesses(caller, after, account_id === undefined ? {} : { account_id }))
  return { document: { businesses: businesses.map(businessRecord) }, columns: ['id', 'account_id', 'name', 'aasm_state', 'created_at'] }
}

export async function deactivate({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { business: businessRecord(await deactivateBusiness(caller, id)) } }
}

export async function reactivate({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { business: businessRecord(await reactivateBusiness(caller, id)) } }
}
