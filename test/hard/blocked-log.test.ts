/** R7 for the log, in short. */
import { blockedLog } from './blocked-log.ts'
import { tryShort } from './support/short.ts'

tryShort(blockedLog)
