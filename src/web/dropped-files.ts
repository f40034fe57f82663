/** Files that a form brings: received like uploads of the API, and gone again unless the page keeps them. */

import type { IncomingMessage } from 'node:http'
import { receiveForm } from '../http/receive-form.ts'
import type { App } from '../model/core/app.ts'
import { shownNames } from '../model/intakes/file-names.ts'
import { createUploadFile, readUpload, removeUpload, type StoredFile } from '../model/intakes/upload-files.ts'

export interface DroppedFile {
  /** As the browser names it. */
  readonly name: string
  readonly file: StoredFile
  /** From now on the file belongs to whoever stores it. */
  keep(): void
}

export interface Dropped {
  readonly form: URLSearchParams
  readonly files: readonly DroppedFile[]
  /** Removes what nobody has kept. */
  close(): Promise<void>
}

const mostFiles = 500
/** More than any picture has. */
const mostInMemory = 1 << 20

export async function receiveDropped(
  app: App,
  request: IncomingMessage,
  begin: (form: URLSearchParams) => void,
  maxBytes = app.settings.maxUpload,
): Promise<Dropped> {
  const { settings } = app
  const { fields, files } = await receiveForm(request, {
    maxBytes,
    mostFiles,
    begin: async (form) => begin(form),
    open: () => createUploadFile(settings),
  })
  const names = await shownNames(
    app,
    files.map(({ name }) => name),
  )
  const kept = new Set<string>()
  return {
    form: fields,
    files: files.map(({ file }, at) => ({ name: names[at] as string, file, keep: () => void kept.add(file.name) })),
    async close() {
      for (const { file } of files) if (!kept.has(file.name)) await removeUpload(settings, file.name)
    },
  }
}

/** A small file that a form brought, at once; nothing where it brought none. */
export async function droppedBytes(settings: App['settings'], [first]: readonly DroppedFile[]): Promise<Uint8Array> {
  const small = first !== undefined && first.file.bytes <= mostInMemory ? first.file.name : null
  return small === null ? new Uint8Array() : Buffer.concat(await readUpload(settings, small).toArray())
}
