/** Files of trackers with devices, countries and places: a command that was used before goes on in its series, and nothing is stored in place of another. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { undoIntake } from '../../src/model/intakes/undo.ts'
import { marquee } from '../support/command.ts'
import { onEngine } from '../support/engines.ts'
import { addSite } from '../support/report-world.ts'
import { serviceOn } from '../support/service.ts'

const headOfSerpBear = 'ID,Keyword,Position,URL,Country,State,City,Device,Updated,Added,Tags'

/** `US mobile 9` on a day, as SerpBear writes it. */
function serpBear(day: string, ...ranks: readonly string[]): string {
  const rows = ranks.map((text, id) => {
    const [country, device, rank, city = '-'] = text.split(' ')
    return `${id}, dentist, ${rank}, https://harbor.example/, ${country}, -, ${city}, ${device}, 2026-11-${day}T05:00:00.000Z, 2026-01-02T00:00:00.000Z, `
  })
  return [headOfSerpBear, ...rows].join('\n')
}

onEngine('sqlite', 'files with devices', (place) => {
  const house = serviceOn(place)
  let many = 0

  async function newcomer() {
    const partner = await house.partner(`Partner ${many++}`)
    const siteId = await addSite(house, partner.accountId, 'harbor.example')
    const file = join(place.folder, `file-${many}.csv`)
    const take = async (text: string, ...options: string[]) => {
      writeFileSync(file, text)
      const { code, stdout, stderr } = await marquee(place, `import --site ${siteId} --create-missing --json`, file, ...options)
      const { import: told } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
        import: { intake: number; notices: string[]; faults: { message: string }[] }
      }
      return { code, stderr, ...told }
    }
    const exported = async (kind = 'rankings'): Promise<string[]> => {
      const lines = (await marquee(place, `export --account ${partner.accountId} --kind ${kind}`)).stdout.trim().split('\n')
      const records = lines.map((line) => JSON.parse(line) as Record<string, string | number>)
      return records.map(({ search_engine, device, location, locale, ranked_at, date, rank, clicks, average_position }) =>
        [
          search_engine,
          device ?? '',
          location ?? '',
          locale ?? '',
          String(ranked_at ?? date).slice(8, 10),
          rank ?? clicks ?? average_position,
        ].join('/'),
      )
    }
    return { partner, siteId, take, exported }
  }

  test('a tracker of two countries and devices gets three series, of which the official preset needs no option', async () => {
    const { take, exported } = await newcomer()
    const { code, notices } = await take(serpBear('14', 'US desktop 3', 'US mobile 9', 'GB desktop 21'), '--preset', 'serpbear')
    assert.equal(code, 0)
    assert.deepEqual((await exported()).toSorted(), ['Google///en-gb/14/21', 'Google///en-us/14/3', 'Google/mobile//en-us/14/9'])
    assert.deepEqual(notices, [
      'Ranks on desktop (Google en-us) are stored as those without a device; --devices stores every device by name.',
      'Ranks on desktop (Google en-gb) are stored as those without a device; --devices stores every device by name.',
    ])
  })

  test("yesterday's file, taken when nobody asked for devices, and today's file by the same command give one series", async () => {
    const { take, exported } = await newcomer()
    await take(
      'keyword,rank,ranked_at\ndentist,4,2026-11-13\n',
      '--columns',
      'keyword=phrase',
      '--set',
      'search_engine=Google',
      '--set',
      'locale=en-us',
    )
    for (const day of ['14', '15'])
      await take(
        `keyword,rank,ranked_at,device\ndentist,3,2026-11-${day},Desktop\n`,
        '--columns',
        'keyword=phrase',
        '--set',
        'search_engine=Google',
        '--set',
        'locale=en-us',
      )
    assert.deepEqual(await exported(), ['Google///en-us/13/4', 'Google///en-us/14/3', 'Google///en-us/15/3'])
  })

  test('a mobile file, then a desktop file, by one command, give two series; who asks for names gets them', async () => {
    const { take, exported } = await newcomer()
    assert.match(
      (await take(serpBear('13', 'US mobile 9'))).notices.join(),
      /Ranks on mobile \(Google en-us\) are stored as those without a device/,
    )
    assert.match(
      (await take(serpBear('14', 'US desktop 3'))).notices.join(),
      /Ranks on desktop \(Google en-us\) are a series of their own: those without a device are of mobile/,
    )
    await take(serpBear('15', 'US mobile 8', 'US desktop 2'))
    assert.deepEqual(await exported(), [
      'Google///en-us/13/9',
      'Google/desktop//en-us/14/3',
      'Google///en-us/15/8',
      'Google/desktop//en-us/15/2',
    ])
    assert.deepEqual((await take(serpBear('16', 'US mobile 7'), '--devices')).notices, [])
    assert.deepEqual((await exported()).at(-1), 'Google/mobile//en-us/16/7')
  })

  test('whoever stores all by name from the first file on goes on so without being told again', async () => {
    const { take, exported } = await newcomer()
    await take(serpBear('13', 'US desktop 3'), '--devices')
    await take(serpBear('14', 'US desktop 4'))
    assert.deepEqual(await exported(), ['Google/desktop//en-us/13/3', 'Google/desktop//en-us/14/4'])
  })

  test('a mapping says which device and location are the plain ones', async () => {
    const { take, exported } = await newcomer()
    await take(
      serpBear('13', 'US desktop 3 Boston', 'US mobile 9 Chicago', 'US mobile 8 Boston'),
      '--plain-device',
      'Mobile',
      '--plain-location',
      'chicago',
    )
    assert.deepEqual(await exported(), ['Google///en-us/13/9', 'Google//Boston/en-us/13/8', 'Google/desktop/Boston/en-us/13/3'])
  })

  test('ranks without a device in the file are the plain ones, and none is stored in their place', async () => {
    const { take, exported } = await newcomer()
    const columns = ['--columns', 'keyword=phrase', '--set', 'search_engine=Google', '--set', 'locale=en-us', '--date', '2026-11-14']
    await take('keyword,rank,device\ndentist,4,\ndentist,3,desktop\n', ...columns)
    assert.deepEqual(await exported(), ['Google///en-us/14/4', 'Google/desktop//en-us/14/3'])
  })

  test('what the first file called plain is forgotten with it, unless a later one went on with that', async () => {
    const { take, exported } = await newcomer()
    const { intake } = await take(serpBear('13', 'US mobile 9'))
    await undoIntake(house.operator, intake)
    await take(serpBear('13', 'US desktop 3'))
    assert.deepEqual(await exported(), ['Google///en-us/13/3'])
    const [, second] = [await take(serpBear('14', 'US desktop 3')), await take(serpBear('15', 'US desktop 3'))]
    await undoIntake(house.operator, second.intake)
    await take(serpBear('16', 'US mobile 5'))
    assert.equal((await exported()).at(-1), 'Google/mobile//en-us/16/5')
  })

  test('clicks keep their device, and the total of a day is never one of them', async () => {
    const { take, exported } = await newcomer()
    const rows = ['dentist,2026-11-14,DESKTOP,5,50,3', 'dentist,2026-11-14,MOBILE,9,90,4']
    const { code } = await take(
      `query,date,device,clicks,impressions,position\n${rows.join('\n')}\n`,
      '--preset',
      'search-console',
      '--set',
      'locale=en-us',
    )
    assert.equal(code, 0)
    assert.deepEqual(await exported('click_counts'), ['Google/desktop///14/5', 'Google/mobile///14/9'])
    assert.deepEqual(await exported('average_positions'), ['Google/desktop//en-us/14/3', 'Google/mobile//en-us/14/4'])
  })

  test('a country gives the locale with the language of the file or of the command; a locale for all rows allows one country', async () => {
    const { take, exported } = await newcomer()
    const told = ['--columns', 'keyword=phrase', '--set', 'search_engine=Google', '--date', '2026-11-14']
    const countries = ['Switzerland', 'deu', 'US', 'The Bahamas'].map((country, i) => `dentist,${i + 1},${country}`).join('\n')
    await take(`keyword,rank,country\n${countries}\n`, ...told, '--language', 'de')
    await take('keyword,rank,country,language\ndentist,7,Brazil,pt\n', ...told)
    assert.deepEqual(
      (await exported()).map((line) => line.split('/')[3]),
      ['de-bs', 'de-ch', 'de-de', 'de-us', 'pt-br'],
    )
    const both = `keyword,rank,country\ndentist,1,US\ndental,2,GB\n`
    const refused = await take(both, ...told, '--set', 'locale=en-us')
    assert.equal(refused.code, 1)
    assert.match(refused.faults[0]?.message ?? '', /leave out --set locale/)
    assert.equal((await take(both.replace('GB', 'US'), ...told, '--set', 'locale=xx')).code, 0)
    assert.match((await take('keyword,rank,country\ndentist,1,Atlantis\n', ...told)).faults[0]?.message ?? '', /country is no country/)
  })

  test('a mapping that was saved with a locale keeps it, and says so', async () => {
    const { take, exported } = await newcomer()
    const told = ['--columns', 'keyword=phrase', '--set', 'search_engine=Google', '--set', 'locale=en-us', '--date', '2026-11-14']
    await take('keyword,rank,country\ndentist,1,US\n', ...told, '--save-mapping', 'old')
    const { code, notices } = await take('keyword,rank,country\ndentist,1,US\ndental,2,GB\n', '--mapping', 'old')
    assert.equal(code, 0)
    assert.match(notices.join(), /The saved mapping keeps its locale/)
    assert.deepEqual(await exported(), ['Google///en-us/14/1', 'Google///en-us/14/2'])
  })
})
