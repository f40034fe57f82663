/** R1, in short. */
import { kill } from './kill.ts'
import { tryShort } from './support/short.ts'

tryShort(kill)
