/** Long texts are encoded in time slices, without holding the event loop. */

import { endOfSlice } from './slices.ts'

const charactersAtOnce = 65_536

export async function encodeInSlices(text: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + charactersAtOnce
    // The two halves of a character stay together.
    const cut = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end
    pieces.push(Buffer.from(text.slice(start, cut)))
    start = cut
    await endOfSlice()
  }
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}
