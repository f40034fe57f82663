/** `npm run build`: the service and the client as JavaScript under dist/, because Node runs no TypeScript below node_modules. */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** What the program reads beside its own code. */
const assets = ['web/assets', 'api/reference/reference.css']

export function build(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const compile = (project: string, to: string) =>
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--outDir', to], { cwd: root, stdio: 'inherit' })
  compile('tsconfig.build.json', folder)
  compile('tsconfig.client.json', join(folder, 'client'))
  for (const path of assets) cpSync(join(root, 'src', path), join(folder, path), { recursive: true })
}

if (import.meta.main) build(join(root, 'dist'))
