/** The project's own files as text, for the tests that keep the house. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Source {
  /** From the root of the project, with forward slashes: `src/model/users.ts`. */
  path: string
  text: string
}

export const projectRoot = dirname(dirname(import.meta.dirname))

export function sourcesIn(pattern: string): Source[] {
  return globSync(pattern, { cwd: projectRoot }).sort().map(read)
}

/** Every text file that a checkout holds, and those about to be added to it. */
export function checkedInSources(): Source[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: projectRoot, encoding: 'utf8' })
  const paths = list.split('\0').filter((path) => path !== '' && existsSync(join(projectRoot, path)))
  return paths.map(read).filter(({ text }) => !text.includes('\0'))
}

function read(path: string): Source {
  return { path, text: readFileSync(join(projectRoot, path), 'utf8') }
}
