/** R29, in short. */
import { atomic } from './atomic.ts'
import { tryShort } from './support/short.ts'

tryShort(atomic)
