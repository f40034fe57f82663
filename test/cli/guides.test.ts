/** The guides for those who arrive, those who leave, and the desk: every command is run as it is printed. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { keyScopes } from '../../src/model/partners/keys/keys.ts'
import { appointStaff } from '../../src/model/people/staff/staff.ts'
import { importAccounts } from '../../src/model/transfers/import-accounts.ts'
import { ownerTables } from '../../src/model/transfers/kinds.ts'
import { bareEnvironment } from '../support/child-node.ts'
import { bytesOf } from '../support/data.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOn, type TestPartner, type TestService } from '../support/service.ts'
import { fill } from '../support/whole-accounts.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const shellBlocks = (page: string) =>
  [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code = '']) => code)

const measured = [
  { type: 'ranking', phrase: 'rolls', search_engine: 'Google', locale: 'en-us', ranked_at: '2026-10-01 00:00:00', rank: 2, which: 0 },
  { type: 'review', source: 'google', page_url: 'https://maps.example/1', rating: 4, date: '2026-10-01', ref: 'r1', which: 0 },
]

describe('the guides', () => {
  const places: Place[] = []
  const at = async () => {
    const place = await freshPlace('sqlite')
    places.push(place)
    return place
  }
  const [there, here] = [{} as Place, {} as Place]
  before(async () => {
    Object.assign(there, await at())
    Object.assign(here, await at())
  })
  const old = serviceOn(there)
  const house = serviceOn(here)
  const folder = mkdtempSync(join(tmpdir(), 'marquee-guides-'))
  after(async () => {
    rmSync(folder, { recursive: true })
    for (const place of places) await place.remove()
  })

  const partnerWithAll = async (service: TestService, name: string): Promise<TestPartner> => {
    const partner = await service.partner(name)
    const all = { scopes: keyScopes.join(' ') }
    await service.app.store.write((tx) => tx.updateTable('keys').set(all).where('partner_id', '=', partner.id).execute())
    return partner
  }
  const withSite = async (partner: TestPartner, domain: string) => {
    const business = await partner.client.createBusiness({ name: 'Bob' })
    return (await partner.client.createSite({ business_id: business.id, domain })).id
  }
  const shell = async (code: string, env: Record<string, string>) => {
    const bin = join(folder, 'bin')
    mkdirSync(bin, { recursive: true })
    const command = join(bin, 'marquee')
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin', 'marquee.js')}" "$@"\n`)
    chmodSync(command, 0o755)
    const { PATH = '' } = process.env
    const { stdout } = await run('sh', ['-euc', code], {
      cwd: folder,
      env: { ...bareEnvironment(), ...here.env, ...env, PATH: `${bin}:${PATH}` },
    })
    return stdout
  }
  const settled = async (partner: TestPartner) => {
    const intakes = () => Array.fromAsync(partner.client.listIntakes())
    await eventually(async () => (await intakes()).every(({ ended_at }) => ended_at !== null))
    return intakes()
  }
  const fileAt = (name: string) => join(folder, name)
  const linesOf = (name: string) => readFileSync(fileAt(name), 'utf8').trimEnd().split('\n')

  test('arriving: from another Marquee, with its ids, from another service, and from tools', async () => {
    // So that the ids of the other installation are free here.
    await old.app.store.write(async (tx) => {
      for (const table of Object.values(ownerTables)) await old.app.store.engine.raiseLastId(tx, table, 1000)
    })
    const leaver = await partnerWithAll(old, 'Leaver')
    await fill(old, leaver, 'leaver', measured)
    const other = await partnerWithAll(old, 'Other service')
    const oldSite = await withSite(other, 'harbor.example')
    const { refused } = await other.client.pushObservations(
      [
        {
          type: 'ranking',
          site: 'harbor.example',
          phrase: 'bread',
          search_engine: 'Google',
          locale: 'en-us',
          ranked_at: '2026-10-02 00:00:00',
          rank: 3,
        },
        {
          type: 'backlink',
          site: 'harbor.example',
          competitor: 'rival.example',
          domain: 'blog.example',
          found_on: '2026-10-02',
          link_strength: 1,
          source_url: 'https://blog.example/',
          domain_authority: 3,
          anchor_text: 'x',
        },
        {
          type: 'review_count',
          site: 'harbor.example',
          competitor: 'rival.example',
          page_url: 'https://maps.example/2',
          source: 'google',
          date: '2026-10-02',
          count: 1,
          rating_sum: 3,
        },
      ],
      { create_missing: true },
    )
    assert.equal(refused, 0)
    const report = async (path: string, name: string) => writeFileSync(fileAt(name), (await other.get(path)).text)
    const reputation = `/api/accounts/${other.accountId}/reputation_report`
    await report('/api/seo_report.xml', 'seo_report.xml')
    await report(`${reputation}/detail.xml`, 'detail.xml')
    await report(`${reputation}/counts.xml`, 'counts.xml')
    const [rival] = await Array.fromAsync(other.client.listCompetitors(oldSite))
    writeFileSync(fileAt('map.csv'), `kind,old,new\nsite,${oldSite},harbor.example\ncompetitor,${rival?.id},rival.example\n`)
    for (const name of ['serpbear.csv', 'moz.csv']) copyFileSync(join(root, 'docs', 'samples', name), fileAt(name))

    const arrived = await partnerWithAll(house, 'Arrived')
    const site = await withSite(arrived, 'example.com')
    const env = {
      ...{ SERVICE_URL: house.url, KEY: arrived.key, PASSWORD: arrived.password, SITE: String(site) },
      ...{ OLD_SERVICE_URL: old.url, OLD_KEY: leaver.key, OLD_PASSWORD: leaver.password },
    }
    const blocks = shellBlocks('arriving.md')
    assert.equal(blocks.length, 4)
    for (const block of blocks) {
      const said = await shell(block, env)
      if (block.includes('--keep-ids')) assert.match(said, /2 accounts: Leaver \((\d+), here \1\), Other \((\d+), here \2\)\./)
      for (const { state, faults } of await settled(arrived)) assert.ok(['stored', 'checked'].includes(state), JSON.stringify(faults))
    }
    const seo = (await arrived.get('/api/seo_report.json')).text
    for (const phrase of ['rolls', 'bread', 'plumber chicago']) assert.ok(seo.includes(`"${phrase}":`), phrase)
    assert.match(seo, /"rival\.example":\{/)
    const sites = await Array.fromAsync(arrived.client.listSites())
    const harbor = sites.find(({ domain }) => domain === 'harbor.example')
    const rivals = await Array.fromAsync(arrived.client.listCompetitors(harbor?.id ?? 0))
    assert.deepEqual(
      rivals.map(({ domain }) => domain),
      ['rival.example'],
    )
    assert.ok(sites.every(({ domain }) => !domain.endsWith('.invalid')))
  })

  test('leaving: the whole in one file that goes on where it was cut, and tables', async () => {
    const group = await partnerWithAll(old, 'Harbor Group')
    await fill(old, group, 'group', measured)
    const env = { SERVICE_URL: old.url, KEY: group.key, PASSWORD: group.password, ACCOUNT: String(group.accountId), ...there.env }
    const [whole = '', rest = '', ...others] = shellBlocks('leaving.md')
    await shell(whole, env)
    const complete = linesOf('accounts.ndjson').length
    writeFileSync(fileAt('accounts.ndjson'), `${linesOf('accounts.ndjson').slice(0, -2).join('\n')}\n`)
    await shell(rest, env)
    assert.ok(linesOf('accounts.ndjson').length > complete)
    for (const block of others) await shell(block, env)
    assert.equal(linesOf('users.csv').length, 3)
    assert.match(readFileSync(fileAt('rankings.csv'), 'utf8'), /rolls/)
    assert.match(readFileSync(fileAt('reviews.csv'), 'utf8'), /maps\.example/)
    assert.ok(linesOf('with-brands.ndjson').some((line) => line.startsWith('{"type":"brand"')))
    const back = await house.partner('Back')
    const { left_out, measured: stored } = await importAccounts(
      house.operator,
      { partnerId: back.id },
      readNdjson(bytesOf(linesOf('accounts.ndjson'))),
    )
    assert.deepEqual([left_out, stored.faults], [[], []])
  })

  test('the desk: many customers changed alike, tried first', async () => {
    const quay = await partnerWithAll(house, 'Quay')
    const [harbor, pier, neighbour] = [
      await quay.client.createCustomer({ name: 'Harbor', domain: 'harbor.quay.example' }),
      await quay.client.createCustomer({ name: 'Pier', domain: 'pier.quay.example' }),
      await quay.client.createCustomer({ name: 'Neighbour', domain: 'neighbour.quay.example' }),
    ]
    const user = await quay.client.createUser({
      login: 'ben-quay',
      email: 'ben@quay.example',
      password: 'correct horse battery',
      account_id: quay.accountId,
    })
    await appointStaff(house.operator, quay.id, user.id, { role: 'member', customers: 'all' })
    const env = {
      SERVICE_URL: house.url,
      KEY: quay.key,
      PASSWORD: quay.password,
      STAFF: String(user.id),
      CUSTOMERS: `${harbor.account_id} ${pier.account_id}`,
    }
    const [block = '', ...more] = shellBlocks('desk.md')
    assert.deepEqual(more, [])
    const stateOf = async ({ account_id: id }: { readonly account_id: number }) => {
      const [{ tags }, schedules, colleague] = [
        await quay.client.showCustomer(id),
        await quay.client.listReportSchedules(id),
        await quay.client.showColleague(id),
      ]
      const businesses = (await Array.fromAsync(quay.client.listBusinesses({ account_id: id }))).map(({ aasm_state }) => aasm_state)
      return [tags, schedules.length, colleague.staff_id, ...businesses]
    }
    const as = [await stateOf(harbor), await stateOf(pier), await stateOf(neighbour)]
    await shell(block.replace(" 'dry_run=0'", ''), env)
    assert.deepEqual([await stateOf(harbor), await stateOf(pier), await stateOf(neighbour)], as, 'a trial changes nothing')
    await shell(block, env)
    const changed = ['north, dental', 1, user.id, 'deactivated']
    assert.deepEqual([await stateOf(harbor), await stateOf(pier), await stateOf(neighbour)], [changed, changed, as[2]])
  })
})
