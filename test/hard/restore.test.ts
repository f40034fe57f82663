/** The restore under load, in short. */
import { restore } from './restore.ts'
import { tryShort } from './support/short.ts'

tryShort(restore)
