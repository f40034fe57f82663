/** The library libxml2, which awaits at its top; whoever imports this file need not, so that a test file can be loaded at one go. */
import type * as Library from 'libxml2-wasm'

let library: typeof Library | undefined

export const libxml2Loaded = import('libxml2-wasm').then((loaded) => {
  library = loaded
})

export function libxml2(): typeof Library {
  if (library === undefined) throw new Error('libxml2 is still being loaded: await libxml2Loaded first.')
  return library
}
