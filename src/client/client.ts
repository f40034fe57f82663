/** The exports of the package `marquee/client`. */

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
