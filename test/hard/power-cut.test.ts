/** R2, in short. */
import { powerCut } from './power-cut.ts'
import { tryShort } from './support/short.ts'

tryShort(powerCut)
