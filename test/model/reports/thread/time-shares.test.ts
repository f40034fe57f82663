/** The time of the report thread is shared among partners, not among reports. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TimeShares } from '../../../../src/model/reports/thread/time-shares.ts'

const acme = 1
const globex = 2

/** One report: so many pieces of work of 5 ms each, with a pause after each. */
async function report(shares: TimeShares, partnerId: number, pieces: number, onPiece: () => void): Promise<void> {
  const pause = shares.enter(partnerId)
  for (let piece = 0; piece < pieces; piece++) {
    for (const until = performance.now() + 5; performance.now() < until; );
    onPiece()
    await pause()
  }
}

describe('twelve large reports of acme', () => {
  test('are passed by a small one of globex', async () => {
    const shares = new TimeShares()
    let largePieces = 0
    const large = Array.from({ length: 12 }, () => report(shares, acme, 6, () => largePieces++))
    await shares.enter(acme)()
    const before = largePieces
    await report(shares, globex, 4, () => {})
    assert.ok(largePieces - before <= 3, `${largePieces - before} pieces of the large reports went before the small one was done`)
    await Promise.all(large)
    assert.equal(largePieces, 72)
  })

  test('have half of the time beside a large one of globex', async () => {
    const shares = new TimeShares()
    let largePieces = 0
    const large = Array.from({ length: 12 }, () => report(shares, acme, 6, () => largePieces++))
    const beside = report(shares, globex, 40, () => {})
    await beside
    assert.ok(largePieces > 15 && largePieces < 65, `${largePieces} pieces beside 40`)
    await Promise.all(large)
  })
})
