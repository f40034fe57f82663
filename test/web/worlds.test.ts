import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { SiteSummary } from '../../src/client/client.ts'
import { draftOf } from '../../src/fields/read.ts'
import { dayNumber, dayText } from '../../src/lib/time/days.ts'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { createAccount } from '../../src/model/partners/accounts.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { logIn } from '../../src/model/people/logins.ts'
import { createOwner } from '../../src/model/people/users.ts'
import { newBusiness } from '../../src/resources/business.ts'
import { newUser } from '../../src/resources/user.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { factsOf, type Pair, pairsOf, type ReviewReport, ranksOf, reviewsOf, type SiteReport } from '../support/page-oracle.ts'
import { deepWorld, type Line, manySites, oddWorlds } from '../support/page-worlds.ts'
import { unwantedWords } from '../support/plain-words.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

const password = 'correct horse battery'
const today = new Date().toISOString().slice(0, 10)
const day = (ago: number) => dayText(dayNumber(today) - ago)
/** 90 days and the 90 before. */
const ends = { from: day(89), to: today, beforeTo: day(90) }
const worlds = oddWorlds(today)

describe('what the pages say of sites of any shape', () => {
  let place: Place
  let service: TestService
  let acme: TestPartner
  let cookie: string
  let manyCookie: string
  const sites = new Map<string, number>()
  const reports = new Map<string, SiteReport>()

  before(async () => {
    place = await freshPlace('sqlite')
    service = await startTestService(place)
    acme = await service.partner('Acme')
    for (const domain of [...Object.keys(worlds), 'deep.example']) {
      const business = await createBusiness(
        service.operator,
        draftOf(newBusiness, { name: `Business of ${domain}`, account_id: acme.accountId }),
      )
      sites.set(domain, (await createSite(service.operator, business.id, domain)).id)
    }
    const manyAccount = (await createAccount(service.operator, acme.id, 'Many')).id
    await take(acme.accountId, [Object.values(worlds).flat()])
    await take(acme.accountId, deepWorld(today))
    await take(manyAccount, [manySites(today)])
    cookie = await enter('odd-owner', acme.accountId)
    manyCookie = await enter('many-owner', manyAccount)
  })
  after(async () => {
    await service?.stop()
    await place?.remove()
  })

  async function take(accountId: number, batches: Iterable<readonly Line[]>): Promise<void> {
    const bytes = (async function* () {
      for (const lines of batches) yield Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    })()
    const summary = await importObservations(service.operator, { partnerId: acme.id, accountId }, readNdjson(bytes), {
      createMissing: true,
    })
    assert.equal(summary.refused, 0, JSON.stringify(summary.faults[0]))
  }

  async function enter(login: string, account_id: number): Promise<string> {
    await createOwner(service.operator, draftOf(newUser, { login, email: `${login}@people.example`, password, account_id }))
    const visitor = { app: service.app, requestId: 'test', network: '192.0.2.1', hostPartnerId: null }
    return `__Host-session=${(await logIn(visitor, { name: login, password, isRemembered: false })).token}`
  }

  const get = async (path: string, who = cookie) => {
    const reply = await service.stranger.get(path, { headers: { cookie: who, accept: 'text/html' } })
    assert.equal(reply.status, 200, path)
    return reply.text
  }
  const search = (domain: string, query = '') => get(`/sites/${sites.get(domain)}/search${query}`)
  const reputation = (domain: string, query = '') => get(`/sites/${sites.get(domain)}/reputation${query}`)
  const csv = async (domain: string, table: string, page = 'search', query = '') =>
    rowsOf(await get(`/sites/${sites.get(domain)}/${page}.csv?table=${table}${query}`))

  async function reportOf(domain: string): Promise<SiteReport> {
    const known = reports.get(domain)
    if (known) return known
    const reply = (await acme.get(`/api/seo_report.json?site_id=${sites.get(domain)}`)).json() as {
      accounts: Record<string, { sites: Record<string, SiteReport>[] }>[]
    }
    const report = reply.accounts.flatMap((keyed) => Object.values(keyed)).flatMap((account) => account.sites)[0]?.[
      String(sites.get(domain))
    ]
    assert.ok(report, domain)
    reports.set(domain, report)
    return report
  }

  async function reviewsIn(domain: string) {
    const part = async (name: string) => {
      const { account } = (await acme.get(`/api/accounts/${acme.accountId}/reputation_report/${name}.json`)).json() as {
        account: { sites: { id: number; location: ReviewReport }[] }
      }
      return account.sites.find(({ id }) => id === sites.get(domain))?.location
    }
    return reviewsOf(await part('detail'), await part('counts'), ends.from, ends.to)
  }

  for (const domain of [...Object.keys(worlds), 'deep.example'])
    test(`${domain}: every figure of the page and of its CSV is the one in the report`, async () => {
      const pairs = pairsOf((await reportOf(domain)).keywords, ends)
      const [now, page] = [factsOf(ranksOf(pairs, 'now')), await search(domain)]
      if (now.pairs > 0) {
        assert.equal(figure(page, 'Visibility, of 100'), now.visibility.toFixed(1))
        assert.equal(figure(page, 'Keywords in the top 10'), `${now.keywordsTop10} of ${now.keywords}`)
        assert.equal(figure(page, 'Average position'), now.found === 0 ? '–' : grouped(now.average))
        const isPartly = now.found > 0 && now.found < now.pairs
        assert.equal(new RegExp(` of ${now.found}( keywords?)? found( over all engines)?`).test(text(page)), isPartly)
      } else assert.doesNotMatch(lead(page), /Visibility/)
      const both = (pair: Pair) => pair.now !== null && pair.before !== null
      const [after_, before_] = [factsOf(ranksOf(pairs, 'now', both)), factsOf(ranksOf(pairs, 'before', both))]
      if (now.found > 0) assert.ok(lead(page).includes(moved(after_.visibility - before_.visibility)), lead(page))
      const shown = pairs.filter(({ measuredOn }) => measuredOn !== null && measuredOn >= day(179 + 62))
      const rank = (value: number | null) => (value === null ? '' : value === 0 ? 'not found' : String(value))
      const expected = shown.map((pair) =>
        [
          spreadsheetSafe(pair.phrase),
          pair.engine.replace('google', 'Google'),
          pair.locale,
          rank(pair.now),
          rank(pair.before),
          rank(pair.best),
          pair.measuredOn,
        ].join('|'),
      )
      const rows = (await csv(domain, 'keywords')).map((row) => [...row.slice(0, 6), row[8]].join('|'))
      assert.deepEqual(rows.toSorted(), expected.toSorted())
    })

  for (const domain of [...Object.keys(worlds), 'deep.example'])
    test(`${domain}: the summary that programs read says what the page and the report say`, async () => {
      const reply = await acme.get(`/api/sites/${sites.get(domain)}/summary.json`)
      assert.equal(reply.status, 200, reply.text)
      assert.ok(Buffer.byteLength(reply.text) <= 4_096, `${Buffer.byteLength(reply.text)} bytes`)
      const { summary } = reply.json() as { summary: SiteSummary }
      const [pairs, page] = [pairsOf((await reportOf(domain)).keywords, ends), await search(domain)]
      const now = factsOf(ranksOf(pairs, 'now'))
      assert.deepEqual([summary.start_date, summary.end_date, summary.compared_end_date], [ends.from, ends.to, ends.beforeTo])
      assert.equal(summary.keywords_measured, now.keywords)
      assert.equal(summary.keywords_top_10, now.keywordsTop10)
      assert.equal(summary.visibility, now.pairs === 0 ? null : toFourDecimals(now.visibility))
      assert.equal(summary.average_position, now.found === 0 ? null : toFourDecimals(now.average))
      if (now.pairs > 0) {
        assert.equal(figure(page, 'Visibility, of 100'), summary.visibility?.toFixed(1))
        assert.equal(figure(page, 'Keywords in the top 10'), `${summary.keywords_top_10} of ${summary.keywords_measured}`)
      }
      const both = (pair: Pair) => pair.now !== null && pair.before !== null
      const [later, before_] = [factsOf(ranksOf(pairs, 'now', both)), factsOf(ranksOf(pairs, 'before', both))]
      assert.equal(summary.visibility_change, later.pairs === 0 ? null : toFourDecimals(later.visibility - before_.visibility))
      assert.equal(summary.keywords_top_10_change, later.pairs === 0 ? null : later.keywordsTop10 - before_.keywordsTop10)
      const order = (rank: number | null) => rank || Number.POSITIVE_INFINITY
      const moved = pairs.filter((pair) => both(pair) && pair.now !== pair.before)
      assert.equal(summary.better_count, moved.filter((pair) => order(pair.now) < order(pair.before)).length)
      assert.equal(summary.worse_count, moved.filter((pair) => order(pair.now) > order(pair.before)).length)
      for (const { phrase, rank, rank_before } of [...summary.better, ...summary.worse])
        assert.ok(moved.some((pair) => pair.phrase === phrase && (pair.now || null) === rank && (pair.before || null) === rank_before))
      const known = await reviewsIn(domain)
      assert.equal(summary.new_reviews ?? 0, known.count)
      const inList = (await acme.get(`/api/accounts/${acme.accountId}/summary.json`)).json() as { summaries: SiteSummary[] }
      const line = inList.summaries.find(({ site_id }) => site_id === sites.get(domain))
      assert.ok(line !== undefined)
      for (const name of [
        'visibility',
        'keywords_measured',
        'keywords_top_10',
        'keywords_lost',
        'rating',
        'new_reviews',
        'attention',
      ] as const)
        assert.equal(line[name], summary[name], `${name} in the list`)
    })

  test('a site that lost nine of ten keywords is not praised for its average', async () => {
    const page = await search('lost.example')
    assert.match(
      lead(page),
      /^Visibility 8\.5 of 100, down \d+\.\d points since .* 1 of 10 keywords stands in the top 10, 8 fewer than on .* 9 keywords are not found\. Visibility was \d+\.\d on average in this period\.$/,
    )
    assert.equal(figure(page, 'Not found') ?? figure(page, 'Keywords not found'), '9 of 10')
    assert.match(await search('lost.example', '?chart=position'), /class="missing"/)
    assert.match(page, /<path class="lost"/)
    assert.doesNotMatch(text(page), /Not measured|first 100 results|places up/)
  })

  test('a site that lost all says so, and since when', async () => {
    assert.equal(lead(await search('all-lost.example')), `None of the 4 keywords is found now. Not found since ${said(day(14))}.`)
  })

  test('the headline is now, not the mean of the period', async () => {
    const page = await search('climbing.example')
    assert.equal(figure(page, 'Average position'), '6.5')
    assert.match(page, /<span class="change up better" title="15\.0 places up">/, 'up is better, and the words say so')
    assert.match(text(await search('climbing.example', '?chart=position')), /From 20\.\d on .* to 6\.5 on /)
  })

  test('a weekly site stands where it was measured five days ago, without gaps', async () => {
    const page = await search('weekly.example', '?days=7')
    assert.match(lead(page), /^Visibility \d/)
    const whole = await search('weekly.example')
    assert.doesNotMatch(text(whole), /Not measured/)
    const [, spark = ''] = /class="trend"><svg[^>]*><path d="([^"]*)"/.exec(whole) ?? []
    assert.equal(spark.match(/M/g)?.length, 1, `the trend is one line and no row of dots: ${spark}`)
  })

  test('a site last measured long ago says since when, never that nothing was found', async () => {
    assert.equal(lead(await search('stale.example')), `Not measured since ${said(day(100))}.`)
    assert.equal(lead(await search('ancient.example')), `Not measured since ${said(day(500))}.`)
    assert.equal(lead(await search('stale.example', `?from=${day(140)}&to=${day(101)}`)).startsWith('Visibility'), true)
    for (const [domain, ago] of [
      ['stale.example', 100],
      ['ancient.example', 500],
    ] as const) {
      const page = await search(domain)
      assert.equal(page.match(/<figure/g), null, 'no frame without a line')
      assert.match(text(page), new RegExp(`No positions in this period Positions were last measured on ${said(day(ago))}`))
      const then = /href="([^"]*)">Show the 90 days until then/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
      assert.match(lead(await get(then)), /^Visibility /)
    }
    const home = rowsIn(await get('/'), 'sites')
    assert.match(home.get('stale.example') ?? '', new RegExp(`not measured since ${said(day(100))}`))
  })

  test('a site with nothing shows one friendly card and no empty frame', async () => {
    for (const page of [await search('nothing.example'), await reputation('nothing.example')]) {
      assert.match(text(page), /(Nothing has been measured yet|No review page of this business is known yet)/)
      assert.equal(page.match(/<figure/g), null)
    }
  })

  test('a site with a figure or two has no frame without a line', async () => {
    const page = await search('uneven.example')
    assert.doesNotMatch(page, /id="load-time"|id="indexed-pages"/)
    assert.match(await search('uneven.example', '?chart=position'), /id="positions"/)
    assert.match(await search('uneven.example', '?chart=nonsense'), /id="visibility"/)
  })

  test('every page of them is told in plain words', async () => {
    assert.deepEqual(unwantedWords('<p>The hatched foot</p><code>null</code>'), ['hatched', 'foot'])
    for (const [domain, id] of sites) {
      const page = await search(domain, '?print=all')
      const keyword = new RegExp(`/sites/${id}/keywords/\\d+`).exec(page)?.[0]
      const pages = [page, await reputation(domain), ...(keyword ? [await get(keyword)] : [])]
      for (const one of pages) assert.deepEqual(unwantedWords(one), [], domain)
    }
    assert.deepEqual(unwantedWords(await get('/')), [])
  })

  test('one point is drawn and told as one', async () => {
    const page = await search('one-point.example')
    assert.match(page, /<circle class="dot own"/)
    assert.match(text(page), /Visibility over time \d+\.\d on [^.]*, the only day measured in this period\./)
    assert.match(text(await search('one-point.example', '?chart=position')), /Found on one day only: 12\.0 on [^.]*\./)
    assert.match(
      text(await search('one-point.example', '?chart=missing')),
      /0 of 1 not found on [^,]*, counted on each engine and locale\./,
    )
    assert.match(lead(page), /with nothing to compare it with\. 0 of 1 keyword stands in the top 10/)
    const bands = await search('one-point.example', '?chart=top10')
    assert.match(bands, /class="band-\d"\/><\/svg><a href="[^"]*">11–20</, 'the colour of the only band is explained')
    assert.doesNotMatch(text(page), /1 keywords|1 days/)
  })

  test('a trend is broken only where a measurement is missing, and the change is that of the best position', async () => {
    const page = await search('oranges.example')
    const trends = [...page.matchAll(/class="trend"><svg[^>]*>(.*?)<\/svg>/g)].map(([, drawn = '']) => drawn)
    assert.equal(trends.length, 15)
    for (const drawn of trends) assert.match(drawn, /^<path d="M[^M]*"\/>$/, 'measured every four days, and one line')
    for (const domain of ['oranges.example', 'deep.example']) {
      const pairs = pairsOf((await reportOf(domain)).keywords, ends)
      const best = (some: readonly Pair[], when: 'now' | 'before') =>
        Math.min(...some.map((pair) => pair[when] || Number.POSITIVE_INFINITY))
      const table = (await search(domain)).split('id="keyword-table"')[1] ?? ''
      const shown = table.split('<tr><th scope="row"').slice(1)
      for (const row of shown.slice(0, 15)) {
        const phrase = text(/class="rowlink"[^>]*>([\s\S]*?)<\/a>/.exec(row)?.[1] ?? '')
        const both = pairs.filter((pair) => pair.phrase === phrase && pair.now !== null && pair.before !== null)
        const gained = best(both, 'before') - best(both, 'now')
        const said =
          gained === 0 ? 'unchanged' : `${gained > 0 ? 'up' : 'down'} ${Math.abs(gained)} place${Math.abs(gained) === 1 ? '' : 's'}`
        assert.match(/data-l="Change">(.*?)<\/td>/.exec(row)?.[1] ?? '', new RegExp(`\\(${said}\\)`), `${domain}: ${phrase}`)
      }
    }
  })

  test('competitors are compared on the keywords measured for both, and the page says on how many', async () => {
    const report = await reportOf('oranges.example')
    const [own, rival] = [pairsOf(report.keywords, ends), pairsOf(report.competitors[0]?.['pears.example']?.keywords ?? [], ends)]
    const isShared = (pair: Pair) => rival.some((one) => one.phrase === pair.phrase && one.engine === pair.engine)
    const [mine, theirs] = [factsOf(ranksOf(own, 'now', isShared)), factsOf(ranksOf(rival, 'now'))]
    const [, row] = await csv('oranges.example', 'competitors')
    assert.deepEqual(row?.slice(0, 2), ['pears.example', '24 of 75'])
    assert.deepEqual(
      row?.slice(2, 4).map(Number),
      [theirs.visibility, mine.visibility].map((value) => Math.round(value * 10_000) / 10_000),
    )
    const page = await search('oranges.example')
    assert.doesNotMatch(page, /class="line rival-1"/, 'not beside a line of other keywords')
    assert.match(
      text(await search('oranges.example', '?rivals=on&chart=position')),
      /All lines are of the 24 of 75 keywords measured for every site drawn, counted on each engine/,
    )
  })

  test('a keyword has a row only where it was measured, all measurements of a day count, and no rank becomes another', async () => {
    const rows = await csv('uneven.example', 'keywords')
    assert.deepEqual(
      rows.filter(([phrase]) => phrase === 'google alone').map(([, engine]) => engine),
      ['Google'],
    )
    assert.deepEqual(rows.find(([phrase]) => phrase === 'twice a day')?.slice(3, 6), ['50', '', '2'])
    assert.equal(rows.find(([phrase]) => phrase === 'far away')?.[3], '900')
    const page = await search('uneven.example')
    assert.match(page, /Over 100/)
    assert.equal((await csv('uneven.example', 'bands')).at(-1)?.[7], '1')
    assert.match(text(page), /It has no authority\./)
    assert.match(text(page), /Links to this site have been counted, but not listed/)
    assert.match(text(await search('weekly.example')), /Links to this site have not been measured/)
    assert.equal((page.match(/<a class="rowlink"/g) ?? []).length, 4, 'one row a phrase')
    assert.match(text(page), /4 of 6 over all engines/)
    const positions = await search('uneven.example', '?chart=position')
    assert.match(text(positions), /The line counts what was measured on each day; the figure at the top, 162\.8, the latest measurement/)
    for (const chart of ['position', 'missing'])
      assert.doesNotMatch(text(await search('climbing.example', `?chart=${chart}`)), /The line counts/)
  })

  test('reviews have one truth: counted where counted, listed where not, and a difference is told', async () => {
    for (const domain of ['reviews-only.example', 'counts-only.example', 'both.example']) {
      const [facts, page] = [await reviewsIn(domain), await reputation(domain)]
      assert.equal(figure(page, 'New reviews'), String(facts.count), domain)
      assert.match(lead(page), new RegExp(`${facts.count} new reviews, ${facts.rating.toFixed(1)} stars on average`))
      assert.doesNotMatch(text(page), /Nobody has reviewed|No reviews in this period/)
      if (domain !== 'counts-only.example') assert.doesNotMatch(text(page), new RegExp(`${facts.count} more`), 'nothing is known of before')
      const weeks = await csv(domain, 'ratings', 'reputation')
      assert.equal(
        weeks.reduce((sum, row) => sum + Number(row[2]), 0),
        facts.count,
        `the CSV of ${domain}`,
      )
      const home = await get('/sites.csv')
      assert.equal(rowsOf(home).find(([site]) => site === domain)?.[12], String(facts.count), `the first page of ${domain}`)
    }
    assert.match(text(await reputation('both.example')), /The figures count 116 reviews in this period; 117 are listed/)
    assert.match(text(await reputation('counts-only.example')), /none of them is listed/)
    const [listed, counted] = [await reputation('reviews-only.example'), await reputation('counts-only.example')]
    assert.equal(figure(listed, 'Share of 1–2 stars'), '40%')
    assert.doesNotMatch(text(listed), /The thin bars/, 'there are none where nothing was listed before')
    assert.match(/id="ratings"[\s\S]*?class="line own" d="([^"]*)"/.exec(listed)?.[1] ?? '', /^M[^M]*$/, 'three weeks, one line')
    assert.match(text(counted), /Stars The reviews of this period are counted, but none is listed with its stars\./)
    assert.doesNotMatch(counted, /★/, 'no bar says that nobody gave these stars')
    for (const page of [listed, counted]) assert.doesNotMatch(page, /table=competitors/, 'nothing to take along')
  })

  test('what needs attention says why, and the sentence speaks of the same sites', async () => {
    const page = await get('/')
    const rows = rowsIn(page, 'sites')
    assert.match(rows.get('lost.example') ?? '', /9 keywords are no longer found · 8 keywords left the top 10/)
    assert.match(rows.get('reviews-only.example') ?? '', /2 new reviews of one or two stars/)
    assert.doesNotMatch(rows.get('climbing.example') ?? '', /left|longer|stars|since/)
    const needing = Number(/; (\d+) need attention/.exec(lead(page))?.[1])
    assert.equal([...page.matchAll(/class="reasons"/g)].length, needing)
    assert.deepEqual([...rowsIn(await get('/?reason=lost'), 'sites').keys()].toSorted(), ['all-lost.example', 'lost.example'])
    assert.equal(rowsIn(await get('/?reason=nonsense'), 'sites').size, rows.size, 'a reason that does not exist hides nothing')
  })

  test('the trend of a site is that of its visibility: it falls where keywords are lost, although their average gets better', async () => {
    const page = await get('/')
    const heights = (domain: string) => {
      const row = page.split('<tr>').find((one) => one.includes(`>${domain.split('.')[0]}.<wbr>`)) ?? ''
      const [, path = ''] = /class="spark"[^>]*><path d="([^"]*)"/.exec(row) ?? []
      return [...path.matchAll(/[ML]\d+ (\d+)/g)].map(([, y]) => Number(y))
    }
    const [lost, climbing] = [heights('lost.example'), heights('climbing.example')]
    assert.ok((lost.at(-1) ?? 0) > (lost[0] ?? 0) + 10, `lost.example goes down: ${lost}`)
    assert.ok((climbing.at(-1) ?? 99) < (climbing[0] ?? 0) - 10, `climbing.example goes up: ${climbing}`)
  })

  test('sites are added up by business: each once, with the visibility of all their keywords', async () => {
    const groups = rowsIn(await get('/?group=business'), 'groups')
    const sites = Map.groupBy(rowsOf(await get('/sites.csv')), ([, business = '']) => business)
    assert.deepEqual([...groups.keys()].toSorted(), [...sites.keys()].toSorted())
    for (const [business, rows] of sites) {
      const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0)
      const [pairs, worth] = [sum(9), rows.reduce((total, row) => total + Number(row[2]) * Number(row[9]), 0)]
      const told = groups.get(business) ?? ''
      assert.ok(told.startsWith(`${business} ${rows.length} `), told)
      if (pairs > 0) assert.ok(told.includes(` ${(worth / pairs).toFixed(1)} `) && told.includes(`${sum(5)} of ${sum(4)}`), told)
      else assert.match(told, /not measured/)
    }
    assert.doesNotMatch(await get('/'), /id="groups"/)
    assert.doesNotMatch(await get('/?group=nonsense'), /id="groups"/)
  })

  test('search, sort and pages see all 500 sites, without script', async () => {
    const first = rowsIn(await get('/?sort=site', manyCookie), 'sites')
    assert.deepEqual([first.size, [...first.keys()][0]], [100, 'site-000.example'])
    assert.deepEqual([...rowsIn(await get('/?sort=site&order=down', manyCookie), 'sites').keys()][0], 'site-499.example')
    assert.deepEqual([...rowsIn(await get('/?sort=site&page=5', manyCookie), 'sites').keys()].at(-1), 'site-499.example')
    assert.deepEqual([...rowsIn(await get('/?q=site-432', manyCookie), 'sites').keys()], ['site-432.example'])
    assert.match(
      await get('/', manyCookie),
      /class="stacks top-ten".*Show all 100 of this page/,
      'a phone shows ten and the way to the others',
    )
    assert.doesNotMatch(await get('/?rows=all', manyCookie), /top-ten|Show all/)
    assert.match(lead(await get('/', manyCookie)), /500 sites; 50 need attention: 50 sites lost places in the top 10\./)
    assert.equal(rowsOf(await get('/sites.csv', manyCookie)).length, 500)
  })

  test('search, sort and pages see all keywords, without script', async () => {
    const phrases = async (query: string) => [...rowsIn(await search('deep.example', query), 'keyword-table').keys()]
    assert.equal((await phrases('')).length, 15)
    assert.equal((await phrases('?page=8')).length, 15)
    assert.deepEqual(await phrases('?q=keyword+119'), ['keyword 119'])
    assert.equal((await csv('deep.example', 'keywords', 'search', '&q=keyword+119')).length, 3)
    const file = await fetch(`${service.url}/sites/${sites.get('deep.example')}/search.csv?table=keywords`, { headers: { cookie } })
    assert.equal(file.headers.get('content-length'), null, 'the file is sent as it is made')
    assert.equal(rowsOf(await file.text()).length, 360)
    assert.match(await search('deep.example', '?page=2&sort=now'), /\?page=3&amp;sort=now#keywords" rel="next"/)
  })

  test('names are those that people know, and hostile ones are only names', async () => {
    const page = await search('xn--bckerei-5wa.example')
    assert.match(text(page), /bäckerei\.example/)
    assert.match(page, /&quot;&gt;&lt;script&gt;alert\(1\)/)
    assert.doesNotMatch(page, /<script>alert/)
    const keyword = /\/sites\/\d+\/keywords\/\d+/.exec(page)?.[0] ?? ''
    assert.match(text(await get(keyword)), /on Google en-us/, 'without an engine in its address the page has its title')
  })

  test('on paper there is a summary, what changed, why it needs attention, and an appendix with the whole tables', async () => {
    const deep = await search('deep.example', '?print=all')
    assert.equal(rowsIn(deep, 'keyword-table').size, 120)
    assert.match(text(deep), /Better since .* \d+ keywords.* Worse since .* Appendix The keywords and the links/)
    assert.match(
      text(await search('deep.example')),
      /This sheet holds 15 of 120 keywords; the print view holds all/,
      'what is left out is said',
    )
    assert.match(
      text(await search('lost.example', '?print=all')),
      /Needs attention 9 keywords are no longer found 8 keywords left the top 10/,
    )
    const head = /<link rel="stylesheet" media="print" href="(\/print\.css\?[^"]*)"/.exec(deep)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.match(await get(head), /@top-right\{content:"deep\\2e example \\b7 {2}Search [^"]*"\}\}?@bottom-right\{content:counter\(page\)/)
    assert.doesNotMatch(await get(`/print.css?left=${encodeURIComponent('";}*{display:none}\\')}`), /display:none/)
  })

  test('two years of 120 keywords on three engines stay below 60 KB', async () => {
    for (const query of ['', `?from=${day(729)}&to=${today}`]) {
      const reply = await fetch(`${service.url}/sites/${sites.get('deep.example')}/search${query}`, {
        headers: { cookie, accept: 'text/html', 'accept-encoding': 'br' },
      })
      const length = Number(reply.headers.get('content-length'))
      assert.ok(length > 5_000 && length < 60 * 1024, `${query} weighs ${length} bytes`)
      assert.equal(reply.headers.get('content-encoding'), 'br')
      await reply.body?.cancel()
    }
  })
})

function lead(page: string): string {
  return text(/<p class="lead">([\s\S]*?)<\/p>/.exec(page)?.[1] ?? '').replace(/^Hello [\w-]+\. /, '')
}

/** The value of a figure by its label. */
function figure(page: string, label: string): string | undefined {
  const [, value] = new RegExp(`<dt>(?:<a[^>]*>)?${label}(?:</a>)?</dt><dd>(.*?)(?: <span class="change|</dd>)`).exec(page) ?? []
  return value === undefined ? undefined : text(value)
}

/** The words of a piece of markup, as one would read them. */
function text(markup: string): string {
  const words = markup
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<\/(th|td|dt|dd|p|h\d|li|a|small|summary|b)>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
  return words
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The rows of a table by what stands first in them. */
function rowsIn(page: string, id: string): Map<string, string> {
  const body = page.split(`id="${id}"`)[1]?.split('<tbody>')[1]?.split('</tbody>')[0] ?? ''
  return new Map(
    body
      .split('<tr>')
      .slice(1)
      .map((row) => [text(/class="rowlink"[^>]*>([\s\S]*?)<\/a>/.exec(row)?.[1] ?? ''), text(row)]),
  )
}

function rowsOf(csv: string): string[][] {
  return csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .slice(0, -1)
        .map(([, cell = '']) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)),
    )
}

function spreadsheetSafe(phrase: string): string {
  return /^[=+\-@]/.test(phrase) ? `'${phrase}` : phrase
}

function toFourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

function moved(points: number): string {
  if (Number.isNaN(points)) return 'with nothing to compare it with'
  const size = Math.abs(points).toFixed(1)
  return size === '0.0' ? 'the same as on' : `${points > 0 ? 'up' : 'down'} ${size} points since`
}

function grouped(value: number): string {
  return value.toLocaleString('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

function said(of: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(of))
}
