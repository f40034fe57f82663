/** Long texts, in short. */
import { longTexts } from './long-texts.ts'
import { tryShort } from './support/short.ts'

tryShort(longTexts)
