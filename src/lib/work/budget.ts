/**
 * The budget: every kind of work the service does, and its share of the common resources. Code that limits a kind of work reads its row here. The times are
 * nested: waiting ends before the deadline of the work, and both end before the connection is cut, so that every request gets an answer.
 * `test/lib/work/budget.test.ts` keeps the table consistent.
 */

export interface WorkRules {
  /** How many may run at the same time. */
  readonly places: number
  /** How many may wait for a place. */
  readonly queue: number
  /** How long one may wait before it is refused. */
  readonly patienceSeconds: number
  /** How many places one party may hold. A party is a partner, or a network when the partner is not known. */
  readonly share: number
  /** How many places one person of a party may hold. */
  readonly personShare: number
  /** How long the work may block the event loop at a time. */
  readonly sliceMilliseconds: number
  /** The memory that each may use. */
  readonly megabytes: number
  /** How long the work itself may take. An upload, a push and a page are then refused with 503; a job stops and goes on in its next round; a report is broken off. */
  readonly deadlineSeconds: number
  /** The connection is cut after this time in any case. */
  readonly socketSeconds: number
}

// biome-ignore format: a table reads by its columns
export const workBudget = {
  provision: rules({ places: 64, queue: 128, patience: 3,  share: 32, person: 32, slice: 4,  megabytes: 0.25, deadline: 20,  socket: 30 }),
  report:    rules({ places: 32, queue: 64,  patience: 10, share: 16, person: 16, slice: 4,  megabytes: 1.5,  deadline: 900, socket: 930 }),
  upload:    rules({ places: 32, queue: 0,   patience: 0,  share: 8,  person: 8,  slice: 4,  megabytes: 0.5,  deadline: 110, socket: 120 }),
  push:      rules({ places: 4,  queue: 16,  patience: 20, share: 2,  person: 2,  slice: 4,  megabytes: 8,    deadline: 60,  socket: 90 }),
  tool:      rules({ places: 4,  queue: 32,  patience: 10, share: 2,  person: 2,  slice: 4,  megabytes: 1.5,  deadline: 60,  socket: 90 }),
  page:      rules({ places: 16, queue: 64,  patience: 5,  share: 8,  person: 4,  slice: 4,  megabytes: 1.5,  deadline: 20,  socket: 30 }),
  page_csv:  rules({ places: 4,  queue: 16,  patience: 10, share: 2,  person: 1,  slice: 4,  megabytes: 2,    deadline: 900, socket: 930 }),
  login:     rules({ places: 2,  queue: 64,  patience: 5,  share: 1,  person: 1,  slice: 4,  megabytes: 19,   deadline: 20,  socket: 30 }),
  /** A login link that was asked for, which does not wait behind other mail. */
  link:      rules({ places: 2,  queue: 100, patience: 20, share: 1,  person: 1,  slice: 4,  megabytes: 0.25, deadline: 30,  socket: 60 }),
  /** A mail of the queue: the connections to the mail server, which mail providers allow a client to have at the same time. */
  mail:      rules({ places: 4,  queue: 0,   patience: 0,  share: 2,  person: 2,  slice: 4,  megabytes: 0.75, deadline: 30,  socket: 60 }),
  /** A request that waits for an event, which costs no more than its connection. */
  wait:      rules({ places: 100, queue: 0,  patience: 0,  share: 5,  person: 5,  slice: 4,  megabytes: 0.004, deadline: 25, socket: 30 }),
  job:       rules({ places: 16, queue: 0,   patience: 0,  share: 1,  person: 1,  slice: 4,  megabytes: 0.35, deadline: 600, socket: 600 }),
  /** A large file being uploaded to disk. It may take as long as bytes keep arriving. */
  file:      rules({ places: 8,  queue: 0,   patience: 0,  share: 2,  person: 2,  slice: 4,  megabytes: 0.25, deadline: 86_400, socket: 86_400 }),
  /** An uploaded file being imported; each partner has one at a time. */
  intake:    rules({ places: 2,  queue: 0,   patience: 0,  share: 1,  person: 1,  slice: 4,  megabytes: 50,   deadline: 86_400, socket: 86_400 }),
  /** A site being measured by a source, from a thread beside the requests. */
  source:    rules({ places: 4,  queue: 0,   patience: 0,  share: 2,  person: 2,  slice: 4,  megabytes: 0.1,  deadline: 600, socket: 600 }),
  /** An import at the command line, in a process of its own. The operator ends it, so the row only documents what it takes. */
  import:    rules({ places: 1,  queue: 0,   patience: 0,  share: 1,  person: 1,  slice: 4,  megabytes: 300,  deadline: 86_400, socket: 86_400 }),
} as const satisfies Record<string, WorkRules>

export type WorkKind = keyof typeof workBudget

/** The connections to a database server that a process takes at most beside those of its requests (DATABASE_POOL). */
export const moreConnections = { readers: 4, uploads: 2, pushes: 2, sources: 2 }

/** The limit on all kinds together that compete for the main thread, and the part of it that one party may hold. */
export const allPlaces = { inside: 64, insidePerParty: 32 }

function rules(
  row: Record<'places' | 'queue' | 'patience' | 'share' | 'person' | 'slice' | 'megabytes' | 'deadline' | 'socket', number>,
): WorkRules {
  return {
    places: row.places,
    queue: row.queue,
    patienceSeconds: row.patience,
    share: row.share,
    personShare: row.person,
    sliceMilliseconds: row.slice,
    megabytes: row.megabytes,
    deadlineSeconds: row.deadline,
    socketSeconds: row.socket,
  }
}
