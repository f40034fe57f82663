/** Reports as partners get them, whole and byte for byte. */
import { before, test } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { matchesGolden } from '../support/golden.ts'
import { makeReportWorld, type ReportWorld } from '../support/report-world.ts'
import { serviceOn } from '../support/service.ts'

onEachEngine('the reports of a small world', (place) => {
  const service = serviceOn(place)
  const world = {} as ReportWorld
  before(async () => void Object.assign(world, await makeReportWorld(service)))

  const answers = {
    'reports/seo.xml': () => '/api/seo_report.xml',
    'reports/seo-legacy.xml': () => '/api/seo_report.xml?names=legacy',
    'reports/seo.json': () => '/api/seo_report.json',
    'reports/rankings.csv': () => '/api/seo_report.csv?table=rankings',
    'reports/backlinks.csv': () => '/api/seo_report.csv?table=backlinks',
    'reports/metrics.csv': () => '/api/seo_report.csv?table=metrics',
    'reports/detail.xml': () => `/api/accounts/${world.acme.accountId}/reputation_report/detail`,
    'reports/detail.json': () => `/api/accounts/${world.acme.accountId}/reputation_report/detail.json`,
    'reports/reviews.csv': () => `/api/accounts/${world.acme.accountId}/reputation_report/detail.csv`,
    'reports/counts.xml': () => `/api/accounts/${world.acme.accountId}/reputation_report/counts.xml`,
    'reports/counts.json': () => `/api/accounts/${world.acme.accountId}/reputation_report/counts.json`,
    'reports/counts.csv': () => `/api/accounts/${world.acme.accountId}/reputation_report/counts.csv`,
  }
  for (const [file, path] of Object.entries(answers)) {
    test(`acme reads ${file}`, async () => {
      const { text } = await world.acme.get(path(), { mayBeIllFormed: file.includes('legacy') })
      matchesGolden(file, text)
    })
  }
})
