/**
 * What a test process runs: each of its files as a suite, so that hooks and figures belong to their file. Several files share a process, because the
 * start of a process and of its sources takes longer than most files.
 */
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { libxml2Loaded } from './libxml2.ts'

const root = join(import.meta.dirname, '..', '..')
const require = createRequire(import.meta.url)
const minutes = Number(process.env.TEST_MINUTES ?? 15)
let deadline: NodeJS.Timeout | undefined
let running: string | undefined

process.on('exit', (code) => {
  if (running !== undefined) console.error(`The process ended with ${code} in ${running}`)
})

export function fileSuites(files: readonly string[]): void {
  for (const file of files) {
    describe(file, () => {
      before(async () => {
        running = file
        await libxml2Loaded
        endInTime(file)
      })
      afterEach(() => endInTime(file))
      load(file)
      after(() => {
        running = undefined
      })
    })
  }
}

/** A suite knows the tests that are made while its body runs, so a file is loaded at one go and cannot await anything at its top. The summary counts tests, not suites. */
function load(file: string): void {
  try {
    require(resolve(root, file))
  } catch (error) {
    test('the file can be loaded', () => {
      throw error
    })
  }
}

/** A process in which no test ends any more ends itself, with the name of the file it had come to. */
function endInTime(file: string): void {
  clearTimeout(deadline)
  deadline = setTimeout(() => {
    const held = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (name) => name))
    console.error(
      `${file} went on for ${minutes} minutes without the end of a test; still open: ${held.map(([name, all]) => `${all?.length} ${name}`)}`,
    )
    process.exit(1)
  }, minutes * 60_000)
  deadline.unref()
}
