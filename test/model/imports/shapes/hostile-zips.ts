/** Archives that mean harm. */

import { zipOf } from './write-files.ts'

const content = 'phrase,search_engine,locale,ranked_at,rank\nplumber,Google,en-us,2026-11-14,3\n'

/** The writer refuses such names, so it is changed afterwards. */
export async function renamed(name: string, bad: string): Promise<Buffer> {
  const file = await zipOf({ [name]: content })
  return Buffer.from(file.toString('latin1').replaceAll(name, bad), 'latin1')
}

/** The bit of the list that says that a file is encrypted. */
export async function locked(): Promise<Buffer> {
  const file = Buffer.from(await zipOf({ 'a.csv': content }))
  const at = file.indexOf(Buffer.from('504b0102', 'hex'))
  file.writeUInt16LE(file.readUInt16LE(at + 8) | 1, at + 8)
  return file
}

/** The list names one file many times, each time by another name. */
export async function crowded(many: number): Promise<Buffer> {
  const file = await zipOf({ '00000.csv': content })
  const [list, end] = [file.indexOf(Buffer.from('504b0102', 'hex')), file.indexOf(Buffer.from('504b0506', 'hex'))]
  const entry = file.subarray(list, end).toString('latin1')
  const entries = Array.from({ length: many }, (_, n) => Buffer.from(entry.replace('00000', String(n).padStart(5, '0')), 'latin1'))
  const ending = Buffer.from(file.subarray(end))
  ending.writeUInt16LE(many, 8)
  ending.writeUInt16LE(many, 10)
  ending.writeUInt32LE(entry.length * many, 12)
  return Buffer.concat([file.subarray(0, list), ...entries, ending])
}
