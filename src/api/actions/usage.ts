/** Usage of the API by the partner. */

import { readUsage } from '../../model/partners/usage.ts'
import type { Call } from '../endpoint.ts'
import type { usageSpan } from '../parameters.ts'

export function show({ caller, query }: Call<typeof usageSpan>) {
  return readUsage(caller, query)
}
