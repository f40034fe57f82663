/** The programs with which tests read PDFs. */
import { findProgram } from './programs.ts'

export function findPoppler(name: 'pdftotext' | 'pdftoppm' | 'pdfinfo'): string {
  return findProgram({
    names: [name],
    debian: ['poppler-utils'],
    says: `The tests read PDFs with ${name}. Install it (Debian: apt-get install poppler-utils).`,
  })
}
