/** The configurations of deploy/cluster, as they are but for addresses, folders and passwords: what the documentation shows is what is run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownTree } from '../support/tree.ts'

type File = 'patroni.yml' | 'haproxy.cfg' | 'pgbouncer.ini'

/** Every replacement must find something; an address of the example network that is left is an oversight. */
export function configuration(file: File, replacements: readonly (readonly [from: string, to: string])[]): string {
  const text = replacements.reduce(
    (current, [from, to]) => {
      if (!current.includes(from)) throw new Error(`deploy/cluster/${file} no longer holds ${from}`)
      return current.replaceAll(from, to)
    },
    readFileSync(join(ownTree, 'deploy', 'cluster', file), 'utf8'),
  )
  const left = text.split('\n').filter((line) => /10\.0\.0\.\d/.test(line) && !/^\s*[#;]/.test(line))
  if (left.length > 0) throw new Error(`deploy/cluster/${file}: ${left.join('; ')}`)
  return text
}
