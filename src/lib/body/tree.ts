/** The tree that XML, JSON and form bodies are all read into. */
import { refuse } from '../failures.ts'

/** Children are a list, not an object keyed by name: a name sent twice stays visible, and `__proto__` is an ordinary name. */
export interface Node {
  /** Hyphens are replaced by underscores, so that both spellings are the same name; empty for the items of a JSON or form list. */
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean' | 'null' | 'map' | 'list'
  /** The text of a scalar exactly as it was sent, so a number keeps its digits; empty for maps and lists. */
  readonly text: string
  /** The members of a map or the items of a list. */
  readonly children: readonly Node[]
}

/** The limits of a reader: levels of nesting, and the total number of elements or values. */
export interface BodyLimits {
  readonly depth: number
  readonly elements: number
}

/** Returns the child with that name. A name given twice is refused, because either choice could be the wrong one. */
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
