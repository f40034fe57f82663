/** Users of the accounts a caller can reach: created, found, listed. */

import { randomBytes } from 'node:crypto'
import type { Insertable, Kysely, SelectQueryBuilder } from 'kysely'
import { complete, type Draft } from '../../fields/read.ts'
import { type FieldError, invalid, notFound } from '../../lib/failures.ts'
import { scrub } from '../../lib/xml/xml.ts'
import { type NewUser, newUser, type User, user } from '../../resources/user.ts'
import type { Tables, UserPasswordRow, UserRow } from '../../store/rows/tables.ts'
import type { Param } from '../../store/store.ts'
import { type App, perApp } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { nameRecord, recordNarrowed } from '../core/external-ids.ts'
import { type ListPage, page, partnerPages } from '../core/paging.ts'
import { accountsWithin, type Managing, managedBy, reachesAll, usersWithin } from '../core/tenancy.ts'
import { carriedOut, type ReadyChange, ready } from '../core/transaction.ts'
import { claimOwnership } from '../partners/accounts.ts'
import { countingTakenAnswers } from './name-probing-limit.ts'

type Stored = Omit<User, 'crypted_password'>

const columns = Object.keys(user).filter((name) => name !== 'crypted_password') as (keyof Stored)[]
const qualified = columns.map((name) => `users.${name}` as const)

export function createUser(caller: Managing, draft: Draft<NewUser>, externalId?: string): Promise<User> {
  return countingTakenAnswers(caller, () => create(caller, draft, named(caller, externalId)))
}

export function prepareUser(caller: Managing, draft: Draft<NewUser>, externalId?: string): Promise<ReadyChange<User>> {
  return countingTakenAnswers(caller, () => prepare(caller, draft, named(caller, externalId)))
}

/** Creates a user who owns the account from the start; refused if there is already an owner. */
export function createOwner(caller: OperatorCaller, draft: Draft<NewUser>): Promise<User> {
  return create(caller, draft, (tx, user) => claimOwnership(tx, caller, user))
}

type Also = (tx: Kysely<Tables>, user: Stored) => Promise<void>

function named(caller: Managing, externalId: string | undefined): Also {
  return (tx, { id }) => nameRecord(tx, caller, 'user', id, externalId)
}

const create = carriedOut(prepare)

async function prepare(caller: Managing, draft: Draft<NewUser>, also?: Also): Promise<ReadyChange<User>> {
  const input = complete(newUser, draft, await lookUp(caller, draft))
  const verifier = await caller.app.passwords.hash(input.password, partyOf(caller))
  return ready(async (tx) => {
    const stored = await insertUser(tx, caller.app, input, verifier)
    await audit(tx, caller, 'user.create', stored, { after: stored })
    await also?.(tx, stored)
    return shown(caller.app, { ...stored, verifier, changed_at: stored.created_at })
  })
}

/** The caller records it in the audit log. */
export async function insertUser(tx: Kysely<Tables>, app: App, input: Omit<NewUser, 'password'>, verifier: string): Promise<Stored> {
  const stored = await tx.insertInto('users').values(newRow(app, input)).returning(columns).executeTakeFirstOrThrow()
  await reserveNames(tx, stored)
  await tx.insertInto('user_passwords').values({ user_id: stored.id, verifier, changed_at: stored.created_at }).execute()
  return stored
}

/** Whose places for hashing passwords a caller takes. */
export function partyOf(caller: Managing): string {
  return caller.kind === 'operator' ? 'operator' : `partner:${caller.partnerId}`
}

export async function findUser(caller: Managing, id: number): Promise<User> {
  const [row] = reachesAll(caller)
    ? await userOfPartner(caller.app)({ id, partnerId: caller.partnerId })
    : await withVerifier(caller).where('users.id', '=', id).execute()
  return row === undefined ? notFound('user') : shownOnce(caller.app)(row)
}

/** Reads a user inside a transaction, after a change; also a deleted one. */
export async function userAfter(tx: Kysely<Tables>, app: App, id: number): Promise<User> {
  return shown(app, await joined(tx.selectFrom('users')).where('users.id', '=', id).executeTakeFirstOrThrow())
}

const userOfPartner = perApp(({ store }) =>
  store.prepare((db, param: Param<{ id: number; partnerId: number }>) =>
    joined(managedBy(param('partnerId'), 'users', db)).where('users.id', '=', param('id')),
  ),
)

export interface NarrowUsers {
  readonly login?: string
  readonly email?: string
  readonly account_id?: number
  readonly state?: User['state']
  readonly external_id?: string
}

/** All users that the caller reaches; with a login or an email, the matching one or none. */
export async function listUsers(caller: Managing, after?: string, narrow: NarrowUsers = {}): Promise<ListPage<User>> {
  if (reachesAll(caller) && Object.keys(narrow).length === 0) {
    const { items, next } = await everyUser(caller, after)
    return { items: items.map(shownOnce(caller.app)), next }
  }
  const called = await recordNarrowed(caller, 'user', narrow.external_id)
  const { items, next } = await page<Listed>(joined(narrowed(usersWithin(caller), narrow, called)), after)
  return { items: items.filter((row) => bears(row, narrow)).map((row) => shown(caller.app, row)), next }
}

/** Without what is made of the password; `called` is the one of the external id. */
export function userRows(caller: Managing, narrow: NarrowUsers, called?: number) {
  return narrowed(usersWithin(caller), narrow, called).select(qualified)
}

function narrowed(users: SelectQueryBuilder<Tables, 'users', object>, { login, email, account_id, state }: NarrowUsers, called?: number) {
  const name = login ?? email
  return users
    .$if(called !== undefined, (rows) => rows.where('users.id', '=', called ?? 0))
    .$if(account_id !== undefined, (rows) => rows.where('users.account_id', '=', account_id ?? 0))
    .$if(state !== undefined, (rows) => rows.where('users.state', '=', state ?? 'active'))
    .$if(name !== undefined, (rows) =>
      rows.where('users.id', 'in', (db) =>
        db
          .selectFrom('user_names')
          .select('user_id')
          .where('name', '=', foldName(name ?? '')),
      ),
    )
}

type Listed = Stored & Pick<UserPasswordRow, 'verifier' | 'changed_at'>

const everyUser = partnerPages<Listed>((db, partnerId) => joined(managedBy(partnerId, 'users', db)))

/** Cached rows stay the same objects until the next commit, so what is shown of them is cached by object. */
const shownOnce = perApp((app) => {
  const known = new WeakMap<Listed, User>()
  return (row: Listed): User => {
    const before = known.get(row)
    if (before !== undefined) return before
    const made = shown(app, row)
    known.set(row, made)
    return made
  }
})

/** Logins and emails share one namespace, so a match by login must be checked to be a login. */
export function bears(row: Pick<Stored, 'login' | 'email'>, { login, email }: { login?: string; email?: string }): boolean {
  const hasLogin = login === undefined || foldName(row.login) === foldName(login)
  return hasLogin && (email === undefined || foldName(row.email) === foldName(email))
}

/** The normalized form in which a login or an email is unique: trimmed, NFKC, lower case; scrubbed, because a query may contain characters that the database refuses. */
export function foldName(name: string): string {
  return scrub(name).trim().normalize('NFKC').toLowerCase()
}

function withVerifier(caller: Managing) {
  return joined(usersWithin(caller))
}

function joined(users: SelectQueryBuilder<Tables, 'users', object>) {
  return users.innerJoin('user_passwords', 'user_passwords.user_id', 'users.id').select([...qualified, 'verifier', 'changed_at'])
}

export const noCodes = { activation_code: null, password_reset_code: null, remember_token: null, remember_token_expires_at: null }

/** The user as the interface shows it: a keyed projection instead of the password hash, and no code that would let someone log in. */
function shown(app: App, { verifier, changed_at, ...row }: Listed): User {
  return { ...row, ...noCodes, crypted_password: app.passwords.projection(row.id, { verifier, changed_at }) }
}

function newRow(app: App, input: Omit<NewUser, 'password'>) {
  const initial = Object.fromEntries(Object.entries(user).flatMap(([name, field]) => ('initial' in field ? [[name, field.initial]] : [])))
  const now = app.clock.now()
  const { account_id, email, login, name = '' } = input
  return {
    ...initial,
    account_id,
    email,
    login,
    name,
    salt: randomBytes(20).toString('hex'),
    created_at: now,
    updated_at: now,
  } as Insertable<UserRow>
}

/** Checks what only the database knows: whether the names are free and the caller reaches the account. Races are decided by the unique index, not here. */
async function lookUp(caller: Managing, { values, faults }: Draft<NewUser>): Promise<FieldError[]> {
  const broken = new Set(faults.map(({ field }) => field))
  const found: FieldError[] = []
  if (!broken.has('login') && isForeignEmail(values)) found.push({ field: 'login', code: 'invalid' })
  for (const field of ['email', 'login'] as const) {
    const isTaken = !broken.has(field) && (await nameExists(caller, values[field]))
    if (isTaken) found.push({ field, code: 'taken' })
  }
  if (!broken.has('account_id') && !(await accountExists(caller, values.account_id)))
    found.push({ field: 'account_id', code: 'does_not_exist' })
  return found
}

/** A login with `@` must be the user's own email, because it could otherwise be the email of a future user. */
export function isForeignEmail({ login = '', email = '' }: { readonly login?: string; readonly email?: string }): boolean {
  return foldName(login).includes('@') && foldName(login) !== foldName(email)
}

export async function nameExists(caller: Managing, name = ''): Promise<boolean> {
  const row = await caller.app.store.db.selectFrom('user_names').select('name').where('name', '=', foldName(name)).executeTakeFirst()
  return row !== undefined
}

export async function accountExists(caller: Managing, id = 0): Promise<boolean> {
  return (await accountsWithin(caller).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Email and login share one namespace; a login that is the user's own email takes one entry. */
export async function reserveNames(tx: Kysely<Tables>, { id, email, login }: Pick<Stored, 'id' | 'email' | 'login'>): Promise<void> {
  const faults: FieldError[] = []
  if (!(await reserve(tx, id, email))) faults.push({ field: 'email', code: 'taken' })
  if (foldName(login) !== foldName(email) && !(await reserve(tx, id, login))) faults.push({ field: 'login', code: 'taken' })
  if (faults.length > 0) invalid(faults)
}

async function reserve(tx: Kysely<Tables>, user_id: number, name: string): Promise<boolean> {
  const names = tx.insertInto('user_names').values({ name: foldName(name), user_id })
  return (
    (await names
      .onConflict((on) => on.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()) !== undefined
  )
}
