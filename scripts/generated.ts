/** Every file that is derived from the tables of the source: its path and what must stand in it. */
import { conventions } from '../src/api/reference/conventions.ts'
import { conformanceBlocks } from '../src/api/reference/documentation/conformance-page.ts'
import { docsPages } from '../src/api/reference/documentation/docs-pages.ts'
import { guides } from '../src/api/reference/documentation/guides.ts'
import { importing } from '../src/api/reference/documentation/importing.ts'
import { searchIndex } from '../src/api/reference/documentation/layout.ts'
import { openApi } from '../src/api/reference/openapi.ts'
import { endpointBlocks, errorBlocks, recordBlocks } from '../src/api/reference/pages.ts'
import { ownVersion, settingTable } from '../src/config.ts'
import { type Block, markdownOf } from '../src/lib/document.ts'
import { clientOperations, clientTypes } from './client-source.ts'

const head = '<!-- Written by `npm run generate` from the tables in the source; a test fails when it is stale. -->\n\n'

export function generatedFiles(): Record<string, string> {
  return {
    'openapi.json': openApiText('json'),
    'openapi-xml.json': openApiText('xml'),
    'docs/api/README.md': head + markdownOf([...conventions, contents], inFolder),
    'docs/api/endpoints.md': head + markdownOf(endpointBlocks(), inFolder),
    'docs/api/records.md': head + markdownOf(recordBlocks(), inFolder),
    'docs/api/errors.md': head + markdownOf(errorBlocks(), inFolder),
    'src/api/reference/documentation/search.json': jsonText(searchIndex(docsPages())),
    'src/client/types.ts': clientTypes(),
    'src/client/operations.ts': clientOperations(),
    'docs/arriving.md': head + markdownOf(guidePage('arriving'), amongGuides),
    'docs/leaving.md': head + markdownOf(guidePage('leaving'), amongGuides),
    'docs/importing.md': head + markdownOf(importing(), amongGuides),
    'docs/conformance.md': head + markdownOf(conformanceBlocks(), amongGuides),
    'docs/settings.md': head + markdownOf(settings(), inFolder),
  }
}

function openApiText(format: 'json' | 'xml'): string {
  return jsonText(openApi(ownVersion(), format))
}

/** The service sends these files as they are. */
function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

const contents: Block = { items: ['[Endpoints](endpoints)', '[Records](records)', '[Errors](errors)', '[OpenAPI](openapi)'] }

function inFolder(target: string): string {
  const [page = '', anchor] = target.split('#')
  if (page === 'openapi') return '../../openapi.json'
  return `${page}.md${anchor === undefined ? '' : `#${anchor}`}`
}

/** The guides about moving stand beside the other pages too, for whoever has no service yet. */
function guidePage(name: 'arriving' | 'leaving'): Block[] {
  const { title = '', about = '', blocks } = guides[name] ?? {}
  return [{ heading: title, level: 1 }, { text: about }, ...(blocks?.() ?? [])]
}

function amongGuides(target: string): string {
  return `${target.replace(/^guides\//, '')}.md`
}

function settings(): Block[] {
  const rows = Object.values(settingTable).map(({ name, kind, fallback, secret, reload, note }) => [
    `\`${name}\``,
    kind.says,
    written(fallback),
    reload,
    `${note}${secret ? `; secret, also read from the file named by \`${name}_FILE\`` : ''}`,
  ])
  return [
    { heading: 'Settings', level: 1 },
    {
      text: 'Read once at start, from the environment and from the settings file `/etc/marquee/marquee.env` (`--env-file` and `MARQUEE_ENV_FILE` name another), which holds one `NAME=value` a line. The environment wins. A bad value stops the start with a sentence that names the setting. An unknown name that begins with `MARQUEE_` stops `serve` and `doctor`; other commands warn of it. `marquee settings` shows each value and where it came from.',
    },
    {
      text: '`systemctl reload marquee` (SIGHUP) reads them again. A setting marked `at once` is then used by the running process, one marked `new workers` by the workers that take the place of the old ones, and so only after a restart where there are no workers, and one marked `restart` after a restart.',
    },
    { table: { head: ['Name', 'What it is', 'Default', 'On reload', 'Note'], rows } },
  ]
}

function written(fallback: unknown): string {
  const isNone = fallback === undefined || fallback === '' || (Array.isArray(fallback) && fallback.length === 0)
  return isNone ? 'none' : `\`${fallback}\``
}
