#!/usr/bin/env node
// Plain JavaScript without new syntax: an old Node must be able to read this far.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

var isService = process.argv[2] === 'serve'
// SIGHUP does not end a service that cannot answer it yet: its settings are read later than this.
if (isService) process.on('SIGHUP', () => {})
var file = fileURLToPath(import.meta.url)
var bundled = bundledNode()
var isOther = bundled !== null && bundled !== process.execPath
// The service works in little memory (docs/operating.md): V8 would let its garbage grow with the memory of the machine, and the allocator would
// keep what many slow downloads needed. Only a process that begins can be told so, so the service begins again under the same process id.
var memoryOptions = ['--max-semi-space-size=16', '--heap-growing-percent=30']
// Only an option of the process reaches its threads and workers too.
var relativeImports = ['--import', new URL('relative-imports.js', import.meta.url).href]
var isTold = process.execArgv.concat(process.env.NODE_OPTIONS || '').some((option) => option.includes('--max-semi-space-size'))
var isServe = isService && !isTold
// What Node makes of the files is kept beside the packages, and the next start takes half the time. Threads and workers learn of it from
// the environment.
var compiled = process.env.NODE_COMPILE_CACHE || fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
var environment = isServe
  ? Object.assign({ MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: compiled }, process.env)
  : process.env

if (isOther || (isServe && process.execve)) handOver(isOther ? bundled : process.execPath, isOther ? [] : process.execArgv)
else if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Marquee needs Node.js 24 or newer, and this is ${process.version}: in a checkout, run it through npm (npm run -s marquee), which brings its own.`,
  )
  process.exitCode = 1
} else run()

/** The Node that was installed with this package and tested with it; null where there is none for this machine. */
function bundledNode() {
  var path = null
  try {
    path = module.createRequire(file).resolve(`node-linux-${process.arch}/bin/node`)
  } catch (_error) {
    return null
  }
  return existsSync(path) ? path : null
}

/** The same process goes on as that Node; where this one is too old for that, a child does, and gets our signals. */
function handOver(node, options) {
  // Behind `--` Node does not look for options of its own, such as --env-file.
  var words = options.concat(isServe ? memoryOptions.concat(relativeImports) : [], ['--', file], process.argv.slice(2))
  if (process.execve) process.execve(node, [node].concat(words), environment)
  var child = spawn(node, words, { stdio: 'inherit', env: environment })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code === null ? 128 + (signal === 'SIGINT' ? 2 : 15) : code))
}

/** In a checkout the sources are read as they are; an installed package holds them as JavaScript. */
function run() {
  var source = new URL('../src/main.ts', import.meta.url)
  if (existsSync(source) && /[\\/]node_modules[\\/]/.test(file)) return refuseSources()
  module.enableCompileCache(compiled)
  import('./relative-imports.js').then(() => import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href))
}

/** What `npm pack` makes of a checkout: sources, which Node does not run below node_modules. */
function refuseSources() {
  console.error(
    'This package holds sources, which Node.js does not run below node_modules: make it with npm run package instead of npm pack.',
  )
  process.exitCode = 1
}
