/** The router: a tree built from a table of path templates, which can tell a wrong method from a wrong path. */

export interface Match<T> {
  /** The template as the table has it: `/sites/{site_id}/search`. */
  readonly template: string
  /** The rows of the table with this template, one for each method. */
  readonly rows: readonly T[]
  /** The path segments in the place of braces, undecoded. */
  readonly params: readonly string[]
}

export type Router<T> = (path: string) => Match<T> | null

interface Branch<T> {
  readonly names: Map<string, Branch<T>>
  param: Branch<T> | null
  template: string
  readonly rows: T[]
}

export function routerOf<T>(table: Iterable<readonly [template: string, row: T]>): Router<T> {
  const root = emptyBranch<T>()
  for (const [template, row] of table) plant(root, template, row)
  return (path) => walk(root, path)
}

/** The parameters of the path, by the names in its template. */
export function namedParams({ template, params }: Match<unknown>): Record<string, string> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name, index) => [name, params[index] ?? '']))
}

function plant<T>(root: Branch<T>, template: string, row: T): void {
  let branch = root
  for (const segment of template.split('/').slice(1)) branch = grow(branch, segment)
  branch.template = template
  branch.rows.push(row)
}

function grow<T>(branch: Branch<T>, segment: string): Branch<T> {
  const isParam = segment.startsWith('{')
  const next = (isParam ? branch.param : branch.names.get(segment)) ?? emptyBranch<T>()
  if (isParam) branch.param = next
  else branch.names.set(segment, next)
  return next
}

function walk<T>(root: Branch<T>, path: string): Match<T> | null {
  const params: string[] = []
  let branch: Branch<T> | null = root
  for (const segment of path.split('/').slice(1)) {
    const named: Branch<T> | undefined = branch.names.get(segment)
    if (named === undefined) params.push(segment)
    branch = named ?? branch.param
    if (branch === null) return null
  }
  return branch.rows.length === 0 ? null : { template: branch.template, rows: branch.rows, params }
}

function emptyBranch<T>(): Branch<T> {
  return { names: new Map(), param: null, template: '', rows: [] }
}
