/** The upgrade under load, in short. */

import { tryShort } from './support/short.ts'
import { upgrade } from './upgrade.ts'

tryShort(upgrade)
