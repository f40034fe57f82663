/** Every hard goal, on one screen. */
import { clusterCrash } from './cluster-crash.ts'
import { databaseRestart } from './database-restart.ts'
import { diskFull } from './disk-full.ts'
import { failingDisk } from './failing-disk.ts'
import { kill } from './kill.ts'
import { powerCut } from './power-cut.ts'
import type { Goal } from './support/goal.ts'

export const goals = [kill, powerCut, clusterCrash, databaseRestart, diskFull, failingDisk] as unknown as readonly Goal<never>[]
