// Relative imports of our own files and of Kysely name the file itself, so they are taken as they are written. Node would look up
// each of them on the disk, with its folders and links, which was a third of the time of a start (docs/decisions/2026-11-18-relative-imports.md).
import module from 'node:module'

var root = new URL('..', import.meta.url).href
var formats = { js: 'module', ts: 'module-typescript' }

module.registerHooks({
  resolve(specifier, context, next) {
    var ending = /^\.\.?\/.*\.(js|ts)$/.exec(specifier)
    if (ending === null || !isPlain(context.parentURL || '')) return next(specifier, context)
    return { url: new URL(specifier, context.parentURL).href, format: formats[ending[1]], shortCircuit: true }
  },
})

/** Whether each import of this file is an ECMAScript module without links on the way. */
function isPlain(importer) {
  if (importer.includes('/node_modules/kysely/dist/')) return true
  return importer.startsWith(root) && !importer.startsWith('node_modules/', root.length)
}
