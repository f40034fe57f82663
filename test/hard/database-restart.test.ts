/** R4, in short. */
import { databaseRestart } from './database-restart.ts'
import { tryShort } from './support/short.ts'

tryShort(databaseRestart)
