/** The project's own files as text, for the tests that keep the house. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export interface Source {
  /** From the root of the project, with forward slashes: `src/model/users.ts`. */
  path: string
  text: string
}

export const projectRoot = dirname(dirname(import.meta.dirname))

export function sourcesIn(pattern: string): Source[] {
  return globSync(pattern, { cwd: projectRoot, exclude: ['**/node_modules/**'] })
    .sort()
    .map(read)
}

/** Every text file of the project; what is installed, measured or recorded by a version control system is not part of it. */
export function projectSources(): Source[] {
  const exclude = ['**/node_modules/**', 'dist/**', 'data/**', '.git', '.git/**']
  const entries = globSync(['**/*', '.*', '.ci/*'], { cwd: projectRoot, exclude, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)))
  return paths
    .sort()
    .map(read)
    .filter(({ text }) => !text.includes('\0'))
}

function read(path: string): Source {
  return { path, text: readFileSync(join(projectRoot, path), 'utf8') }
}
