/** The hosts whose pages may show the share links of a partner in a frame: those that are named for it and that a proof covers. */

import { secondsAfter } from '../../../lib/time/clock.ts'
import type { NamedHostRow } from '../../../store/rows/partners.ts'
import type { App } from '../../core/app.ts'

/** A record that went missing by mistake is published again within this time. */
const graceSeconds = 14 * 86_400

type Proof = Pick<NamedHostRow, 'host_name' | 'proved_at' | 'missing_since'>

export async function framingHosts({ store, clock }: App, partnerId: number): Promise<string[]> {
  const rows = store.db.selectFrom('named_hosts').select(['host_name', 'for_frames', 'proved_at', 'missing_since'])
  const hosts = await rows.where('partner_id', '=', partnerId).orderBy('host_name').execute()
  const named = hosts.filter(({ for_frames }) => for_frames === 1)
  return named.filter(({ host_name }) => coveringProof(host_name, hosts, clock.now()) !== undefined).map(({ host_name }) => host_name)
}

/** The proof of a host, or of one that it lies below. */
export function coveringProof<P extends Proof>(host: string, proofs: readonly P[], now: string): P | undefined {
  return proofs.find((proof) => isInForce(proof, now) && `.${host}`.endsWith(`.${proof.host_name}`))
}

function isInForce({ proved_at, missing_since }: Proof, now: string): boolean {
  return proved_at !== null && (missing_since === null || now < secondsAfter(missing_since, graceSeconds))
}
