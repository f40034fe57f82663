/** `npm run hard:samples`: every sample in five languages, each pasted alone as a program of its own, against the real service. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endpoints } from '../../src/api/endpoints.ts'
import { codeSamples } from '../../src/api/reference/code-samples.ts'
import { setPartner } from '../../src/model/partners/partners.ts'
import { installClient } from '../support/client-package.ts'
import { freshPlace } from '../support/engines.ts'
import { withMail } from '../support/people-service.ts'
import { inRunnableOrder, sampleWorld, trackDevices, valuesFor } from '../support/sample-world.ts'
import { startTestService } from '../support/service.ts'

/** How a file of each language is named and run. */
const languages = {
  curl: { file: 'sample.sh', command: ['sh', '-e'] },
  TypeScript: { file: 'sample.mts', command: [process.execPath] },
  Python: { file: 'sample.py', command: ['python3'] },
  Ruby: { file: 'sample.rb', command: ['ruby'] },
  PHP: { file: 'sample.php', command: ['php'] },
} as const

const folder = mkdtempSync(join(tmpdir(), 'marquee-samples-'))
const place = await freshPlace('sqlite')
const house = await startTestService(place, withMail)
installClient(folder)
try {
  for (const [label, { file, command }] of Object.entries(languages)) {
    const world = await sampleWorld(house, label)
    await trackDevices(house, world)
    await setPartner(house.operator, world.partnerId, { series: 'all' })
    const samples = inRunnableOrder(endpoints).flatMap((endpoint) =>
      codeSamples(endpoint, valuesFor(world, label, endpoint)).filter((sample) => sample.label === label),
    )
    for (const { code } of samples) await runAlone(file, command, label === 'curl' ? failing(code) : code, world.env)
    console.log(JSON.stringify({ language: label, samples: samples.length, succeeded: samples.length }))
  }
} finally {
  await house.stop()
  await place.remove()
  rmSync(folder, { recursive: true, force: true })
}

/** curl ends well with a refusal too, unless told otherwise. */
function failing(code: string): string {
  return code.replace('curl ', 'curl -sSf ')
}

/** Ruby and PHP would go on after a warning: whatever is said there ends the run. */
async function runAlone(
  file: string,
  [program = '', ...words]: readonly string[],
  code: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const path = join(folder, file)
  writeFileSync(path, `${code}\n`)
  const { stderr } = await promisify(execFile)(program, [...words, path], { env, cwd: folder, maxBuffer: 1 << 26 })
  if (stderr !== '') throw new Error(`${code}\n${stderr}`)
}
