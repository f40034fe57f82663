/** The time of a reader thread is shared among partners, not among reports. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as otherReports } from 'node:timers/promises'
import { TimeShares } from '../../src/readers/time-shares.ts'

const acme = 'acme'
const globex = 'globex'

/** The time that all reports of a test have worked; a report works for 5 ms and then pauses. */
class WorkedTime {
  milliseconds = 0
  readonly shares = new TimeShares(() => this.milliseconds)

  async report(party: string, pieces: number, onPiece = () => {}): Promise<void> {
    const pause = this.shares.enter(party)
    for (let piece = 0; piece < pieces; piece++) {
      this.milliseconds += 5
      onPiece()
      await pause()
    }
  }
}

describe('twelve large reports of acme', () => {
  test('are passed by a small one of globex', async () => {
    const work = new WorkedTime()
    let largePieces = 0
    const large = Array.from({ length: 12 }, () => work.report(acme, 6, () => largePieces++))
    await work.shares.enter(acme)()
    const before = largePieces
    await work.report(globex, 4)
    assert.ok(largePieces - before <= 3, `${largePieces - before} pieces of the large reports went before the small one was done`)
    await Promise.all(large)
    assert.equal(largePieces, 72)
  })

  test('have half of the time beside a large one of globex', async () => {
    const work = new WorkedTime()
    let largePieces = 0
    const large = Array.from({ length: 12 }, () => work.report(acme, 6, () => largePieces++))
    const beside = work.report(globex, 40)
    await beside
    assert.ok(largePieces > 15 && largePieces < 65, `${largePieces} pieces beside 40`)
    await Promise.all(large)
  })

  test('are overtaken by one that comes late for as long as its credit lasts', async () => {
    const work = new WorkedTime()
    let largePieces = 0
    const large = Array.from({ length: 12 }, () => work.report(acme, 10, () => largePieces++))
    while (largePieces < 40) await otherReports()
    const before = largePieces
    await work.report(globex, 40)
    assert.ok(largePieces - before > 25 && largePieces - before < 38, `${largePieces - before} pieces beside 40`)
    await Promise.all(large)
  })
})
