/** `npm run build`: the service as JavaScript under dist/, because Node runs no TypeScript below node_modules. */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
export function build(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const options = ['-p', 'tsconfig.build.json', '--outDir', folder]
  execFileSync(join(root, 'node_modules/.bin/tsc'), options, { cwd: root, stdio: 'inherit' })
  // What the program reads beside its own code: styles, pictures, scripts for the browser.
  for (const path of globSync('**/*.*', { cwd: join(root, 'src'), exclude: ['**/*.ts', 'client/*'] }))
    cpSync(join(root, 'src', path), join(folder, path))
}

if (import.meta.main) build(join(root, 'dist'))
