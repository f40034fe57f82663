/**
 * Group commit for SQLite: each write is a savepoint of a transaction that is committed at the end of the turn of the event loop
 * (docs/decisions/2026-11-16-group-commit.md).
 */

import type { CompiledQuery, DatabaseConnection, Driver } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { SqliteConnection } from './connection.ts'

export interface GroupCommit {
  /** For writes that share a commit with others of the same turn. */
  readonly shared: Driver
  /** For a slow write, so that no other waits for its commit. */
  readonly alone: Driver
  readonly counts: { readonly waiting: number; readonly writes: number; readonly commits: number }
  /** Commits all writes that are complete by now. */
  end(): void
}

/** Writes that are committed together or fail together. */
interface Group {
  readonly beganAt: number
  readonly ended: Promise<void>
  readonly succeed: () => void
  readonly fail: (error: unknown) => void
  members: number
  /** Why the whole transaction was lost before its commit: SQLite rolls back when the disk is full. */
  lostBy: unknown
}

/** The connection as one write sees it. */
interface Member extends DatabaseConnection {
  group: Group | null
  /** Whether this write is using the writer now. */
  isHolding: boolean
}

const mostMembers = 256
/** Under a steady stream of writes, none waits much longer than this for its commit. */
const longestMilliseconds = 50

export function groupCommits(writer: SqliteConnection, maxWaiting: number, begin: () => Promise<void>, ended: () => void): GroupCommit {
  const queue: (() => void)[] = []
  const counts = { waiting: 0, writes: 0, commits: 0 }
  let isTaken = false
  let group: Group | null = null
  let ending: NodeJS.Immediate | null = null

  const end = () => {
    if (ending !== null) clearImmediate(ending)
    const own = group
    ending = null
    group = null
    if (own === null) return
    counts.commits += 1
    commit(writer, own)
    ended()
  }
  /** Gives the writer to the next in the queue, or keeps it free until the turn ends and the group is committed. */
  const passOn = (member: Member) => {
    if (!member.isHolding) return
    member.isHolding = false
    if (group !== null && isFull(group)) end()
    const next = queue.shift()
    counts.waiting = queue.length
    if (next !== undefined) return next()
    isTaken = false
    if (group !== null) ending ??= setImmediate(endTurn)
  }
  /** A write that waits for something else keeps the writer, and passes it on when it is done. */
  const endTurn = () => {
    ending = null
    if (!isTaken) end()
  }
  const take = async (): Promise<Member> => {
    if (queue.length >= maxWaiting) refuse('overloaded', 'Too many are waiting for the database', { 'Retry-After': '1' })
    if (isTaken) {
      await new Promise<void>((resolve) => {
        counts.waiting = queue.push(resolve)
      })
    }
    isTaken = true
    return memberOf(writer)
  }
  const join = async (member: Member) => {
    if (group === null) {
      await begin()
      group = newGroup()
    }
    writer.run('savepoint one_write')
    member.group = group
    group.members += 1
    counts.writes += 1
  }
  const driverOf = (isAlone: boolean): Driver => ({
    init: async () => {},
    destroy: async () => {},
    acquireConnection: take,
    async beginTransaction(connection) {
      if (isAlone) end()
      await join(connection as Member)
    },
    async commitTransaction(connection) {
      const member = connection as Member
      refuseLost(writer, member)
      writer.run('release one_write')
      if (isAlone) end()
      passOn(member)
      await member.group?.ended
    },
    async rollbackTransaction(connection) {
      const member = connection as Member
      if (!member.isHolding) return
      rollBack(writer, member)
      if (isAlone) end()
      passOn(member)
      // The reason for the refusal may be a row that is not committed yet.
      await member.group?.ended
    },
    releaseConnection: async (connection) => passOn(connection as Member),
  })
  return { shared: driverOf(false), alone: driverOf(true), counts, end }
}

function memberOf(writer: SqliteConnection): Member {
  const member: Member = {
    group: null,
    isHolding: true,
    async executeQuery<R>(query: CompiledQuery) {
      refuseLost(writer, member)
      try {
        return await writer.executeQuery<R>(query)
      } catch (error) {
        if (!writer.inTransaction) lose(member, error)
        throw error
      }
    },
    streamQuery: writer.streamQuery,
  }
  return member
}

/** Refuses to run a statement after the transaction was lost: SQLite would commit it by itself. */
function refuseLost(writer: SqliteConnection, member: Member): void {
  if (!writer.inTransaction) lose(member, new Error('The transaction was given up by the database.'))
  if (member.group?.lostBy !== undefined) throw member.group.lostBy
}

function lose({ group }: Member, error: unknown): void {
  if (group !== null) group.lostBy ??= error
}

function rollBack(writer: SqliteConnection, { group }: Member): void {
  if (group === null || group.lostBy !== undefined) return
  writer.run('rollback to one_write')
  writer.run('release one_write')
}

function newGroup(): Group {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Each member awaits this promise; the empty handler only keeps it from counting as unhandled.
  promise.catch(() => {})
  return { beganAt: performance.now(), ended: promise, succeed: resolve, fail: reject, members: 0, lostBy: undefined }
}

function isFull({ beganAt, members, lostBy }: Group): boolean {
  return lostBy !== undefined || members >= mostMembers || performance.now() - beganAt > longestMilliseconds
}

function commit(writer: SqliteConnection, { lostBy, succeed, fail }: Group): void {
  try {
    if (lostBy !== undefined) throw lostBy
    writer.run('commit')
    succeed()
  } catch (error) {
    if (writer.inTransaction) writer.run('rollback')
    fail(error)
  }
}
