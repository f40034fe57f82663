/** Passwords of people: slow to check, nowhere in plain, and never more at once than the machine can bear. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { describe, test } from 'node:test'
import { secretsFrom } from '../../../src/lib/secrets.ts'
import { openPasswords } from '../../../src/model/core/password-hashing.ts'

describe('passwords', () => {
  const passwords = openPasswords(secretsFrom(randomBytes(32)))

  test('the right one is recognised, any other not', async () => {
    const verifier = await passwords.hash('Grüße 🍰')
    assert.match(verifier, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.equal(await passwords.verify('Grüße 🍰', verifier), true)
    assert.equal(await passwords.verify('grüße 🍰', verifier), false)
    assert.equal(await passwords.verify('', verifier), false)
  })

  test('two people with one password have two verifiers', async () => {
    assert.notEqual(await passwords.hash('secret'), await passwords.hash('secret'))
  })

  test('a verifier made elsewhere with other costs is still recognised', async () => {
    // From the Argon2 reference program: echo -n password | argon2 somesalt -id -t 2 -k 256 -p 1 -l 32
    const verifier = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
    assert.equal(await passwords.verify('password', verifier), true)
    assert.equal(await passwords.verify('Password', verifier), false)
  })

  test('someone unknown costs as much as someone known', async () => {
    const verifier = await passwords.hash('secret')
    const [known, unknown] = await leastMilliseconds(
      () => passwords.verify('wrong', verifier),
      () => passwords.verifyNobody('wrong'),
    )
    assert.ok(unknown > known / 3 && unknown < known * 3, `known ${known} ms, unknown ${unknown} ms`)
    assert.equal(await passwords.verifyNobody('wrong'), false)
  })

  // On a machine with one core there is one place, which everybody takes in turn.
  test('whoever has many hashed at once leaves a place for somebody else', async () => {
    const { inside: before, waiting } = passwords.pool
    const many = Array.from({ length: 6 }, () => passwords.hash('secret', 'acme'))
    assert.deepEqual([passwords.pool.inside - before, passwords.pool.waiting - waiting], [1, 5])
    const other = passwords.hash('secret', 'globex')
    assert.equal(passwords.pool.inside - before, Math.min(2, availableParallelism()))
    // On a busy machine the last of them wait for too long.
    await Promise.allSettled([...many, other])
  })

  test('what is shown of a password changes with it and with the person, and needs the server secret', async () => {
    const verifier = await passwords.hash('secret')
    const password = { verifier, changed_at: '2026-11-14T00:00:00Z' }
    const shown = passwords.projection(1, password)
    assert.match(shown, /^[0-9a-f]{40}$/)
    assert.equal(passwords.projection(1, password), shown)
    assert.notEqual(passwords.projection(2, password), shown)
    assert.notEqual(passwords.projection(1, { ...password, verifier: await passwords.hash('secret') }), shown)
    assert.notEqual(openPasswords(secretsFrom(randomBytes(32))).projection(1, password), shown)
  })

  test('beyond those who may wait, people are asked to come back', async () => {
    const crowd = await Promise.allSettled(Array.from({ length: 100 }, (_, index) => passwords.hash('secret', `partner ${index}`)))
    const refused = crowd.filter((each) => each.status === 'rejected')
    assert.ok(refused.length > 0 && refused.length < 100)
    for (const { reason } of refused) {
      assert.equal(reason.code, 'overloaded')
      assert.match(reason.details.headers['retry-after'], /^[1-9]$/)
    }
    assert.ok(await passwords.hash('afterwards'))
  })
})

/** Of the processor, in all threads: the least of five each, taken in turn. */
async function leastMilliseconds(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<[one: number, other: number]> {
  const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < 5; round += 1) {
    least[0] = Math.min(least[0], await milliseconds(one))
    least[1] = Math.min(least[1], await milliseconds(other))
  }
  return least
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
