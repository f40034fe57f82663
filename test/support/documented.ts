/** Whether an answer of the API is one that the documentation tells of. */
import assert from 'node:assert/strict'
import { endpointsAt } from '../../src/api/endpoints.ts'
import { splitExtension } from '../../src/api/format.ts'
import { alsoAnswered, refusalsOf } from '../../src/api/reference/possible-errors.ts'

/** Any request that reaches an endpoint is answered with a status that stands in its row of the reference. */
export function checkDocumented(method: string, address: string, status: number): void {
  const match = endpointsAt(splitExtension(address.split('?', 1)[0] ?? '').path)
  const endpoint = match?.rows.find((candidate) => candidate.method === method)
  if (endpoint === undefined) return
  const good = 'answer' in endpoint ? endpoint.answer.status : 200
  const also = Object.keys(alsoAnswered(endpoint)).map(Number)
  const documented = [good, ...also, ...(endpoint.access === 'report' ? [304] : []), ...refusalsOf(endpoint).keys()]
  assert.ok(documented.includes(status), `${method} ${address} answered ${status}, of which the reference does not tell`)
}
