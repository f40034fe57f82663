/** R25: time tells nothing: unknown, revoked, wrong and incomplete credentials, foreign and absent ids, known and unknown logins take the same. */
import { draftOf } from '../../src/fields/read.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { makeKey, makePassword, makePublicPart } from '../../src/model/partners/keys/key-format.ts'
import { issueKey, revokeKey } from '../../src/model/partners/keys/keys.ts'
import { createUser } from '../../src/model/people/users.ts'
import { newBusiness } from '../../src/resources/business.ts'
import { newUser } from '../../src/resources/user.ts'
import { type Client, clientOf } from './support/client.ts'
import type { Goal } from './support/goal.ts'
import { basic, newPartner, prepare } from './support/prepare.ts'
import { startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'
import { compareTimes } from './support/welch.ts'

interface Size {
  /** Of each side of a comparison. */
  readonly requests: number
  readonly logins: number
}

const mostMedianMilliseconds = 1
const mostWelch = 4.5
const people = 40

export const timing: Goal<Size> = {
  id: 'R25',
  says: 'timing: unknown, revoked and wrong credentials, foreign and absent ids, known and unknown logins and forgotten names cannot be told apart',
  short: { requests: 500, logins: 60 },
  long: { requests: 5_000, logins: 1_500 },
  forMutants: { requests: 200, logins: 100 },
  isTimed: true,
  run: (tree, { requests, logins }) =>
    inFolder(async (folder) => {
      const chance = chanceFrom()
      const env = { DATA_DIR: folder, LOG_LEVEL: 'silent', ...noMailServer, MARQUEE_TRUSTED_PROXIES: '127.0.0.0/8' }
      const world = await makeWorld(env)
      const service = await startHard(tree, { env })
      const client = clientOf(service.url, undefined, 1)
      const read =
        (authorization: string, path = '/api/businesses.json') =>
        async () =>
          (await client.ask(path, { headers: { authorization } }))?.milliseconds ?? Number.NaN
      const [login, forgot] = [await loginOf(client), await forgotOf(client)]
      let [known, unknown] = [0, 0]
      const results = {
        unknown_and_wrong: await compareTimes(chance, requests, read(world.unknown), read(world.wrong)),
        unknown_and_revoked: await compareTimes(chance, requests, read(world.unknown), read(world.revoked)),
        unknown_and_without_password: await compareTimes(chance, requests, read(world.unknownAlone), read(world.alone)),
        foreign_and_absent: await compareTimes(
          chance,
          requests,
          read(world.own, `/api/businesses/${world.foreignId}.json`),
          read(world.own, '/api/businesses/9.json'),
        ),
        known_and_unknown_login: await compareTimes(
          chance,
          logins,
          () => login(`person-${chance.whole(people)}`, chance),
          () => login(`nobody-${chance.whole(people)}`, chance),
        ),
        // Each name a few times only: more would be refused.
        known_and_unknown_forgotten: await compareTimes(
          chance,
          Math.min(requests, people * 8),
          () => forgot(`person-${known++ % people}`, chance),
          () => forgot(`nobody-${unknown++ % people}`, chance),
        ),
      }
      client.close()
      await service.kill('SIGTERM')
      const entries = Object.entries(results)
      const figures = Object.fromEntries(
        entries.flatMap(([name, { difference, welch }]) => [
          [`${name}_median_ms`, difference],
          [`${name}_t`, welch],
        ]),
      )
      const faults = entries
        .filter(([, { difference, welch }]) => !(Math.abs(difference) < mostMedianMilliseconds && Math.abs(welch) < mostWelch))
        .map(([name, { difference, welch }]) => `${name}: medians ${difference} ms apart, t ${welch}`)
      return { figures: { seed: chance.seed, requests, logins, ...figures }, faults }
    }),
  mutants: [
    {
      says: 'an unknown user is refused without the work of a hash',
      file: 'src/model/people/logins.ts',
      from: ': await passwords.verifyNobody(password, visitor.network)',
      to: ': false',
    },
    {
      says: 'a link is made before the answer leaves',
      file: 'src/web/screens/login/login-link.ts',
      from: "await requestLoginLink(request, request.form.get('name') ?? '')",
      to: `await requestLoginLink(request, request.form.get('name') ?? '')
  await (await import('../../model/people/login-links.ts')).askForLoginLink(request.visitor, request.form.get('name') ?? '')`,
    },
  ],
}

/** Nobody listens there: what matters is that mail would be sent. */
const noMailServer = { MARQUEE_SMTP_URL: 'smtp://127.0.0.1:9', MARQUEE_MAIL_FROM: 'marquee@service.example' }

async function makeWorld(env: Readonly<Record<string, string>>) {
  return prepare(env, async (operator) => {
    const [acme, globex] = [await newPartner(operator, 'Acme'), await newPartner(operator, 'Globex')]
    const revoked = await issueKey(operator, acme.id)
    await revokeKey(operator, revoked.record.public_part)
    const foreign = await createBusiness(operator, draftOf(newBusiness, { account_id: globex.accountId, name: 'Globex' }))
    for (let index = 0; index < people; index += 1) {
      const login = `person-${index}`
      await createUser(
        operator,
        draftOf(newUser, { account_id: acme.accountId, login, email: `${login}@acme.example`, password: 'secret99' }),
      )
    }
    return {
      own: acme.authorization,
      alone: basic(acme.key, ''),
      unknown: basic(makeKey(makePublicPart()), makePassword()),
      unknownAlone: basic(makeKey(makePublicPart()), ''),
      wrong: basic(acme.key, makePassword()),
      revoked: basic(revoked.key, revoked.password),
      foreignId: foreign.id,
    }
  })
}

/** One login, refused, from an address that was never seen before. */
async function loginOf(client: Client) {
  const submit = await formAt(client, '/login')
  return (name: string, chance: Chance) => submit(chance, { name, password: 'wrong-password' }, 'is not right')
}

/** A link for a forgotten password, asked for from an address that was never seen before. */
async function forgotOf(client: Client) {
  const submit = await formAt(client, '/forgot')
  return (name: string, chance: Chance) => submit(chance, { name }, 'on its way')
}

async function formAt(client: Client, path: string) {
  const page = await client.ask(path, { headers: { accept: 'text/html', 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.0.0.1' } })
  const token = /name="form_token" value="([\w-]+)"/.exec(page?.body.toString() ?? '')?.[1] ?? ''
  const cookie = (page?.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ')
  const own = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'text/html',
    cookie,
    'sec-fetch-site': 'same-origin',
    'x-forwarded-proto': 'https',
  }
  return async (chance: Chance, fields: Readonly<Record<string, string>>, expected: string) => {
    const address = `10.${chance.whole(256)}.${chance.whole(256)}.${chance.whole(256)}`
    const body = new URLSearchParams({ form_token: token, ...fields }).toString()
    const answer = await client.ask(path, { method: 'POST', headers: { ...own, 'x-forwarded-for': address }, body })
    if (answer === null || !answer.body.includes(expected))
      throw new Error(`${path} was answered ${answer?.status}: ${answer?.body.toString().slice(0, 300)}`)
    return answer.milliseconds
  }
}
