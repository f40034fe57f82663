/** Short lists of 32-bit words are cut from slabs: tens of thousands of buffers of their own would cost the garbage collector more than all else. */

const slabWords = 16_384
const mostFromSlab = 1_024

let slab = new Uint32Array(slabWords)
let used = 0

/** Zeros; a long list gets a buffer of its own. A list keeps its slab in memory, so it must not be kept for long. */
export function newWords(length: number): Uint32Array {
  if (length > mostFromSlab) return new Uint32Array(length)
  if (used + length > slabWords) {
    slab = new Uint32Array(slabWords)
    used = 0
  }
  used += length
  return slab.subarray(used - length, used)
}
