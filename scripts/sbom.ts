/** `npm run -s sbom`: prints what the service is made of, as a CycloneDX document made from the lock file. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
}

const root = join(import.meta.dirname, '..')

/** By path, those that run in production: tools of the developers are left out. */
export function productionPackages(): [path: string, LockedPackage][] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> }
  return Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
}

export function billOfMaterials() {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version, licenses: [{ license: { id: license } }] } },
    components: productionPackages().map(([path, locked]) => componentOf(nameIn(path), locked)),
  }
}

function componentOf(name: string, { version = '', license = '', integrity = '' }: LockedPackage) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') }],
  }
}

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

if (import.meta.main) console.log(JSON.stringify(billOfMaterials(), null, 2))
