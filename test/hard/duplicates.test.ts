/** R15 and R16, in short. */
import { duplicates } from './duplicates.ts'
import { tryShort } from './support/short.ts'

tryShort(duplicates)
