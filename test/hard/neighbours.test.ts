/** Neighbours, in short. */
import { neighbours } from './neighbours.ts'
import { tryShort } from './support/short.ts'

tryShort(neighbours)
