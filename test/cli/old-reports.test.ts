/** A partner leaves another service by saving its reports: what they say is said here again. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createAccount } from '../../src/model/partners/accounts.ts'
import { marquee } from '../support/command.ts'
import { freshPlace, onEachEngine, type Place } from '../support/engines.ts'
import { addSite, makeReportWorld, type ReportWorld } from '../support/report-world.ts'
import { serviceOn, startTestService, type TestPartner, type TestService } from '../support/service.ts'

const reports = {
  seo: (_: number, format: string) => `/api/seo_report.${format}`,
  detail: (account: number, format: string) => `/api/accounts/${account}/reputation_report/detail.${format}`,
  counts: (account: number, format: string) => `/api/accounts/${account}/reputation_report/counts.${format}`,
}
type Report = keyof typeof reports
const domains = ['plumbing.example', 'roofing.example', 'new.example']

onEachEngine('existing reports', (place) => {
  const old = serviceOn(place)
  const world = {} as ReportWorld
  const opened: (() => Promise<void>)[] = []
  before(async () => void Object.assign(world, await makeReportWorld(old)))
  after(async () => {
    for (const close of opened) await close()
  })

  for (const format of place.engine === 'sqlite' ? ['xml', 'json'] : ['xml']) {
    test(`reports in ${format.toUpperCase()} give the same reports after their import, but for the ids`, async () => {
      const { there, acme, run } = await newHome()
      const saved = await save(there, format)
      const result = await run(...saved, '--map', mapFile(there), '--as-of', '2026-03-31')
      assert.equal(result.code, 0, result.stderr)
      for (const report of Object.keys(reports) as Report[]) {
        const [said, saidHere] = [await answer(world.acme, report, format), await answer(acme, report, format)]
        assert.equal(anonymous(saidHere), anonymous(said), report)
      }
    })
  }

  // What follows is read before the database comes into it.
  if (place.engine === 'postgres') return

  test('a report with literal names is read as tolerantly as it was written, and hyphens become blanks', async () => {
    const { there, acme, run } = await newHome()
    const literal = async (partner: TestPartner) => (await partner.get('/api/seo_report.xml?names=legacy', { mayBeIllFormed: true })).text
    const file = join(there.folder, 'literal.xml')
    writeFileSync(file, await literal(world.acme))
    const result = await run(file, '--map', mapFile(there), '--as-of', '2026-03-31')
    assert.equal(result.code, 0, result.stderr)
    assert.equal(anonymous(await literal(acme)), anonymous(await literal(world.acme)))
    const { text } = await acme.get('/api/seo_report.json')
    assert.match(text, /"plumber chicago":/)
    await run(file, '--map', mapFile(there), '--keep-hyphens')
    assert.match((await acme.get('/api/seo_report.json')).text, /"plumber-chicago":/)
  })

  test('a phrase named like a list of the report keeps its rankings, an authority of 0 stays, and a review its id', async () => {
    const { there, acme, run } = await newHome()
    const words = ['sites', 'pages', 'keywords', 'competitors', 'accounts', 'keyword', 'site']
    const ranks = words.map(
      (word) =>
        `<keyword><${word} type="array"><${word}><search-engine>Google</search-engine><locale>en-us</locale><ranked-at>2026-03-01 00:00:00</ranked-at><rank type="integer">7</rank></${word}></${word}></keyword>`,
    )
    const [seo, detail] = [join(there.folder, 'lists.xml'), join(there.folder, 'reviews.xml')]
    writeFileSync(
      seo,
      `<hash><accounts type="array"><account><1><sites type="array"><site><${world.plumbingId}><keywords type="array">${ranks.join('')}</keywords><domain-authority type="integer">0</domain-authority><backlink-count type="integer">0</backlink-count></${world.plumbingId}></site></sites></1></account></accounts></hash>`,
    )
    writeFileSync(detail, await answer(world.acme, 'detail', 'xml'))
    const { code, stderr } = await run(seo, detail, '--map', mapFile(there), '--as-of', '2026-03-31')
    assert.equal(code, 0, stderr)
    const report = (await acme.get('/api/seo_report.json')).text
    for (const word of words) assert.match(report, new RegExp(`"${word}":\\[\\{[^}]*"rank":7`), word)
    assert.match(report, /"domain_authority":0/)
    const lines = (await marquee(there, `export --account ${acme.accountId} --kind reviews,snapshots`)).stdout
    assert.match(lines, /"ref":"\d+"/)
    assert.doesNotMatch(lines, /"backlink_count":0/)
  })

  test('a site nobody has named is refused, created on request, and known from then on', async () => {
    const { there, acme, run } = await newHome()
    const [seo = '', detail = ''] = await save(there, 'xml')
    const refused = await run(seo)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /Line 8: site 1 has no counterpart here/)
    const created = await run(seo, '--create-missing')
    assert.match(created.stdout, /kind,old,new\nsite,1,\d+\nsite,3,\d+\nsite,4,\d+/)
    assert.match((await run(detail)).stdout, /reviews +2 +2/)
    assert.match((await acme.get('/api/sites.json')).text, /site-1\.imported\.invalid/)
  })

  test('a document that is no report is told with its line', async () => {
    const { there, run } = await newHome()
    const file = join(there.folder, 'other.xml')
    writeFileSync(file, '<?xml version="1.0"?>\n<!DOCTYPE hash [<!ENTITY a "b">]>\n<hash/>')
    assert.match((await run(file)).stderr, /Line 2: is not a report: .*document type/)
    writeFileSync(file, '<hash>\n<accounts type="array">\n<account>\n</hash>')
    assert.match((await run(file)).stderr, /Line 4: is not a report/)
  })

  async function newHome() {
    const there = await freshPlace(place.engine)
    const service = await startTestService(there)
    opened.push(async () => {
      await service.stop()
      await there.remove()
    })
    const acme = await prepare(service)
    return { there, acme, run: (...words: string[]) => marquee(there, `import --account ${acme.accountId}`, ...words) }
  }

  /** The same domains under other ids. */
  async function prepare(service: TestService): Promise<TestPartner> {
    await service.partner('Other')
    const acme = await service.partner('Acme')
    await createAccount(service.operator, acme.id, 'Empty')
    for (const domain of domains) await addSite(service, acme.accountId, domain)
    return acme
  }

  async function save(there: Place, format: string): Promise<string[]> {
    const files: string[] = []
    for (const report of Object.keys(reports) as Report[]) {
      files.push(join(there.folder, `${report}.${format}`))
      writeFileSync(files.at(-1) as string, await answer(world.acme, report, format))
    }
    return files
  }

  function mapFile(there: Place): string {
    const file = join(there.folder, 'map.csv')
    const rivals = ['rival.example', '24hours.example'].map((domain, i) => `competitor,${i + 1},${domain}`)
    const sites = [world.plumbingId, world.roofingId, world.newId].map((id, i) => `site,${id},${domains[i]}`)
    writeFileSync(file, `kind,old,new\n${[...sites, ...rivals].join('\n')}\n`)
    return file
  }
})

async function answer(partner: TestPartner, report: Report, format: string): Promise<string> {
  const { status, text } = await partner.get(reports[report](partner.accountId, format))
  assert.equal(status, 200)
  return text
}

function anonymous(text: string): string {
  return text
    .replace(/<(id|page-id|location-id) type="integer">\d+</g, '<$1>ID<')
    .replace(/"(id|page_id|location_id)":\d+/g, '"$1":ID')
    .replace(/(<\/?)_x003\d_\d*( name="\d+")?>/g, '$1ID>')
    .replace(/(<\/?)\d+>/g, '$1ID>')
    .replace(/\{"(\d+)":\{/g, '{"ID":{')
}
