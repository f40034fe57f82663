/** People at the door of a real store: a world of them, and visitors from wherever they come. */
import { after, before } from 'node:test'
import { operatorOn } from '../../src/cli/command.ts'
import { readSettings } from '../../src/config.ts'
import { type App, openApp } from '../../src/model/core/app.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { logIn } from '../../src/model/people/logins.ts'
import { findSession, type LoggedIn } from '../../src/model/people/sessions.ts'
import type { Visitor } from '../../src/model/people/visitor.ts'
import { type TestClock, testClock } from './clock.ts'
import type { Place } from './engines.ts'
import { makePeople, type PeopleWorld, password } from './people.ts'

export interface DoorWorld extends PeopleWorld {
  app: App
  operator: OperatorCaller
  clock: TestClock
  visitor(network?: string, hostPartnerId?: number | null): Visitor
  /** The person behind a session that begins now. */
  enter(login: string): Promise<LoggedIn>
}

/** Filled before the first test of the block runs. */
export function doorWorldAt(place: Place): DoorWorld {
  const world = {} as DoorWorld
  before(async () => {
    const clock = testClock()
    const app = await openApp(readSettings(place.env), { schema: 'bring up', clock })
    const operator = operatorOn(app)
    const visitor: DoorWorld['visitor'] = (network = '192.0.2.1', hostPartnerId = null) => ({
      app,
      requestId: 'test',
      network,
      hostPartnerId,
    })
    const enter: DoorWorld['enter'] = async (login) => {
      const token = (await logIn(visitor('198.51.100.9'), { name: login, password, isRemembered: false })).token
      return (await findSession(visitor('198.51.100.9'), token)) as LoggedIn
    }
    Object.assign(world, await makePeople(operator), { app, operator, clock, visitor, enter })
  })
  after(() => world.app?.close())
  return world
}
