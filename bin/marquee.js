#!/usr/bin/env node
// Plain JavaScript without new syntax: an old Node must be able to read this far.
var major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Marquee needs Node.js 24 or newer, and this is ${process.version}: in a checkout, run it through npm (npm run -s marquee), which brings its own.`,
  )
  process.exitCode = 1
} else {
  import('../src/main.ts')
}
