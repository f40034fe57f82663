/** What a PDF says, read by a second program: its sheets are separated by form feeds. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPoppler } from './poppler.ts'

const pdftotext = findPoppler('pdftotext')

/** Figures in a PDF are compressed and coded by glyph: a second program reads them. */
export function textOfPdf(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-pdf-'))
  writeFileSync(join(folder, 'report.pdf'), bytes)
  try {
    return execFileSync(pdftotext, ['-layout', join(folder, 'report.pdf'), '-'], { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
