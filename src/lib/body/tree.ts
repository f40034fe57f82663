/** One tree for what clients send, whatever it was written in: XML, JSON or a form. */
import { refuse } from '../failures.ts'

/** Children are a list and never an object keyed by names: a name sent twice stays visible, and `__proto__` is a name like any other. */
export interface Node {
  /** With underscores for hyphens, so that both spellings are one name; empty for the items of a JSON or form list. */
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean' | 'null' | 'map' | 'list'
  /** Of scalars, as it was sent: a number keeps its digits. Empty otherwise. */
  readonly text: string
  /** Members of a map, items of a list. */
  readonly children: readonly Node[]
}

/** How much a reader takes on: levels of nesting, and elements (or values) in all. */
export interface BodyLimits {
  readonly depth: number
  readonly elements: number
}

/** The child of that name; one given twice is refused, because either choice could be the wrong one. */
export function member(node: Node, name: string): Node | undefined {
  const [found, second] = node.kind === 'map' ? node.children.filter((child) => child.name === name) : []
  return second === undefined ? found : refuse('malformed_body', `The field ${name} is given twice.`)
}

export function scalar(name: string, kind: Exclude<Node['kind'], 'map' | 'list'>, text: string): Node {
  return { name, kind, text, children: [] }
}

export function branch(name: string, kind: 'map' | 'list', children: readonly Node[]): Node {
  return { name, kind, text: '', children }
}

export function foldFieldName(name: string): string {
  return name.replaceAll('-', '_')
}
