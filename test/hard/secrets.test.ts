/** R24, in short. */
import { secrets } from './secrets.ts'
import { tryShort } from './support/short.ts'

tryShort(secrets)
