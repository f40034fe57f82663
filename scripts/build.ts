/** `npm run build`: the service and the client as JavaScript under dist/, because Node runs no TypeScript below node_modules. */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
export function build(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const compile = (project: string, to: string) =>
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--outDir', to], { cwd: root, stdio: 'inherit' })
  compile('tsconfig.build.json', folder)
  compile('tsconfig.client.json', join(folder, 'client'))
  // What the program reads beside its own code: styles, pictures, scripts for the browser.
  for (const path of globSync('**/*.*', { cwd: join(root, 'src'), exclude: ['**/*.ts'] }))
    cpSync(join(root, 'src', path), join(folder, path))
}

if (import.meta.main) build(join(root, 'dist'))
