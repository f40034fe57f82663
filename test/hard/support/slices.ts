/** Asks a service that has `watch-slices.ts` in it for the longest turn of its event loop since it was last asked. */
import { request } from 'node:http'

/** In milliseconds of the processor's time. */
export function longestSlice(socketPath: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = request({ socketPath, path: '/' }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(Number(text)))
    })
    // A service that has gone is told elsewhere.
    sent.on('error', () => resolve(0))
    sent.end()
  })
}
