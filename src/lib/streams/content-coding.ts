/** Content codings: selects the one a client prefers, and creates the streams that compress. */

import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import { weightsIn } from '../header-weights.ts'
import { memo } from '../memo.ts'

type Compression = 'zstd' | 'br' | 'gzip'
export type Coding = 'identity' | Compression

const chunkSize = 65_536

/** In our order of preference. Higher levels cost more time than they save bytes. */
export const compressors = {
  zstd: () => createZstdCompress({ chunkSize, params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: () => createBrotliCompress({ chunkSize, params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 } }),
  gzip: () => createGzip({ chunkSize, level: 1 }),
} as const satisfies Record<Compression, () => Transform>

export const chooseCoding = chooserAmong(Object.keys(compressors) as Compression[])

/**
 * Selects by the client's weights, then by the order of what is offered; a coding the client does not name is not used. `*` is taken as gzip, which every
 * client can read.
 */
export function chooserAmong<C extends Compression>(offered: readonly C[]): (accepted: string | undefined) => C | 'identity' {
  const bestOf = memo({ most: 100, longest: 200 }, (accepted): C | 'identity' => {
    const weights = new Map(weightsIn(accepted).map(({ name, weight }) => [name, weight]))
    const weightOf = (coding: Compression) =>
      weights.get(coding) ?? (coding === 'gzip' ? (weights.get('x-gzip') ?? weights.get('*')) : undefined) ?? 0
    const [best] = offered.toSorted((a, b) => weightOf(b) - weightOf(a))
    return best !== undefined && weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : 'identity'
  })
  return (accepted) => (accepted === undefined ? 'identity' : bestOf(accepted))
}
