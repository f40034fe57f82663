/** What it costs to be able to undo: bytes of the journal of a file of thirty days, and of the same file again, as it comes every night. */
import { sql } from 'kysely'
import { operatorOn } from '../src/cli/command.ts'
import { readSettings } from '../src/config.ts'
import { openApp } from '../src/model/core/app.ts'
import { importObservations } from '../src/model/imports/import.ts'
import type { ImportLine } from '../src/model/imports/import-line.ts'
import { createPartner } from '../src/model/partners/partners.ts'
import { freshPlace } from '../test/support/engines.ts'
import { type Line, line } from './measure.ts'

const keywords = 1_000
const engines = ['Google', 'Bing', 'Yahoo']
const days = 30
/** Of October and November, so that each keyword has two months. */
const firstDay = Date.UTC(2026, 9, 17)
const rankings = keywords * engines.length * days

export async function journal(): Promise<Line[]> {
  const place = await freshPlace('sqlite')
  const app = await openApp(readSettings(place.env))
  const operator = operatorOn(app)
  const { partner } = await createPartner(operator, 'Acme')
  const bytesOfImport = async () => {
    const { intakeId = 0 } = await importObservations(operator, { partnerId: partner.id }, lines(), { createMissing: true })
    const steps = app.store.db.selectFrom('intake_steps').where('intake_id', '=', intakeId)
    const { bytes } = await steps.select(sql<number>`sum(length(data))`.as('bytes')).executeTakeFirstOrThrow()
    return bytes
  }
  const [fresh, again] = [await bytesOfImport(), await bytesOfImport()]
  await app.close()
  await place.remove()
  const [each, eachAgain] = [fresh / rankings, again / rankings]
  const what = `${rankings.toLocaleString('en-US')} rankings of thirty days`
  return [
    line({ work: `journal of ${what}`, unit: 'bytes a ranking', ours: each, against: 'time, source and rank', theirs: 8, goal: '<= 1.1' }),
    line({ work: `journal of the same ${what}`, unit: 'bytes a ranking', ours: eachAgain, against: 'new', theirs: each, goal: '<= 0.25' }),
    line({ work: 'the same', unit: 'bytes a keyword-month', ours: again / keywords / 2, against: 'the goal', theirs: 24, goal: '<= 1.0' }),
  ]
}

async function* lines(): AsyncGenerator<readonly ImportLine[]> {
  let batch: ImportLine[] = []
  let number = 0
  for (let day = 0; day < days; day += 1)
    for (let keyword = 0; keyword < keywords; keyword += 1)
      for (const [place, search_engine] of engines.entries()) {
        const ranked_at = new Date(firstDay + day * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')
        const rank = ((keyword * 7 + day * 3 + place) % 100) + 1
        const about = { site: 'bench.example', phrase: `keyword ${keyword}`, search_engine, locale: 'en-us' }
        number += 1
        batch.push({ line: number, record: { type: 'ranking', ...about, ranked_at, rank } })
        if (batch.length < 1_000) continue
        yield batch
        batch = []
      }
  yield batch
}
