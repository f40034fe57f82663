/** R8, in short. */
import { failingDisk } from './failing-disk.ts'
import { tryShort } from './support/short.ts'

tryShort(failingDisk)
