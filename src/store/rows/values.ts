/** The words in which both engines return truth and time. */

export type Bit = 0 | 1
/** An instant as it is stored: ISO 8601 in UTC. */
export type Moment = string
