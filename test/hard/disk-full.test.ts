/** R7, in short. */
import { diskFull } from './disk-full.ts'
import { tryShort } from './support/short.ts'

tryShort(diskFull)
