/** R14, in short. */
import { isolation } from './isolation.ts'
import { tryShort } from './support/short.ts'

tryShort(isolation)
