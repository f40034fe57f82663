import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { billOfMaterials, type LockedPackage, productionPackages } from '../../scripts/sbom.ts'

/** MPL-2.0 asks that changes to its own files stay open, and we change none; the fonts are under the OFL. */
const licences = ['MIT', 'ISC', 'Apache-2.0', 'MIT-0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'MPL-2.0', 'MIT AND OFL-1.1']
/** Its LICENSE file is the MIT licence; its package.json names none. */
const licencesByFile: Readonly<Record<string, string>> = { 'node_modules/png-js': 'MIT' }
/** It has a script and brings what the script would make; `.npmrc` runs none. */
const mayHaveScript = ['node_modules/better-sqlite3']

function faultsOf([path, { integrity = '', license = '', hasInstallScript }]: readonly [string, LockedPackage]): string[] {
  return [
    ...(/^sha512-[\w+/]{86}==$/.test(integrity) ? [] : [`${path} has no integrity`]),
    ...(hasInstallScript === true && !mayHaveScript.includes(path) ? [`${path} has an install script`] : []),
    ...(licences.includes(licencesByFile[path] ?? license) ? [] : [`${path} has the licence ${license}`]),
  ]
}

describe('the packages that run in production', () => {
  const found = productionPackages()

  test('have integrity, no install script and a licence of the short list', () => {
    assert.ok(found.length > 10)
    assert.deepEqual(found.flatMap(faultsOf), [])
  })

  test('are refused where one of these is missing', () => {
    const bad: LockedPackage = { version: '1.0.0', license: 'GPL-3.0', hasInstallScript: true }
    assert.equal(faultsOf(['node_modules/bad', bad]).length, 3)
  })

  test('are all in the bill of materials, by name, version, licence and hash', () => {
    const { components, bomFormat, metadata } = billOfMaterials()
    assert.deepEqual([bomFormat, metadata.component.name, components.length], ['CycloneDX', 'marquee', found.length])
    assert.deepEqual(new Set(components.map(({ purl }) => purl)).size, components.length)
    for (const { name, version, purl, hashes } of components) {
      assert.match(purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/)
      assert.ok(name !== '' && version !== '')
      assert.match(hashes[0]?.content ?? '', /^[0-9a-f]{128}$/)
    }
  })
})
