/** Saved mappings over the API: a partner sees its own, renames and deletes them, and nobody else's. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { InvalidRequestError, Marquee, NotFoundError, PermissionError } from '../../src/client/client.ts'
import type { Failure } from '../../src/lib/failures.ts'
import { deleteMapping, listMappings, renameMapping, saveMapping } from '../../src/model/imports/csv/saved-mappings.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { beforeCommit } from '../support/before-commit.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn } from '../support/service.ts'

onEachEngine('saved mappings', (place) => {
  const house = serviceOn(place)
  let acme: Marquee
  let globex: Marquee
  let limited: Marquee

  before(async () => {
    const clientOf = async (partnerId: number, account_ids: string | null = null) => {
      const { key, password } = await issueKey(house.operator, partnerId, { scopes: ['ingest'], account_ids })
      return new Marquee({ url: house.url, key, password })
    }
    const [one, other] = [await house.partner('Acme'), await house.partner('Globex')]
    acme = await clientOf(one.id)
    globex = await clientOf(other.id)
    limited = await clientOf(one.id, String(one.accountId))
    const words = { preset: 'serpbear', set: 'locale=en-us\nsite=example.com', round: true, encoding: 'windows-1252' } as const
    for (const name of ['weekly', 'daily ü']) await saveMapping(house.operator, one.id, name, words)
    await saveMapping(house.operator, other.id, 'weekly', {})
  })
  const namesOf = async (client: Marquee) => (await client.listMappings()).map(({ name }) => name)

  test('are listed with every option, and found by name', async () => {
    assert.deepEqual(await namesOf(acme), ['daily ü', 'weekly'])
    const [found, ...others] = await acme.listMappings({ mapping_name: 'daily ü' })
    assert.deepEqual(others, [])
    assert.deepEqual(found?.options, [
      { name: 'preset', value: 'serpbear' },
      { name: 'set', value: 'locale=en-us\nsite=example.com' },
      { name: 'round', value: '1' },
      { name: 'encoding', value: 'windows-1252' },
    ])
    assert.deepEqual(await acme.listMappings({ mapping_name: 'none' }), [])
    assert.deepEqual(await namesOf(limited), ['daily ü', 'weekly'])
  })

  test('get another name, unless it is taken, and those of others are not there', async () => {
    assert.equal((await acme.renameMapping({ name: ' nightly ' }, { mapping_name: 'daily ü' })).name, 'nightly')
    assert.deepEqual(await namesOf(acme), ['nightly', 'weekly'])
    assert.equal((await acme.renameMapping({ name: 'nightly' }, { mapping_name: 'nightly' })).name, 'nightly')
    await assert.rejects(acme.renameMapping({ name: 'weekly' }, { mapping_name: 'nightly' }), InvalidRequestError)
    await assert.rejects(globex.renameMapping({ name: 'mine' }, { mapping_name: 'nightly' }), NotFoundError)
    await assert.rejects(globex.deleteMapping({ mapping_name: 'nightly' }), NotFoundError)
    await assert.rejects(limited.renameMapping({ name: 'mine' }, { mapping_name: 'nightly' }), PermissionError)
    await assert.rejects(limited.deleteMapping({ mapping_name: 'nightly' }), PermissionError)
  })

  test('of two that get the same name at the same moment one gets it, and nothing is lost', async () => {
    const { id } = await house.partner('Initech')
    const words = (preset: string) => ({ preset })
    for (const name of ['one', 'two']) await saveMapping(house.operator, id, name, words(name))
    const { app } = house
    const rename = (name: string, to: string, by = app) => renameMapping({ ...house.operator, app: by }, id, name, to)
    const isTaken = (error: Failure) => error.details.faults?.[0]?.code === 'taken'
    await assert.rejects(
      beforeCommit(
        app,
        (slow) => rename('one', 'both', slow),
        () => rename('two', 'both'),
      ),
      isTaken,
    )
    const left = (await listMappings(house.operator, id)).map(({ name, options }) => `${name} of ${[...options][0]?.value}`)
    assert.deepEqual(left, ['both of one', 'two of two'])
    await assert.rejects(
      beforeCommit(
        app,
        (slow) => deleteMapping({ ...house.operator, app: slow }, id, 'two'),
        () => rename('two', 'three'),
      ),
      { code: 'not_found' },
    )
  })

  test('are deleted, and the one of the same name that another partner has stays', async () => {
    assert.equal((await acme.deleteMapping({ mapping_name: 'weekly' })).name, 'weekly')
    assert.deepEqual([await namesOf(acme), await namesOf(globex)], [['nightly'], ['weekly']])
    await assert.rejects(acme.deleteMapping({ mapping_name: 'weekly' }), NotFoundError)
  })
})
