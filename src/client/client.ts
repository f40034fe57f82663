/** The face of the package `marquee/client`: what a program outside this house may import. */

export type { CallOptions, CreateOptions, MarqueeOptions, ReportOptions, ReportStream, WriteOptions } from './connection.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorDetail,
  InvalidRequestError,
  MarqueeError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  UnavailableError,
} from './errors.ts'
export { RecordList, type RecordPage } from './list.ts'
export { Marquee } from './marquee.ts'
export type * from './types.ts'
