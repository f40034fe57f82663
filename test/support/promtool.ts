/** The program of Prometheus with which tests check metrics and rules. */
import { findProgram } from './programs.ts'

export function findPromtool(): string {
  return findProgram({
    names: ['promtool'],
    debian: ['prometheus'],
    isServer: true,
    says: 'The tests check metrics and alert rules with promtool. Install it (Debian: apt-get install prometheus).',
  })
}
