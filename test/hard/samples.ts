/** `npm run hard:samples`: the samples in Python, Ruby and PHP, each language as one program below its setup, against the real service. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endpoints } from '../../src/api/endpoints.ts'
import { codeSamples, setups } from '../../src/api/reference/code-samples.ts'
import { setPartner } from '../../src/model/partners/partners.ts'
import { freshPlace } from '../support/engines.ts'
import { withMail } from '../support/people-service.ts'
import { inRunnableOrder, sampleWorld, trackDevices, valuesFor } from '../support/sample-world.ts'
import { startTestService } from '../support/service.ts'

const interpreters = { Python: 'python3', Ruby: 'ruby', PHP: 'php' } as const

const folder = mkdtempSync(join(tmpdir(), 'marquee-samples-'))
const place = await freshPlace('sqlite')
const house = await startTestService(place, withMail)
try {
  for (const [label, interpreter] of Object.entries(interpreters)) {
    const world = await sampleWorld(house, label)
    await trackDevices(house, world)
    await setPartner(house.operator, world.partnerId, { series: 'all' })
    const setup = setups.find((candidate) => candidate.label === label)?.code ?? ''
    const samples = inRunnableOrder(endpoints).flatMap((endpoint) =>
      codeSamples(endpoint, valuesFor(world, label, endpoint)).filter((sample) => sample.label === label),
    )
    const path = join(folder, label)
    writeFileSync(path, [setup, ...samples.map(({ code }) => code), ''].join('\n'))
    // Ruby and PHP would go on after a warning: whatever is said there ends the run.
    const { stderr } = await promisify(execFile)(interpreter, [path], { env: world.env, maxBuffer: 1 << 26 })
    if (stderr !== '') throw new Error(`${label}: ${stderr}`)
    console.log(JSON.stringify({ language: label, samples: samples.length }))
  }
} finally {
  await house.stop()
  await place.remove()
  rmSync(folder, { recursive: true, force: true })
}
