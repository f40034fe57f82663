/** The app of a test with a clock that stands until it is moved, and the operator who acts on it. */
import { after, before } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { secondsAfter } from '../../src/lib/time/clock.ts'
import { type App, openApp } from '../../src/model/core/app.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import type { Place } from './engines.ts'

export interface TestGround {
  app: App
  operator: OperatorCaller
  /** Moves the clock. */
  pass(seconds: number): void
}

/** Opened before the first test of the block and closed after the last. */
export function groundAt(place: Place): TestGround {
  let now = '2026-11-14T12:00:00Z'
  const pass = (seconds: number) => {
    now = secondsAfter(now, seconds)
  }
  const opened = { pass } as TestGround
  before(async () => {
    opened.app = await openApp(readSettings(place.env), { clock: { now: () => now } })
    opened.operator = { kind: 'operator', app: opened.app, requestId: 'test' }
  })
  after(() => opened.app?.close())
  return opened
}

export function authorization(credentials: string, scheme = 'Basic'): string {
  return `${scheme} ${Buffer.from(credentials).toString('base64')}`
}
