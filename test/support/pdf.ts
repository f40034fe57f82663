/** What a PDF says, read by a second program. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPoppler } from './poppler.ts'

/** Figures in a PDF are compressed and coded by glyph: a second program reads them. Its sheets are separated by form feeds. */
export function textOfPdf(bytes: Buffer): string {
  return readBy('pdftotext', bytes, ['-layout'], ['-'])
}

/** What its pieces are, as a screen reader is told: headings, paragraphs, tables and pictures, with their text. */
export function structureOfPdf(bytes: Buffer): string {
  return readBy('pdfinfo', bytes, ['-struct-text'])
}

function readBy(
  program: Parameters<typeof findPoppler>[0],
  bytes: Buffer,
  before: readonly string[],
  behind: readonly string[] = [],
): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-pdf-'))
  writeFileSync(join(folder, 'report.pdf'), bytes)
  try {
    return execFileSync(findPoppler(program), [...before, join(folder, 'report.pdf'), ...behind], { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
