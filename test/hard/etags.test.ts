/** Entity tags and their bytes, in short. */
import { etags } from './etags.ts'
import { tryShort } from './support/short.ts'

tryShort(etags)
