/** From a path to the endpoints that answer there: a tree over the table, so that a wrong method is told from a wrong path. */

import type { Endpoint } from './endpoint.ts'

export interface Match {
  readonly template: string
  readonly endpoints: readonly Endpoint[]
  /** What stands in the path where the template has ids, as it was written. */
  readonly ids: readonly string[]
}

interface Branch {
  readonly names: Map<string, Branch>
  id: Branch | null
  template: string
  readonly endpoints: Endpoint[]
}

export type Routes = (path: string) => Match | null

export function routesOf(endpoints: readonly Endpoint[]): Routes {
  const root = emptyBranch()
  for (const endpoint of endpoints) {
    plant(root, `/api/${endpoint.path}`, endpoint)
    if (endpoint.alias !== undefined) plant(root, endpoint.alias, endpoint)
  }
  return (path) => walk(root, path)
}

function plant(root: Branch, template: string, endpoint: Endpoint): void {
  let branch = root
  for (const segment of template.split('/').slice(1)) branch = grow(branch, segment)
  branch.template = template
  branch.endpoints.push(endpoint)
}

function grow(branch: Branch, segment: string): Branch {
  const isId = segment.startsWith('{')
  const next = (isId ? branch.id : branch.names.get(segment)) ?? emptyBranch()
  if (isId) branch.id = next
  else branch.names.set(segment, next)
  return next
}

function walk(root: Branch, path: string): Match | null {
  const ids: string[] = []
  let branch: Branch | null = root
  for (const segment of path.split('/').slice(1)) {
    const named: Branch | undefined = branch.names.get(segment)
    if (named === undefined) ids.push(segment)
    branch = named ?? branch.id
    if (branch === null) return null
  }
  return branch.endpoints.length === 0 ? null : { template: branch.template, endpoints: branch.endpoints, ids }
}

function emptyBranch(): Branch {
  return { names: new Map(), id: null, template: '', endpoints: [] }
}
