/** Looks at the beginning of a file: what it is, how many rows it has, and whose sites it names. */

import { readDomain } from '../../../lib/domains.ts'
import { importErrorSentence, type LineError } from '../../../resources/imports/import-fault.ts'
import { type ObservationKind, observations } from '../../../resources/observation.ts'
import { type MappingWords, readMapping } from '../../imports/csv/mappings.ts'
import { openImport } from '../../imports/formats.ts'
import type { ImportLine } from '../../imports/import-line.ts'
import { readLines } from '../../imports/read/read-lines.ts'
import { beginsAsArchive, headBytes, largestArchiveRead, maxUnfolded, readUpload, type UploadPlace } from '../upload-files.ts'

/** What is found out of a file without reading all of it. */
export interface Looked {
  readonly presets: readonly string[]
  readonly kinds: readonly ObservationKind[]
  /** Null where nothing was read. */
  readonly rows: number | null
  /** Whether there are more rows than were counted; the number is then an estimate. */
  readonly isAbout: boolean
  /** Whether the rows name their sites. */
  readonly namesSites: boolean
  /** The domains that most rows are about, the most frequent first. */
  readonly hosts: readonly string[]
  /** Why it is not read, in a sentence. */
  readonly fault: string | null
  /** Whether saying how it is to be read may help. */
  readonly isMendable: boolean
}

const mostLines = 5_000
const mostHosts = 20
/** What another mapping, sheet or encoding may mend. */
const mendable: ReadonlySet<LineError['code']> = new Set(['columns', 'sheets', 'not_csv', 'not_utf8', 'already_utf8', 'cells', 'empty'])

export async function lookAt(
  place: UploadPlace,
  { name, bytes }: { readonly name: string; readonly bytes: number },
  words: MappingWords = {},
): Promise<Looked> {
  const stream = readUpload(place, name, (await beginsAsArchive(place, name)) ? bytes : headBytes)
  const seen = new Seen()
  try {
    const limits = { encoding: words.encoding, isRemembered: true, maxBytes: maxUnfolded(place, bytes) }
    const opened = await openImport(stream, limits)
    if (opened.format === 'xml report' || opened.format === 'json report') return { ...seen.looked(1), rows: null, namesSites: true }
    if (opened.format === 'zip' && bytes > largestArchiveRead) return { ...seen.looked(1), rows: null }
    const isCut = opened.format !== 'zip' && bytes > headBytes
    for await (const batch of readLines(opened, readMapping(words), { ...limits, guessed: (preset) => seen.presets.add(preset) })) {
      for (const line of batch) seen.take(line)
      if (seen.lines >= mostLines) return seen.looked(isCut ? bytes / headBytes : 2)
    }
    return seen.looked(isCut ? bytes / headBytes : 1)
  } finally {
    stream.destroy()
  }
}

class Seen {
  readonly presets = new Set<string>()
  lines = 0
  readonly #kinds = new Set<ObservationKind>()
  readonly #hosts = new Map<string, number>()
  #rows = 0
  #last = ''
  #namesSites = false
  #fault: LineError | undefined

  take({ record, fault, line, file = '' }: ImportLine): void {
    this.lines++
    if (fault !== undefined) this.#fault ??= fault
    if (fault !== undefined || typeof record !== 'object' || record === null) return
    const given = record as Readonly<Record<string, unknown>>
    const place = `${file} ${line}`
    if (place !== this.#last) this.#rows++
    this.#last = place
    const kind = given['type']
    if (typeof kind === 'string' && Object.hasOwn(observations, kind)) this.#kinds.add(kind as ObservationKind)
    if (typeof given['site'] === 'string') this.#namesSites = true
    const host = hostIn(given)
    if (host !== undefined) this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1)
  }

  /** Rows that were not read are as long as those that were. */
  looked(times: number): Looked {
    const fault = this.#rows === 0 ? this.#fault : undefined
    return {
      presets: [...this.presets],
      kinds: [...this.#kinds],
      rows: Math.round(this.#rows * times),
      isAbout: times > 1,
      namesSites: this.#namesSites,
      hosts: [...this.#hosts]
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, mostHosts)
        .map(([host]) => host),
      fault: fault === undefined ? null : importErrorSentence(fault, 'request').slice(0, 300),
      isMendable: fault !== undefined && mendable.has(fault.code),
    }
  }
}

/** The site of a row, or where the address lies that was found for it. */
function hostIn({ site, url, competitor }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof site === 'string') return readDomain(site)
  if (typeof url !== 'string' || competitor !== undefined || !URL.canParse(url)) return undefined
  return readDomain(new URL(url).hostname)
}

/** What is said of a file that is not read at all. */
export function unreadable(fault: string): Looked {
  return { presets: [], kinds: [], rows: null, isAbout: false, namesSites: false, hosts: [], fault, isMendable: false }
}
