/** The lines of an export, or of several one after the other: each has a head, then what makes its accounts, then what was measured. */

import { refuse } from '../../lib/failures.ts'
import type { ImportLine } from '../imports/import-line.ts'
import type { Target } from '../imports/refs.ts'
import { isTransferKind, type TransferKind, transferVersion } from './kinds.ts'

interface Head {
  readonly installation: string
  readonly accounts: number
  /** The partner account in the export of a whole partner, which becomes the partner account here. */
  readonly partnerAccountId: number | null
  /** Set in a stream that comes account by account, in which each has a line at its end. */
  readonly accountId: number | undefined
}

/** A record of what makes an account. */
export interface Told {
  readonly kind: TransferKind
  readonly record: Readonly<Record<string, unknown>>
  readonly line: number
  readonly partnerAccountId: number | null
}

export class ExportStream {
  readonly #lines: AsyncIterator<ImportLine>
  readonly #target: Target
  #head: Head

  private constructor(lines: AsyncIterator<ImportLine>, target: Target, head: Head) {
    this.#lines = lines
    this.#target = target
    this.#head = head
  }

  static async open(batches: AsyncIterable<readonly ImportLine[]>, target: Target): Promise<ExportStream> {
    const lines = eachLine(batches)
    const head = headOf((await lines.next()).value)
    if (target.accountId !== undefined && head.accounts !== 1) refuseSeveral()
    return new ExportStream(lines, target, head)
  }

  get installation(): string {
    return this.#head.installation
  }

  /** The partner account, in the export of a whole partner. */
  get partnerAccountId(): number | null {
    return this.#head.partnerAccountId
  }

  /** The next line that is neither a head nor an end; undefined after the last. */
  async next(): Promise<ImportLine | undefined> {
    const { done, value } = await this.#lines.next()
    if (done) return this.#end()
    const { type, account_id } = (value.record ?? {}) as Record<string, unknown>
    if (type === 'export') this.#begin(headOf(value))
    else if (type === 'end' && account_id === this.#head.accountId) this.#head = { ...this.#head, accountId: undefined }
    else return value
    return this.next()
  }

  /** The record of what makes an account on this line, if it is one. */
  toldBy({ record, fault, line }: ImportLine): Told | undefined {
    const kind = (record as { type?: unknown } | null)?.type
    if (fault !== undefined || !isTransferKind(kind)) return undefined
    return { kind, record: record as Told['record'], line, partnerAccountId: this.#head.partnerAccountId }
  }

  /** An account of which only a part came is followed by the whole of it, where its stream was asked for again. */
  #begin(head: Head): void {
    const before = this.#head
    if (head.installation !== before.installation)
      refuse('bad_request', 'The file holds exports of two installations: import each by itself')
    if (before.accountId !== undefined && before.accountId !== head.accountId) refuseCut(before.accountId)
    if (this.#target.accountId !== undefined && head.accountId !== before.accountId) refuseSeveral()
    this.#head = head
  }

  #end(): undefined {
    if (this.#head.accountId !== undefined) refuseCut(this.#head.accountId)
  }
}

function refuseSeveral(): never {
  return refuse('bad_request', 'The export holds several accounts: say --partner')
}

function refuseCut(accountId: number): never {
  return refuse('bad_request', `The export is cut within account ${accountId}: ask for the rest, after the last line of type end`)
}

async function* eachLine(batches: AsyncIterable<readonly ImportLine[]>): AsyncGenerator<ImportLine, undefined> {
  for await (const batch of batches) yield* batch
  return undefined
}

function headOf(line: ImportLine | undefined): Head {
  const { type, version, installation, accounts, partner_account_id, account_id } = (line?.record ?? {}) as Record<string, unknown>
  if (type !== 'export' || typeof installation !== 'string')
    refuse('bad_request', 'This is no export of whole accounts: `marquee export --all` writes one')
  if (version !== transferVersion)
    refuse('bad_request', `The export is of version ${String(version)}; this program reads version ${transferVersion}`)
  return {
    installation,
    accounts: Number(accounts),
    partnerAccountId: partner_account_id === null ? null : Number(partner_account_id),
    accountId: typeof account_id === 'number' ? account_id : undefined,
  }
}
