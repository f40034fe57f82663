/** `marquee backup` and `marquee restore`: the whole database as one file, and back. */

import { text as textOf } from 'node:stream/consumers'
import { refuseMissingDatabase } from '../../model/core/installation.ts'
import { secretPath } from '../../model/core/server-secret.ts'
import { backUp, restore as putBack } from '../../model/upkeep/backups.ts'
import { openStore } from '../../store/store.ts'
import { type Given, type Output, UsageError } from '../command.ts'
import { runAsOwner } from '../owner.ts'
import { typed } from './password.ts'

export const secretOptions = {
  '--with-secret': 'include the server secret under a passphrase',
  '--passphrase-stdin': 'read the passphrase from standard input',
}

export async function backup({ settings, word: file, has }: Given): Promise<Output> {
  const passphrase = has('with-secret') ? await newPassphrase(has) : undefined
  runAsOwner(settings)
  refuseMissingDatabase(settings)
  const store = openStore(settings)
  try {
    await backUp(store, settings, file, passphrase)
  } finally {
    await store.close()
  }
  const without = `The server secret is not in it: keep ${secretPath(settings)} safe as well, without it the backup opens nothing.`
  return {
    document: { backup: { file, holds_secret: has('with-secret') } },
    note: has('with-secret') ? 'The server secret is in it, under the passphrase.' : without,
  }
}

export async function restore({ settings, word: file, has }: Given): Promise<Output> {
  const { aside, warning } = await putBack(settings, file, () => passphraseFrom(has))
  const kept = aside === null ? [] : [`The database that was here lies in ${aside}.`]
  const notes = [...kept, ...(warning === null ? [] : [warning]), 'People erased since the backup are back: erase them again.']
  return { document: { restored: { file, aside } }, note: notes.join('\n'), exitCode: warning === null ? 0 : 1 }
}

async function newPassphrase(has: Given['has']): Promise<string> {
  const passphrase = await passphraseFrom(has)
  if (!has('passphrase-stdin') && passphrase !== (await typed('Again: '))) throw new UsageError('The two passphrases differ.')
  return passphrase
}

async function passphraseFrom(has: Given['has']): Promise<string> {
  if (has('passphrase-stdin')) return (await textOf(process.stdin)).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY) throw new UsageError('There is no terminal to ask for the passphrase: use --passphrase-stdin.')
  return typed('Passphrase: ')
}
