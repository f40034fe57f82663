/** Takes an archive of tables apart, each file into one of its own, within the limits of what may be sent. */

import { isOneLine } from '../../../lib/one-line.ts'
import { isWorkbook } from '../../../lib/zip/workbook.ts'
import { openZip, type ZipArchive, ZipFault } from '../../../lib/zip/zip-file.ts'
import { importErrorSentence } from '../../../resources/imports/import-fault.ts'
import { isOneExport } from '../../imports/csv/period-in.ts'
import { otherWorkbooks } from '../../imports/read/archives.ts'
import {
  beginsAsArchive,
  createUploadFile,
  maxUnfolded,
  readUpload,
  removeUpload,
  type StoredFile,
  type UploadPlace,
} from '../upload-files.ts'
import type { CameFile } from './sorting.ts'

/** What may still come of all archives together. */
export interface Room {
  files: number
  bytes: number
}

/** `fault` says why a file is not taken out. */
export type Unpacked = { readonly name: string; readonly file: StoredFile } | { readonly name: string; readonly fault: string }

/** Null for what is stored as it is: no archive, a workbook, an archive of one file or of one export. Of an archive that cannot be read nothing is left. */
export async function unpack(place: UploadPlace, { file }: CameFile, room: Room): Promise<readonly Unpacked[] | null> {
  if (!(await beginsAsArchive(place, file.name))) return null
  const zip = await openZip(readUpload(place, file.name), Math.min(room.bytes, maxUnfolded(place, file.bytes)))
  const made: Unpacked[] = []
  try {
    if (isWorkbook(zip) || otherWorkbooks.some(zip.has) || zip.names.length === 1 || isOneExport(zip)) return null
    if (zip.names.length > room.files) throw new ZipFault('packed_files')
    for (const name of zip.names.toSorted()) made.push(await takeOut(place, zip, name, room))
    return made
  } catch (error) {
    for (const one of made) if ('file' in one) await removeUpload(place, one.file.name)
    throw error
  } finally {
    await zip.close()
  }
}

async function takeOut(place: UploadPlace, zip: ZipArchive, name: string, room: Room): Promise<Unpacked> {
  if (!isOneLine(name)) return { name, fault: 'has a name with a line break or another control character: rename it' }
  const receiving = await createUploadFile(place)
  try {
    for await (const chunk of zip.read(name) as AsyncIterable<Uint8Array>) await receiving.append(Buffer.from(chunk))
    const file = await receiving.finish()
    const fault = file.bytes === 0 ? 'is empty' : await archiveFault(place, file)
    if (fault !== null) await removeUpload(place, file.name)
    room.files--
    room.bytes -= file.bytes
    return fault === null ? { name, file } : { name, fault }
  } catch (error) {
    await receiving.discard()
    throw error
  }
}

/** A workbook is an archive too, and read; any other within an archive is not. */
async function archiveFault(place: UploadPlace, { name }: StoredFile): Promise<string | null> {
  if (!(await beginsAsArchive(place, name))) return null
  const zip = await openZip(readUpload(place, name)).catch(() => null)
  if (zip === null) return importErrorSentence({ field: '', code: 'archive' })
  await zip.close()
  return isWorkbook(zip) ? null : importErrorSentence({ field: '', code: 'archive_within' })
}
