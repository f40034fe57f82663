/** The channel of a worker to the primary process that forked it; null in a process that runs alone. */

import cluster from 'node:cluster'
import { type Channel, openChannel } from './channel.ts'

export const primary: Channel | null = cluster.isWorker ? openChannel(process) : null
