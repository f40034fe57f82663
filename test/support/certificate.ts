/** A self-made certificate for this machine, as administrators make them for servers that only they use. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './programs.ts'

export interface Certificate {
  readonly keyFile: string
  readonly file: string
  readonly key: string
  readonly cert: string
  remove(): void
}

/** For localhost and 127.0.0.1, or for another name. */
export function makeCertificate(name = 'localhost'): Certificate {
  const openssl = findProgram({
    names: ['openssl'],
    debian: ['openssl'],
    says: 'The tests of TLS need openssl to make a certificate (Debian: apt-get install openssl).',
  })
  const folder = mkdtempSync(join(tmpdir(), 'marquee-certificate-'))
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = name === 'localhost' ? 'DNS:localhost,IP:127.0.0.1' : `DNS:${name}`
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const args = ['req', ...kind, '-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`, '-keyout', keyFile, '-out', file]
  execFileSync(openssl, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  return {
    keyFile,
    file,
    key: readFileSync(keyFile, 'utf8'),
    cert: readFileSync(file, 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
