/** R28, in short. */
import { bombs } from './bombs.ts'
import { tryShort } from './support/short.ts'

tryShort(bombs)
