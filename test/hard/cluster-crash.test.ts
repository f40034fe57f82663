/** R3, in short. */
import { clusterCrash } from './cluster-crash.ts'
import { tryShort } from './support/short.ts'

tryShort(clusterCrash)
