/** Usage: what the partner asked for and sent in, shown. */

import { readUsage } from '../../model/partners/usage.ts'
import type { Call } from '../endpoint.ts'
import type { usageSpan } from '../parameters.ts'

export function show({ caller, query }: Call<typeof usageSpan>) {
  return readUsage(caller, query)
}
