/** Bytes as a request leaves them that was received in memory. */
import type { ReceivedBytes } from '../../src/lib/streams/received-bytes.ts'

export function receivedOf(bytes: Buffer): ReceivedBytes {
  return { file: null, inFile: 0, rest: new Uint8Array(bytes) }
}
