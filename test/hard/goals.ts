/** Every hard goal, on one screen. */

import { atomic } from './atomic.ts'
import { blockedLog } from './blocked-log.ts'
import { bombs } from './bombs.ts'
import { clusterCrash } from './cluster-crash.ts'
import { databaseRestart } from './database-restart.ts'
import { diskFull } from './disk-full.ts'
import { duplicates } from './duplicates.ts'
import { etags } from './etags.ts'
import { failingDisk } from './failing-disk.ts'
import { fairness } from './fairness.ts'
import { fuzz } from './fuzz.ts'
import { idTiming } from './id-timing.ts'
import { isolation } from './isolation.ts'
import { kill } from './kill.ts'
import { limits } from './limits.ts'
import { longTexts } from './long-texts.ts'
import { neighbours } from './neighbours.ts'
import { overload } from './overload.ts'
import { postgresBackup } from './postgres-backup.ts'
import { powerCut } from './power-cut.ts'
import { reportNeighbours } from './report-neighbours.ts'
import { restore } from './restore.ts'
import { rotation } from './rotation.ts'
import { secrets } from './secrets.ts'
import { slowClients } from './slow-clients.ts'
import type { Goal } from './support/goal.ts'
import { timing } from './timing.ts'
import { upgrade } from './upgrade.ts'

export const goals = [
  kill,
  powerCut,
  clusterCrash,
  databaseRestart,
  diskFull,
  blockedLog,
  failingDisk,
  overload,
  slowClients,
  fuzz,
  isolation,
  duplicates,
  secrets,
  timing,
  idTiming,
  bombs,
  longTexts,
  limits,
  fairness,
  reportNeighbours,
  neighbours,
  postgresBackup,
  upgrade,
  rotation,
  restore,
  atomic,
  etags,
] as unknown as readonly Goal<never>[]
