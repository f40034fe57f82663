/** `npm run hard:names`: element names made of every character of Unicode are read by REXML (Ruby), expat (Python) and libxml2 (xmllint). */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unicodeNameDocuments } from '../support/unicode-names.ts'

const ruby = `require 'rexml/document'
require 'rexml/parsers/baseparser'
ARGV.each do |path|
  parser = REXML::Parsers::BaseParser.new(File.read(path, encoding: 'UTF-8'))
  nil while parser.pull[0] != :end_document
end`

const python = `import sys, xml.parsers.expat
for path in sys.argv[1:]:
    xml.parsers.expat.ParserCreate(namespace_separator=' ').ParseFile(open(path, 'rb'))`

// biome-ignore format: a table reads by its columns
const readers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  REXML:   ['ruby', '-e', ruby],
  expat:   ['python3', '-c', python],
  libxml2: ['xmllint', '--noout'],
}

const folder = mkdtempSync(join(tmpdir(), 'marquee-names-'))
try {
  const files = [...unicodeNameDocuments()].map((document, index) => {
    const path = join(folder, `${index}.xml`)
    writeFileSync(path, document)
    return path
  })
  for (const [name, [program, ...args]] of Object.entries(readers)) read(name, program, [...args, ...files])
} finally {
  rmSync(folder, { recursive: true })
}

function read(name: string, program: string, args: readonly string[]): void {
  const startedAt = performance.now()
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  const isRead = status === 0
  console.log(JSON.stringify({ reader: name, read: isRead, seconds: Math.round((performance.now() - startedAt) / 1000) }))
  if (!isRead) console.error(error?.message ?? stderr.slice(0, 2_000))
  if (!isRead) process.exitCode = 1
}
