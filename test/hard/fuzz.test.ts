/** R12, in short. */
import { fuzz } from './fuzz.ts'
import { tryShort } from './support/short.ts'

tryShort(fuzz)
