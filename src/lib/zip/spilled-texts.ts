/** Keeps many texts in a nameless file and gives each back by its number, so that memory does not grow with them. */

import { closeSync, readSync, writeSync } from 'node:fs'
import { openNamelessFileSync } from '../streams/nameless-file.ts'

interface Block {
  /** The number of its first text. */
  readonly first: number
  readonly at: number
  readonly bytes: number
}

const textsPerBlock = 64
const charactersPerBlock = 1 << 16
const mostBlocksHeld = 128

export class SpilledTexts {
  readonly #file = openNamelessFileSync()
  readonly #blocks: Block[] = []
  readonly #held = new Map<Block, readonly string[]>()
  #open: string[] = []
  #openCharacters = 0
  #count = 0
  #size = 0

  add(text: string): void {
    this.#open.push(text)
    this.#openCharacters += text.length
    this.#count += 1
    if (this.#open.length >= textsPerBlock || this.#openCharacters >= charactersPerBlock) this.#spill()
  }

  at(index: number): string | undefined {
    const begun = this.#count - this.#open.length
    if (index >= begun) return this.#open[index - begun]
    const block = this.#blockOf(index)
    return block && this.#textsOf(block)[index - block.first]
  }

  close(): void {
    closeSync(this.#file)
  }

  #spill(): void {
    const bytes = Buffer.from(JSON.stringify(this.#open))
    writeSync(this.#file, bytes, 0, bytes.length, this.#size)
    this.#blocks.push({ first: this.#count - this.#open.length, at: this.#size, bytes: bytes.length })
    this.#size += bytes.length
    this.#open = []
    this.#openCharacters = 0
  }

  /** By halves, because blocks of long texts hold fewer. */
  #blockOf(index: number): Block | undefined {
    let [low, high] = [0, this.#blocks.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#blocks[middle] as Block).first <= index) low = middle
      else high = middle - 1
    }
    return index < 0 ? undefined : this.#blocks[low]
  }

  #textsOf(block: Block): readonly string[] {
    const held = this.#held.get(block)
    if (held !== undefined) return held
    const bytes = Buffer.allocUnsafe(block.bytes)
    readSync(this.#file, bytes, 0, block.bytes, block.at)
    const texts = JSON.parse(bytes.toString('utf8')) as string[]
    const oldest = this.#held.size >= mostBlocksHeld ? this.#held.keys().next().value : undefined
    if (oldest !== undefined) this.#held.delete(oldest)
    this.#held.set(block, texts)
    return texts
  }
}
