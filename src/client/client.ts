/** The exports of the package `@marquee/client`. */

export type { FileSource } from './bodies.ts'
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
export type { AttemptedRequest, ComingRetry, Hooks } from './hooks.ts'
export { RecordList, type RecordPage } from './list.ts'
export { Marquee } from './marquee.ts'
export type {
  CallOptions,
  CreateOptions,
  CsvReportOptions,
  DocumentReportOptions,
  MarqueeOptions,
  PushOptions,
  ReportOptions,
  ReportStream,
  RequestOptions,
  UploadOptions,
  UploadProgress,
  WriteOptions,
} from './options.ts'
export type * from './types.ts'
export { clientVersion } from './version.ts'
