/** The thread that checks and stores pushes, so that the main thread only receives and answers them. */

import { parentPort, workerData } from 'node:worker_threads'
import type { Settings } from '../../../config.ts'
import { keepCompiledCode } from '../../../lib/compiled-code.ts'
import { collectWhenIdle } from '../../../lib/idle-memory.ts'
import { moreConnections } from '../../../lib/work/budget.ts'
import { answerCalls } from '../../../lib/work/thread-calls.ts'
import { openApp } from '../../core/app.ts'
import { exitOfFailedDisk, type Push, storePush } from './store-push.ts'

const lastWordsMilliseconds = 100

const opened = openApp({ ...(workerData as Settings), databasePool: moreConnections.pushes }, { memory: 'little' })
if (parentPort !== null) answerCalls(parentPort, async (push: Push, stopped) => storePush(await opened, push, stopped))
// Whoever pushed is told before.
void opened.then(({ store }) => store.engine.diskFailed).then(() => setTimeout(() => process.exit(exitOfFailedDisk), lastWordsMilliseconds))
keepCompiledCode()
collectWhenIdle()
