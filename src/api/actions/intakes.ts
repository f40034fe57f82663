/** Intakes: files to be imported in the background, with their progress; cancelled or undone. */

import type { IncomingMessage } from 'node:http'
import { complete, readDraft } from '../../fields/read.ts'
import type { Exchange } from '../../http/exchange.ts'
import { receiveFile } from '../../http/receive-file.ts'
import { streamResponse } from '../../http/stream-response.ts'
import type { Upload } from '../../http/upload.ts'
import { refuse } from '../../lib/failures.ts'
import { asNoRoom } from '../../lib/streams/nameless-file.ts'
import type { PartnerCaller } from '../../model/core/caller.ts'
import { reachesAll } from '../../model/core/tenancy.ts'
import { readMapping } from '../../model/imports/csv/mappings.ts'
import { deleteMapping, listMappings, overSaved, renameMapping, savedMapping } from '../../model/imports/csv/saved-mappings.ts'
import { findTarget } from '../../model/imports/import.ts'
import { mappedIds } from '../../model/imports/saved-reports/old-ids.ts'
import { listIntakes } from '../../model/intakes/intakes.ts'
import { releaseUpload } from '../../model/intakes/parked-uploads.ts'
import { requestPreview, showIntake } from '../../model/intakes/preview.ts'
import { listRefusedLines, openRefusedTable } from '../../model/intakes/refused-lines.ts'
import { requestUndo, type UndoOptions } from '../../model/intakes/undo.ts'
import { createUploadFile, removeUpload, type StoredFile } from '../../model/intakes/upload-files.ts'
import { cancelIntake, createUpload, refuseWhenTooMany, type UploadOptions } from '../../model/intakes/uploads.ts'
import { changedMapping, type ImportMapping } from '../../resources/imports/import-preset.ts'
import { refuseWithoutScope } from '../authorize.ts'
import type { Call } from '../endpoint.ts'
import { mediaTypes } from '../format.ts'
import { repeatKeyOf } from '../idempotency.ts'
import type { inPages, mappingFilter, namedMapping, undoFlags, uploadOptions } from '../parameters.ts'
import { contentEncodingOf, refuseOtherFiles } from '../pushed-types.ts'

type UploadCall = Call<typeof uploadOptions>

/** A received file, with its options. */
interface ReceivedFile extends Upload {
  readonly file: StoredFile
  readonly options: UploadOptions
  /** From now on the file belongs to the task, and is not deleted here. */
  keep(): void
}

/** Checks everything before the file is sent. */
export async function receive({ request }: Exchange, call: UploadCall): Promise<Upload> {
  refuseOtherFiles(request)
  contentEncodingOf(request)
  repeatKeyOf(request)
  const options = await optionsOf(call)
  await refuseWhenTooMany(call.caller)
  const { settings } = call.caller.app
  const file = await storedFile(request, call)
  let isKept = false
  const received: ReceivedFile = {
    file,
    options,
    sha256: file.sha256,
    keep() {
      isKept = true
    },
    async close() {
      if (!isKept) await removeUpload(settings, file.name)
    },
  }
  return received
}

export async function create({ caller, query, upload }: UploadCall) {
  const { file, options, keep } = upload as ReceivedFile
  const intake = await createUpload(caller, file, query.file_name, options)
  keep()
  return intake
}

export function index({ caller, query: { after } }: Call<typeof inPages>) {
  return listIntakes(caller, after)
}

export function show({ caller, ids: [id] }: Call) {
  return showIntake(caller, id)
}

export function refused({ caller, ids: [id], query: { after } }: Call<typeof inPages>) {
  return listRefusedLines(caller, id, after)
}

export async function refusedTable({ caller, ids: [id] }: Call, exchange: Exchange): Promise<void> {
  const chunks = await openRefusedTable(caller, id)
  const headers = {
    'content-type': mediaTypes.csv,
    'cache-control': 'private, no-cache',
    'content-disposition': 'attachment; filename="refused.csv"',
  }
  await streamResponse(exchange, { headers, chunks, areCompressed: false })
}

export function cancel({ caller, ids: [id] }: Call) {
  return cancelIntake(caller, id)
}

export function release({ caller, ids: [id] }: Call) {
  return releaseUpload(caller, id)
}

export function undo({ caller, ids: [id], query }: Call<typeof undoFlags>) {
  return requestUndo(caller, id, undoOptionsOf(caller, query))
}

/** A dry run of an undo is a task like the undo: it reads as much as that changes. */
export function tryUndo({ caller, ids: [id], query }: Call<typeof undoFlags>) {
  return requestPreview(caller, id, undoOptionsOf(caller, query))
}

/** What people made is not of an intake, so that deleting it takes the scope for that. */
function undoOptionsOf(caller: PartnerCaller, { despite_later, with_people }: Call<typeof undoFlags>['query']): UndoOptions {
  if (with_people === true) refuseWithoutScope(caller, 'provision')
  return { isDespiteLater: despite_later === true, withPeople: with_people === true }
}

async function storedFile(request: IncomingMessage, { caller: { app } }: UploadCall): Promise<StoredFile> {
  const file = await createUploadFile(app.settings).catch((error: unknown) => {
    throw asNoRoom(error)
  })
  try {
    await receiveFile(request, file, app.settings.maxUpload)
    if (file.bytes === 0) refuse('malformed_body', 'The body is empty')
    return await file.finish()
  } catch (error) {
    await file.discard()
    throw error
  }
}

async function optionsOf({ caller, query }: UploadCall): Promise<UploadOptions> {
  const {
    account_id,
    site_id,
    mapping,
    file_name: _,
    create_missing,
    dry_run,
    last_wins,
    skip_refused,
    counts,
    encoding,
    as_of,
    keep_hyphens,
    map,
    all,
    ...told
  } = query
  const named = { ...(account_id !== undefined && { account: account_id }), ...(site_id !== undefined && { site: site_id }) }
  const kept = mapping === undefined ? {} : await savedMapping(caller, caller.partnerId, mapping)
  // Values in a query are separated by commas; a command repeats its option instead.
  const words = overSaved(kept, { ...told, encoding, set: told.set?.replaceAll(',', '\n') })
  readMapping(words)
  mappedIds((map ?? '').replaceAll(';', '\n'))
  const target = await findTarget(caller, named)
  if (all === true) refuseWholeExport(caller, site_id)
  if (caller.accountIds !== null && target.accountId === undefined)
    refuse('bad_request', 'This key is limited to accounts: say with account_id for which of them the file is')
  return {
    target,
    words,
    createMissing: create_missing === true,
    isDryRun: dry_run === true,
    lastWins: last_wins === true,
    skipsRefused: skip_refused === true,
    counts: counts ?? 'ask',
    ...(all === true && { isWhole: true }),
    report: {
      asOf: as_of ?? caller.app.clock.now().slice(0, 10),
      keepHyphens: keep_hyphens === true,
      map: (map ?? '').replaceAll(';', '\n'),
    },
    ...(words.encoding !== undefined && { encoding: words.encoding, isRemembered: encoding === undefined }),
  }
}

/** It makes accounts and users, as provisioning does. */
function refuseWholeExport(caller: PartnerCaller, siteId: number | undefined): void {
  refuseWithoutScope(caller, 'provision')
  if (caller.accountIds !== null) refuse('forbidden', 'This key is limited to accounts and takes no whole accounts')
  if (siteId !== undefined) refuse('bad_request', 'Whole accounts are for a partner or an account, not for a site')
}

export async function mappings({ caller, query }: Call<typeof mappingFilter>): Promise<ImportMapping[]> {
  const all = await listMappings(caller, caller.partnerId)
  return all.filter(({ name }) => query.mapping_name === undefined || name === query.mapping_name)
}

export async function renameSaved({ caller, body, query }: Call<typeof namedMapping>): Promise<ImportMapping> {
  const { name } = complete(changedMapping, readDraft(changedMapping, body))
  return renameMapping(ofAll(caller), caller.partnerId, query.mapping_name, name)
}

export async function deleteSaved({ caller, query }: Call<typeof namedMapping>): Promise<ImportMapping> {
  return deleteMapping(ofAll(caller), caller.partnerId, query.mapping_name)
}

/** Files of all accounts are read by a mapping. */
function ofAll(caller: PartnerCaller): PartnerCaller {
  return reachesAll(caller)
    ? caller
    : refuse('forbidden', 'This key is limited to accounts and changes no mapping, which is for all of them')
}
