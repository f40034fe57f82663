/** `/docs/client`: how the TypeScript client is installed from this service, and what it does. */

import type { Block } from '../../../lib/document.ts'
import { endpoints } from '../../endpoints.ts'
import { clientPackages, newestClientPath } from '../client-packages.ts'
import { codeSamples, typescriptHead } from '../code-samples.ts'

export function clientBlocks(): Block[] {
  return [
    { heading: 'TypeScript client', level: 1 },
    {
      text: '`@marquee/client` has no dependencies. It has one method for each operation, under the name it has in [OpenAPI](openapi), with types from the same tables.',
    },
    ...installation(),
    { heading: 'First calls', level: 2 },
    { code: firstCalls(), language: 'ts' },
    { heading: 'On servers, not in pages', level: 2 },
    {
      text: 'It runs in Node 22 and later, and wherever there is the same `fetch`. It does not run in a page of a browser: a key opens everything that a partner may, so it does not belong there, and answers to keys never carry the headers (CORS) by which a page of another site could read them.',
    },
    { heading: 'Lists', level: 2 },
    {
      text: 'Lists are read with `for await`, page by page as they are needed; `first()` and `toArray()` are there too. The cursor is the business of the client.',
    },
    { heading: 'Reports', level: 2 },
    {
      text: '`seoReport()` gives the whole report as an object; `streamSeoReport(query, { format, ifNoneMatch })` gives its bytes as they come, in JSON, XML or CSV, with its `etag`; `body` is null when nothing has changed. In CSV, `table` must be named.',
    },
    { heading: 'Files', level: 2 },
    { code: fileCalls, language: 'ts' },
    {
      text: '`uploadFile` takes the path of a file, a `Blob` or `File`, or a stream, with the options of [Upload a file](endpoints#upload-a-file), and tells its progress; `gzip` compresses the file on its way, `signal` ends it. A lost connection begins it anew under the same `Idempotency-Key`, so that it is stored once; a stream cannot be read again, so it is not tried again.',
    },
    { heading: 'Many records', level: 2 },
    { code: pushCalls, language: 'ts' },
    {
      text: '`push` takes an array or anything that comes with `for await`, and sends as many requests as the size needs (`maxBytes`, 4 MiB by default), each under an `Idempotency-Key` of its own. The answer is the sum of all, with the first hundred refusals. With `atomic` each request is stored whole or not at all.',
    },
    { heading: 'Retries', level: 2 },
    {
      text: 'Lost connections, 408, 429, 500, 502, 503, 504 and 409 with `Retry-After` are tried again, four times unless told (`retries`). What creates or changes carries an `Idempotency-Key`, so nothing is done twice.',
    },
    { heading: 'Errors', level: 2 },
    {
      text: 'Refusals are thrown as `MarqueeError` and its kinds (`InvalidRequestError`, `AuthenticationError`, `PermissionError`, `NotFoundError`, `ConflictError`, `RateLimitError`, `UnavailableError`), with `code`, `status`, `details` and `requestId`; no answer at all is a `ConnectionError`.',
    },
    { heading: 'Time limits, hooks, and requests of your own', level: 2 },
    {
      items: [
        '`timeoutSeconds`, of the client or of a call: how long an answer may take to begin; while a file is sent, how long nothing may move.',
        "`app: 'acme-crm/2.1'` names your program in `User-Agent`.",
        '`hooks`: `onRequest` before each attempt, where headers can be added; `onResponse` after each answer; `onRetry` before each wait.',
        '`request(method, path, { query, body, headers })` sends anything else with the same key, retries and errors, and gives the `Response`.',
      ],
    },
  ]
}

/** The line names the version, so that the same line always installs the same bytes. */
function installation(): Block[] {
  const [newest] = clientPackages()
  if (newest === undefined) return [{ text: 'This service carries no package of the client.' }]
  const rows = clientPackages().map(({ path, version, integrity }) => [version, `[${path}](${path})`, `\`${integrity}\``])
  return [
    { code: `npm install https://marquee.example${newest.path}`, language: 'sh' },
    {
      text: `A version never changes; \`${newestClientPath}\` leads to the newest one. npm writes the hash into your lock file; compare it with this one:`,
    },
    { table: { head: ['Version', 'Address', 'Integrity'], rows } },
  ]
}

const shownCalls = ['POST users', 'PUT users/{user_id}/abilities', 'GET users', 'GET seo_report']

function firstCalls(): string {
  const calls = endpoints.filter(({ method, path }) => shownCalls.includes(`${method} ${path}`))
  const codes = calls.map((endpoint) => codeSamples(endpoint).find(({ label }) => label === 'TypeScript')?.code ?? '')
  return typescriptHead + codes.map((code) => code.slice(typescriptHead.length)).join('\n')
}

const fileCalls = `const intake = await client.uploadFile('positions.csv', { preset: 'serpbear', site_id: 1, create_missing: true }, {
  gzip: true,
  onProgress: ({ bytes, totalBytes }) => console.log(bytes, totalBytes),
  signal: AbortSignal.timeout(600_000),
})
console.log(intake.id, (await client.showIntake(intake.id)).state)`

const pushCalls = `async function* measured() {
  yield { type: 'keyword', site: 'example.com', phrase: 'plumber chicago' } as const
}
const { created, refused, refusals } = await client.push(measured(), { create_missing: true })`
