/** The samples in curl and TypeScript are run as they stand, each against the real service; the other languages in `npm run hard:samples`. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { endpoints } from '../../../src/api/endpoints.ts'
import { codeSamples, setups } from '../../../src/api/reference/code-samples.ts'
import { isGetAction } from '../../../src/api/reference/possible-errors.ts'
import { freshPlace, type Place } from '../../support/engines.ts'
import { withMail } from '../../support/people-service.ts'
import { inRunnableOrder, type SampleWorld, sampleWorld, valuesFor } from '../../support/sample-world.ts'
import { serviceOn } from '../../support/service.ts'

const run = promisify(execFile)

describe('the samples', () => {
  const place = {} as Place
  before(async () => {
    Object.assign(place, await freshPlace('sqlite'))
  })
  const house = serviceOn(place, withMail)
  let world: SampleWorld
  beforeEach(async (t) => {
    world = await sampleWorld(house, t.name)
  })
  after(() => place.remove())

  const codeIn = (label: string) =>
    inRunnableOrder(endpoints)
      .flatMap((endpoint) => codeSamples(endpoint, valuesFor(world, label, endpoint)).filter((sample) => sample.label === label))
      .map(({ code }) => code)

  test('in curl all succeed', async () => {
    const lines = codeIn('curl').map((code) => code.replace('curl ', `curl -sf -o /dev/null -w '%{http_code}\\n' `))
    const { stdout } = await run('sh', ['-c', `set -e\n${lines.join('\n')}`], { env: world.env })
    assert.equal(stdout.trim().split('\n').length, endpoints.length)
    assert.doesNotMatch(stdout, /^[45]/m)
  })

  test('in TypeScript all succeed, in one program below their setup', async () => {
    const setup = setups.find(({ label }) => label === 'TypeScript')?.code ?? assert.fail()
    const samples = codeIn('TypeScript')
    assert.equal(samples.length, endpoints.filter((endpoint) => !isGetAction(endpoint)).length)
    const client = new URL('../../../src/client/client.ts', import.meta.url).href
    const path = join(place.folder, 'samples.ts')
    writeFileSync(path, `${setup.replace('marquee/client', client)}\n${samples.join('\n')}\nconsole.log('done')\n`)
    const { stdout } = await run(process.execPath, [path], { env: world.env }).finally(() => rmSync(path))
    assert.match(stdout, /done\n$/)
  })
})
