/** The service with the people of `people.ts` in it, measured for half a year: started before the first test of a block and gone after the last. */
import { after, before } from 'node:test'
import { freshPlace, type Place } from './engines.ts'
import { makePeople, measurePeople, type PeopleWorld } from './people.ts'
import { startTestService, type TestService } from './service.ts'

export interface PeopleService {
  readonly service: TestService
  readonly world: PeopleWorld
  readonly url: string
}

/** Named in settings, so that the pages offer mail; nothing is sent there. */
export const withMail = { MARQUEE_SMTP_URL: 'smtp://127.0.0.1:9', MARQUEE_MAIL_FROM: 'reports@service.example' }

/** Filled in before the first test. */
export function peopleService(env: Readonly<Record<string, string>> = {}): PeopleService {
  const made = {} as { service: TestService; world: PeopleWorld; url: string }
  let place: Place | undefined
  before(async () => {
    place = await freshPlace('sqlite')
    made.service = await startTestService(place, env)
    made.url = made.service.url
    made.world = await makePeople(made.service.operator)
    await measurePeople(made.service.operator, made.world.partnerId)
  })
  after(async () => {
    await made.service?.stop()
    await place?.remove()
  })
  return made
}
