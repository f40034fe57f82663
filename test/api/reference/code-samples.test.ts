/** The samples in curl and TypeScript are run as they stand, each against the real service; the other languages in `npm run hard:samples`, and here they read a report. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { endpoints } from '../../../src/api/endpoints.ts'
import { codeSamples, typescriptHead } from '../../../src/api/reference/code-samples.ts'
import { isGetAction } from '../../../src/api/reference/possible-errors.ts'
import { freshPlace, type Place } from '../../support/engines.ts'
import { withMail } from '../../support/people-service.ts'
import { findProgram } from '../../support/programs.ts'
import { inRunnableOrder, type SampleWorld, sampleWorld, trackDevices, valuesFor } from '../../support/sample-world.ts'
import { serviceOn } from '../../support/service.ts'

const run = promisify(execFile)

/** Each with the code that shows an answer as JSON. */
const others = [
  {
    label: 'Python',
    program: 'python3',
    debian: ['python3'],
    shown: (code: string) => code.replace('print(json.load(answer))', 'print(json.dumps(json.load(answer)))'),
  },
  {
    label: 'Ruby',
    program: 'ruby',
    debian: ['ruby'],
    shown: (code: string) => code.replace('puts JSON.parse(answer.body)', 'puts JSON.generate(JSON.parse(answer.body))'),
  },
  {
    label: 'PHP',
    program: 'php',
    debian: ['php-cli'],
    shown: (code: string) => code.replace('print_r(json_decode($answer, true));', 'echo json_encode(json_decode($answer, true));'),
  },
]

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

  test('in TypeScript all succeed, in one program below their head', async () => {
    const samples = codeIn('TypeScript').map((code) => {
      assert.ok(code.startsWith(typescriptHead))
      return code.slice(typescriptHead.length)
    })
    assert.equal(samples.length, endpoints.filter((endpoint) => !isGetAction(endpoint)).length)
    const client = new URL('../../../src/client/client.ts', import.meta.url).href
    const path = join(place.folder, 'samples.ts')
    writeFileSync(path, `${typescriptHead.replace('@marquee/client', client)}\n${samples.join('\n')}\nconsole.log('done')\n`)
    const { stdout } = await run(process.execPath, [path], { env: world.env }).finally(() => rmSync(path))
    assert.match(stdout, /done\n$/)
  })

  for (const { label, program, debian, shown } of others) {
    test(`a report of every series is read in ${label}`, async () => {
      const interpreter = findProgram({ names: [program], debian, says: `The tests run a client in ${label}: install ${program}.` })
      await trackDevices(house, world)
      const address = '/api/seo_report.json?series=all'
      const report = endpoints.find(({ id }) => id === 'seoReport') ?? assert.fail()
      const sample = codeSamples(report).find((candidate) => candidate.label === label)?.code ?? assert.fail()
      const path = join(place.folder, program)
      writeFileSync(path, `${shown(sample).replace('/api/seo_report.json', address)}\n`)
      const { stdout, stderr } = await run(interpreter, [path], { env: world.env }).finally(() => rmSync(path))
      assert.equal(stderr, '')
      const read = JSON.parse(stdout)
      const printed = (await house.stranger.get(address, { credentials: `${world.env['KEY']}:` })).json()
      assert.deepEqual(read, printed)
      const engines = [...stdout.matchAll(/"search_engine": ?"([^"]*)"/g)].map(([, engine]) => engine)
      assert.deepEqual(engines.toSorted(), ['Google', 'Google (mobile, Chicago, IL (US))'])
    })
  }
})
