/** `npm run hard:openapi -- lint | clients`: linters find nothing in our OpenAPI documents, and the clients that four generators make of them work. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freshPlace } from '../support/engines.ts'
import { basic, startTestService, type TestPartner } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..')
const clients = join(root, 'test', 'clients')
const documents = ['openapi.json', 'openapi-xml.json'].map((name) => join(root, name))
const folder = mkdtempSync(join(tmpdir(), 'marquee-openapi-'))

interface Driven {
  readonly created: { readonly user: { readonly login: string; readonly state: string } }
  readonly listed: { readonly users: readonly { readonly login: string }[] }
  readonly refused: { readonly code: string }
  readonly report: { readonly accounts: readonly object[] }
}

const forms = {
  async lint() {
    const rules = join(folder, 'spectral.json')
    writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas'] }))
    for (const document of documents) {
      const { totals } = JSON.parse(tool('redocly', 'lint', document, '--extends', 'recommended', '--format', 'json'))
      assert.deepEqual([totals.errors, totals.warnings], [0, 0], `redocly of ${document}`)
      const found: unknown[] = JSON.parse(tool('spectral', 'lint', document, '-r', rules, '-f', 'json', '--quiet', '-F', 'hint'))
      assert.deepEqual(found, [], `spectral of ${document}`)
      const { validate } = await fromClients<{ validate: (text: string) => Promise<{ valid: boolean; errors: unknown[] }> }>(
        '@scalar/openapi-parser',
      )
      const { valid, errors } = await validate(readFileSync(document, 'utf8'))
      assert.deepEqual([valid, errors], [true, []], `scalar of ${document}`)
    }
    return { documents: documents.length, linters: ['redocly', 'spectral:oas', '@scalar/openapi-parser'] }
  },

  async clients() {
    const [source = ''] = documents
    tool('openapi-typescript', source, '-o', join(folder, 'openapi-fetch', 'schema.d.ts'))
    tool('openapi-ts', '-i', source, '-o', join(folder, 'hey-api'), '-c', '@hey-api/client-fetch')
    tool('swagger-typescript-api', 'generate', '-p', source, '-o', join(folder, 'swagger-typescript-api'), '-n', 'api.ts')
    tool('orval', '--input', source, '--output', join(folder, 'orval', 'api.ts'), '--client', 'fetch')
    const service = await startTestService(await freshPlace('sqlite'))
    try {
      const acme = await service.partner('Acme')
      for (const name of ['openapi-fetch', 'hey-api', 'swagger-typescript-api', 'orval']) await drive(name, service.url, acme)
    } finally {
      await service.stop()
    }
    return { clients: 4 }
  },
}

async function drive(name: string, url: string, { key, password, accountId, credentials }: TestPartner): Promise<void> {
  const bundle = join(folder, `${name}.mjs`)
  const options = ['--bundle', '--format=esm', '--platform=node', `--alias:generated=${folder}`, `--outfile=${bundle}`, '--log-level=error']
  tool('esbuild', join(clients, 'drivers', `${name}.js`), ...options)
  const driver: { drive(world: object): Promise<Driven> } = await import(pathToFileURL(bundle).href)
  const user = { email: `${name}@acme.example`, login: `dana-${name}`, password: 'correct horse', account_id: accountId }
  const { created, listed, refused, report } = await driver.drive({
    url,
    key,
    password,
    authorization: basic(credentials),
    user,
    accountId,
  })
  assert.equal(created?.user?.state, 'passive', `${name} creates a user`)
  assert.deepEqual(
    listed?.users?.map(({ login }) => login),
    [user.login],
    `${name} lists users`,
  )
  assert.equal(refused?.code, 'not_found', `${name} is told of an error`)
  assert.equal(report?.accounts?.length, 1, `${name} reads a report`)
}

/** What a tool prints; one that fails, or finds something, ends the run with that. */
function tool(name: string, ...args: readonly string[]): string {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', DO_NOT_TRACK: '1', NO_COLOR: '1' }
  const { status, stdout, stderr } = spawnSync(join(clients, 'node_modules', '.bin', name), args, { cwd: clients, encoding: 'utf8', env })
  assert.ok(status === 0, `${name} ended with ${status}:\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`)
  return stdout
}

function fromClients<T>(name: string): Promise<T> {
  return import(pathToFileURL(createRequire(join(clients, 'package.json')).resolve(name)).href)
}

if (!existsSync(join(clients, 'node_modules'))) execFileSync('npm', ['ci'], { cwd: clients, stdio: 'inherit' })
const named = process.argv.slice(2)
try {
  for (const [name, run] of Object.entries(forms)) {
    if (named.length === 0 || named.includes(name)) console.log(JSON.stringify({ form: name, ...(await run()) }))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
