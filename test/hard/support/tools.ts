/** Tools of the machine that some goals need: installed first where that is possible, else a clear refusal. */
import { execFileSync } from 'node:child_process'

export function need(tool: string, debianPackage: string): void {
  if (isThere(tool)) return
  if (process.getuid?.() === 0) install(debianPackage)
  if (!isThere(tool)) throw new Error(`This goal needs ${tool}: install it (Debian: apt-get install ${debianPackage}).`)
}

export function isThere(tool: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function install(debianPackage: string): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-y', '-qq', debianPackage], { env, stdio: 'ignore' })
  } catch {
    // Said by whoever looks for the tool next.
  }
}
