/** The files that `.dockerignore` sends to the build of the image. */
import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** As Docker reads it: the last pattern that matches a path, or a folder above it, decides. */
export function isSentToDocker(path: string): boolean {
  return patterns.reduce((is, pattern) => (patternOf(pattern.replace('!', '')).test(path) ? pattern.startsWith('!') : is), true)
}

/** What `COPY . .` of the Dockerfile finds. */
export function copySentFiles(folder: string): void {
  const exclude = ['node_modules', '.git', 'data', 'dist']
  const files = globSync(['**/*', '.*'], { cwd: root, exclude, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map((file) => join(file.parentPath, file.name).slice(root.length + 1)).filter(isSentToDocker)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
}

/** `**\/data`, `*`, `deploy/marquee.env` */
function patternOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/|\*)/).map((part) => globs[part] ?? part.replaceAll('.', '\\.'))
  return new RegExp(`^${parts.join('')}(/.*)?$`)
}

const globs: Readonly<Record<string, string>> = { '**/': '(.*/)?', '*': '[^/]*' }
