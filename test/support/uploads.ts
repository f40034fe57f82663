/** Uploads of a world's partner, worked on in the test's own process. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { PartnerCaller } from '../../src/model/core/caller.ts'
import { callerOf } from '../../src/model/intakes/file-senders.ts'
import { createUploadFile } from '../../src/model/intakes/upload-files.ts'
import { createUpload, type UploadOptions } from '../../src/model/intakes/uploads.ts'
import { workTasks } from '../../src/model/intakes/work-tasks.ts'
import { eraseAgain } from '../../src/model/people/personal-data.ts'
import { importUploadedAccounts } from '../../src/model/transfers/import-uploaded.ts'
import type { BuiltStatement } from '../../src/store/statements.ts'
import type { World } from './data.ts'

export function uploader({ app, partnerId, accountId }: World): PartnerCaller {
  return callerOf(app, partnerId, { accountId, accountIds: null, keyId: 1, keyName: 'test', requestId: 'test' })
}

export async function uploadLines(world: World, records: readonly object[], options: Partial<UploadOptions> = {}) {
  const file = await createUploadFile(world.app.settings)
  await file.append(Buffer.from(records.map((record) => JSON.stringify(record)).join('\n')))
  const usual = { target: world.target, words: {}, createMissing: true, isDryRun: false, counts: 'daily' as const }
  return createUpload(uploader(world), await file.finish(), undefined, { ...usual, ...options })
}

/** Works until nothing is left to do, or the signal aborts; returns what failed. */
export function workOn(world: World, signal = new AbortController().signal) {
  const erase = async (reviewers: readonly string[]) => {
    await eraseAgain(
      world.operator,
      reviewers.map((reviewer) => ({ at: '', reviewer })),
    )
  }
  return workTasks({ app: world.app, signal, eraseAgain: erase, importWhole: importUploadedAccounts })
}

/** Works as a service does that is told to stop while it stores this step of an upload. */
export async function workUntilStep(world: World, step: number) {
  const stopping = new AbortController()
  let steps = 0
  const look = (message: unknown) => {
    const { node } = message as BuiltStatement
    if (node.kind === 'InsertQueryNode' && node.into?.table.identifier.name === 'intake_steps' && ++steps === step) stopping.abort()
  }
  subscribe('marquee:statement', look)
  try {
    return await workOn(world, stopping.signal)
  } finally {
    unsubscribe('marquee:statement', look)
  }
}
