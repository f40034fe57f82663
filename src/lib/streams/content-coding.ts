/** Content codings: selects the one a client prefers, and creates the streams that compress. */

import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import { weightsIn } from '../header-weights.ts'
import { memo } from '../memo.ts'

export type Coding = 'identity' | 'zstd' | 'br' | 'gzip'

const chunkSize = 65_536

/** In our order of preference. Higher levels cost more time than they save bytes. */
export const compressors = {
  zstd: () => createZstdCompress({ chunkSize, params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: () => createBrotliCompress({ chunkSize, params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 } }),
  gzip: () => createGzip({ chunkSize, level: 1 }),
} as const satisfies Record<Exclude<Coding, 'identity'>, () => Transform>

export function chooseCoding(accepted: string | undefined): Coding {
  return accepted === undefined ? 'identity' : bestOf(accepted)
}

/** Selects by the client's weights, then by our preference; a coding the client does not name is not used. `*` is taken as gzip, which every client can read. */
const bestOf = memo({ most: 100, longest: 200 }, (accepted): Coding => {
  const weights = new Map(weightsIn(accepted).map(({ name, weight }) => [name, weight]))
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? (coding === 'gzip' ? (weights.get('x-gzip') ?? weights.get('*')) : undefined) ?? 0
  const liked = (Object.keys(compressors) as Exclude<Coding, 'identity'>[]).toSorted((a, b) => weightOf(b) - weightOf(a))
  const [best] = liked
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : 'identity'
})
