/** The API suite against three processes behind HAProxy, each request to the next of them. */
import { spawn } from 'node:child_process'
import type { Result } from '../support/goal.ts'
import { ownTree } from '../support/tree.ts'

export async function checkSuite(): Promise<Result> {
  const files = process.env.CLUSTER_FILES?.split(' ') ?? ['test/api/*.test.ts']
  const env = { ...process.env, TEST_SIBLINGS: '1', TEST_ENGINE: 'postgres', TEST_MINUTES: '30' }
  const suite = spawn(process.execPath, ['test/run.ts', ...files], { cwd: ownTree, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  suite.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
    process.stdout.write(chunk)
  })
  const code = await new Promise((resolve) => suite.on('close', resolve))
  const count = (name: string) => Number(new RegExp(`ℹ ${name} (\\d+)`).exec(printed)?.[1] ?? 0)
  return {
    figures: { processes: 3, tests: count('tests'), passed: count('pass'), failed: count('fail') },
    faults: code === 0 ? [] : [`${count('fail')} tests fail with three processes`],
  }
}
