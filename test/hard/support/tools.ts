/** Tools of the machine that some goals need: installed first where that is possible, else a clear refusal. */
import { findProgram, installed } from '../../support/programs.ts'

export function need(tool: string, debian: string): void {
  findProgram({ names: [tool], debian: [debian], says: `This goal needs ${tool}: install it (Debian: apt-get install ${debian}).` })
}

export function isThere(tool: string): boolean {
  return installed({ names: [tool] }) !== undefined
}
