import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openThrottle } from '../../../src/lib/work/throttle.ts'

test('a name has so many tries within so long, and then again; other names have their own', () => {
  let now = 0
  const throttle = openThrottle({ tries: 2, withinSeconds: 60 }, () => now)
  assert.deepEqual([throttle.admits('dana'), throttle.admits('dana'), throttle.admits('dana')], [true, true, false])
  assert.equal(throttle.admits('kim'), true)
  now = 61_000
  assert.equal(throttle.admits('dana'), true)
})

test('what is remembered stays bounded, and what was tried last is kept', () => {
  const throttle = openThrottle({ tries: 1, withinSeconds: 60 }, () => 0)
  throttle.admits('first')
  for (let index = 0; index < 49_999; index += 1) throttle.admits(`name ${index}`)
  assert.equal(throttle.admits('name 49998'), false)
  throttle.admits('one more')
  assert.equal(throttle.admits('first'), true)
})
