/** The rules of the house as functions from sources to faults; an empty list means that the rule holds. */
import { posix } from 'node:path'
import type { Source } from '../support/sources.ts'

export type Rule = (sources: Source[]) => string[]

// biome-ignore format: the ladder reads from top to bottom
const floors: readonly (readonly [floor: number, place: RegExp])[] = [
  [9, /^src\/main\.ts$/],
  [8, /^src\/cli\//],
  [7.5, /^src\/cluster\//],
  [7, /^src\/(service\.ts$|reader-worker\.ts$)/],
  [6.5, /^src\/demo\//],
  [6, /^src\/(api|web|jobs)\//],
  [5, /^src\/http\//],
  [4.4, /^src\/model\/(dashboard|transfers|upkeep)\//],
  [4.3, /^src\/model\/(people|sources)\//],
  [4.25, /^src\/model\/(intakes|mail)\//],
  [4.2, /^src\/model\/(partners|imports|reports)\//],
  [4.15, /^src\/readers\//],
  [4.1, /^src\/model\/core\//],
  [3, /^src\/store\//],
  [2, /^src\/resources\//],
  [1, /^src\/fields\//],
  [0, /^src\/(lib\/|client\/|config\.ts$)/],
]
const engineFiles = /^src\/(store\/|config\.ts$|cli\/commands\/operation\/doctor)/
const queryFiles = /^src\/(model|store)\//
const maxLines = 250
const maxFilesInFolder = 25

export const importsGoDown: Rule = (sources) =>
  sources.flatMap(({ path, text }) =>
    importsOf(path, text)
      .filter((target) => !mayImport(path, target))
      .map((target) => `${path} imports ${target}`),
  )

export const everyFileHasItsFloor: Rule = (sources) =>
  sources.filter(({ path }) => floorOf(path) === undefined).map(({ path }) => `${path} stands on no floor of the ladder`)

/** Types count: whoever reads one file of a circle must read all of them. */
export const noCycles: Rule = (sources) => {
  const graph = new Map(sources.map(({ path, text }) => [path, importsOf(path, text)]))
  return [...graph.keys()].filter((path) => reaches(graph, path, path)).map((path) => `${path} imports itself in a circle`)
}

/** A file that is generated is not read from top to bottom. */
export const isGenerated = ({ text }: Source) => /^\/\*\* .*Written by `npm run generate`/.test(text)

export const noLongFiles: Rule = (sources) =>
  sources
    .filter((source) => lineCount(source.text) > maxLines && !isGenerated(source))
    .map(({ path, text }) => `${path} has ${lineCount(text)} lines, more than ${maxLines}`)

/** Steps of the schema are a history, of which none can be merged with another. */
const history = 'src/store/migrations'

export const noCrowdedFolders: Rule = (sources) => {
  const folders = Map.groupBy(sources, ({ path }) => posix.dirname(path))
  return [...folders]
    .filter(([folder, files]) => files.length > maxFilesInFolder && folder !== history)
    .map(([folder, files]) => `${folder} has ${files.length} files, more than ${maxFilesInFolder}`)
}

export const enginesStayInTheStore: Rule = (sources) =>
  matches(
    sources.filter(({ path }) => !engineFiles.test(path)),
    /sqlite|postgres|\bpg\b/gi,
    'names an engine',
  )

export const queriesStayInTheModel: Rule = (sources) =>
  matches(
    sources.filter(({ path }) => !queryFiles.test(path)),
    /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/g,
    'holds a query',
  )

/** SQLite does not find such a pair in an index: `readBehind` reads on in two statements. */
export const noPairsWithRowIds: Rule = (sources) => matches(sources, /, id\) *[<>]=? *\(/g, 'compares a pair with a row id')

export const noDefaultExports: Rule = (sources) =>
  matches(sources, /^export default\b|^export \{[^}]*\bas default\b/gm, 'has a default export')

/** The verbs of commands and actions are always named together with their file, so they may repeat; the client is a package of its own. */
const namespaces = /^src\/(cli\/commands|api\/actions|client)\//

/** What the package `@marquee/client` offers must stand in one file. */
const faceOfThePackage = 'src/client/client.ts'

export const oneMeaningPerName: Rule = (sources) => {
  const exported = sources
    .filter(({ path }) => !namespaces.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)].map(([, name = '']) => ({ name, path })),
    )
  const byName = Map.groupBy(exported, ({ name }) => name)
  const isTwice = ([, places]: [string, { path: string }[]]) => new Set(places.map(({ path }) => path)).size > 1
  return [...byName].filter(isTwice).map(([name, places]) => `${name} is exported by ${places.map(({ path }) => path).join(' and ')}`)
}

export const noBarrels: Rule = (sources) => [
  ...matches(
    sources.filter(({ path }) => path !== faceOfThePackage),
    /^export (\*|\{[^}]*\}|type \{[^}]*\}) (as \w+ )?from\b/gm,
    'passes on what is not its own',
  ),
  ...sources.filter(({ path }) => posix.basename(path) === 'index.ts').map(({ path }) => `${path} is named index`),
]

export const everyFileStatesItsPromise: Rule = (sources) =>
  sources
    .filter(({ text }) => !/^(#!.*\n)?\/\*\*\s+\S/.test(text))
    .map(({ path }) => `${path} does not begin with a sentence on what it promises`)

export const noMocks: Rule = (sources) => matches(sources, /\bmock\.(method|fn|module|getter|setter)\(/g, 'mocks')

export function lineCount(text: string): number {
  return text.trimEnd().split('\n').length
}

/** The lengths of a file's own functions, in lines: those that begin and end at the margin. */
export function functionLengths(text: string): number[] {
  return [...text.matchAll(/^(?:export )?(?:async )?function\*? [\s\S]*?^\}/gm)].map(([body]) => lineCount(body))
}

function floorOf(path: string): number | undefined {
  return floors.find(([, place]) => place.test(path))?.[0]
}

function mayImport(from: string, to: string): boolean {
  const [above, below] = [floorOf(from), floorOf(to)]
  if (above === undefined || below === undefined) return false
  return folderOf(from) === folderOf(to) || below < above || (from === 'src/config.ts' && below === 0)
}

/** Files of one folder may import each other; `model/` is no such folder, but each folder inside it is. */
function folderOf(path: string): string {
  const segments = path.split('/')
  const depth = path.startsWith('src/model/') ? 3 : 2
  return segments.slice(0, depth).join('/')
}

export function importsOf(path: string, text: string): string[] {
  const targets = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\() ?'(\.[^']+)'/g)].map(([, target = '']) => target)
  return targets.map((target) => posix.join(posix.dirname(path), target))
}

function reaches(graph: Map<string, string[]>, from: string, goal: string, seen = new Set<string>()): boolean {
  return (graph.get(from) ?? []).some((next) => next === goal || (!seen.has(next) && reaches(graph, next, goal, seen.add(next))))
}

export function matches(sources: Source[], pattern: RegExp, says: string): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => `${path}:${lineCount(`${text.slice(0, match.index)}x`)} ${says}: ${match[0]}`),
  )
}
