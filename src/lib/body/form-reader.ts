/** Reads a request written as a form: `email=`, `user[email]=`, `abilities[0][key]=` and `abilities[][key]=`. */

import { refuse } from '../failures.ts'
import { memoUntilFull } from '../memo.ts'
import { eachInSlices } from '../work/slices.ts'
import { decodeBody } from './body-text.ts'
import { type BodyLimits, foldFieldName, type Node } from './tree.ts'

export async function readForm(bytes: Uint8Array, limits: BodyLimits): Promise<Node> {
  return formOf(decodeBody(bytes).split('&', limits.elements + 1), (pair) => (pair === '' ? null : decoded(pair)), limits)
}

/** Builds the tree from the parts of a form; `read` returns a field name such as `user[email]` and its text, or null for a part without a field. */
export async function formOf(
  parts: readonly string[],
  read: (part: string) => readonly [key: string, text: string] | null,
  { elements, depth }: BodyLimits,
): Promise<Node> {
  if (parts.length > elements) refuse('malformed_body', `The form has more than ${elements} fields.`)
  const form = new Form(depth)
  await eachInSlices(parts, (part) => {
    const field = read(part)
    if (field !== null) form.add(...field)
  })
  return form.root
}

function decoded(pair: string): [key: string, text: string] {
  const equals = pair.indexOf('=')
  return equals === -1 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
}

/** A node under construction, whose children can still be added. */
interface Growing extends Node {
  readonly children: Growing[]
}

const mostPathsKept = 100

class Form {
  readonly root: Growing = { name: '', kind: 'map', text: '', children: [] }
  readonly #found = new Map<Growing, Map<string, Growing>>()
  /** The items of a list repeat the same few names. */
  readonly #pathOf: (key: string) => readonly string[]

  constructor(depth: number) {
    this.#pathOf = memoUntilFull(mostPathsKept, (key) => split(key, depth))
  }

  add(key: string, text: string): void {
    const path = this.#pathOf(key)
    const last = path.length - 1
    const parent = path.slice(0, last).reduce((node, _step, at) => this.#enter(node, path.slice(at)), this.root)
    this.#grow(parent, path[last] as string, 'text', text)
  }

  /** Returns the map or list one step down the path, and creates it if it does not exist. */
  #enter(node: Growing, path: readonly string[]): Growing {
    const [step, ...rest] = path as [string, ...string[]]
    const kind = isItem(rest[0] as string) ? 'list' : 'map'
    const there = step === '' ? this.#lastItem(node, rest) : this.#find(node, step)
    return there?.kind === kind ? there : this.#grow(node, step, kind, '')
  }

  /** `a[][key]=` adds to the last item of the list until a key repeats, which begins a new item. */
  #lastItem(list: Growing, rest: readonly string[]): Growing | undefined {
    const last = list.children.at(-1)
    return last !== undefined && !this.#holds(last, rest) ? last : undefined
  }

  #holds(node: Growing, [step, ...rest]: readonly string[]): boolean {
    if (step === undefined) return true
    const child = step === '' && rest.length > 0 ? node.children.at(-1) : this.#find(node, step)
    return child !== undefined && this.#holds(child, rest)
  }

  #find(node: Growing, step: string): Growing | undefined {
    return this.#found.get(node)?.get(step)
  }

  /** Keeps both fields when a name is given twice, because `member` refuses them later. List items have no name, so a repeated index is refused here. */
  #grow(node: Growing, step: string, kind: Node['kind'], text: string): Growing {
    const found = this.#found.get(node) ?? new Map<string, Growing>()
    if (node.kind === 'list' && found.has(step))
      refuse('malformed_body', `The item ${brief(step)} of the list ${brief(node.name)} is given twice.`)
    const child: Growing = { name: node.kind === 'list' ? '' : step, kind, text, children: [] }
    if (step !== '') this.#found.set(node, found.set(step, child))
    node.children.push(child)
    return child
  }
}

/** Splits `abilities[0][scope-type]` into `abilities`, `0`, `scope_type`. */
function split(key: string, depth: number): readonly string[] {
  if (!/^[^[\]]+(?:\[[^[\]]*\])*$/.test(key)) refuse('malformed_body', `The field name ${brief(key)} is not well-formed.`)
  const path = foldFieldName(key).replaceAll(']', '').split('[')
  return path.length <= depth ? path : refuse('malformed_body', `The form is nested deeper than ${depth} levels.`)
}

function isItem(step: string): boolean {
  return /^\d*$/.test(step)
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return refuse('malformed_body', 'The form holds a percent escape that is not valid.')
  }
}

function brief(key: string): string {
  return key.slice(0, 120)
}
