#!/usr/bin/env node
// Plain JavaScript without new syntax: an old Node must be able to read this far.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

var major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Marquee needs Node.js 24 or newer, and this is ${process.version}: in a checkout, run it through npm (npm run -s marquee), which brings its own.`,
  )
  process.exitCode = 1
} else {
  // Memory that many slow downloads needed goes back to the system (docs/operating.md). Only a process that begins can be told so,
  // so the service begins again under the same process id, unless the variable is set.
  if (process.argv[2] === 'serve' && process.platform === 'linux' && process.env.MALLOC_MMAP_THRESHOLD_ === undefined && process.execve) {
    const environment = Object.assign({}, process.env, { MALLOC_MMAP_THRESHOLD_: '131072' })
    process.execve(process.execPath, [process.execPath].concat(process.execArgv, process.argv.slice(1)), environment)
  }
  // Sources are read as they are; what Node makes of them is kept beside the packages, and the next start takes half the time.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
  import('../src/main.ts')
}
