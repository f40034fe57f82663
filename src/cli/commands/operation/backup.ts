/** `marquee backup`: writes the whole database to one file, or to a new file in a folder of backups. */

import { text as textOf } from 'node:stream/consumers'
import { refuseMissingDatabase } from '../../../model/core/installation.ts'
import { secretPath } from '../../../model/core/secrets/secret-file.ts'
import { backUp, nextBackup, noteBackup, removeOldBackups } from '../../../model/upkeep/backups.ts'
import { openStore } from '../../../store/store.ts'
import { type CommandInput, type Output, UsageError } from '../../command.ts'
import { runAsOwner } from '../../owner.ts'
import { typed } from '../provisioning/password.ts'

export async function backup(given: CommandInput): Promise<Output> {
  const { settings, has, number } = given
  const [file, folder] = targetOf(given)
  const passphrase = has('with-secret') ? await newPassphrase(has) : undefined
  runAsOwner(settings)
  refuseMissingDatabase(settings)
  const store = openStore(settings)
  try {
    await backUp(store, settings, file, passphrase)
    await noteBackup(store)
  } finally {
    await store.close()
  }
  const keep = number('keep')
  const removed = folder === undefined || keep === undefined ? [] : removeOldBackups(folder, keep)
  const without = `The server secret is not in it: keep ${secretPath(settings)} safe as well, without it the backup opens nothing.`
  return {
    document: { backup: { file, holds_secret: has('with-secret'), removed } },
    note: has('with-secret') ? 'The server secret is in it, under the passphrase.' : without,
  }
}

function targetOf({ word, text, number, has }: CommandInput): [file: string, folder: string | undefined] {
  const folder = text('to')
  if ((word === '') === (folder === undefined)) throw new UsageError('Name either a file or, with --to, a folder.')
  if (has('keep') && (folder === undefined || number('keep') === 0))
    throw new UsageError('--keep goes with --to and keeps at least one backup.')
  return [folder === undefined ? word : nextBackup(folder), folder]
}

async function newPassphrase(has: CommandInput['has']): Promise<string> {
  const passphrase = await passphraseFrom(has)
  if (!has('passphrase-stdin') && passphrase !== (await typed('Again: '))) throw new UsageError('The two passphrases differ.')
  return passphrase
}

export async function passphraseFrom(has: CommandInput['has']): Promise<string> {
  if (has('passphrase-stdin')) return (await textOf(process.stdin)).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY) throw new UsageError('There is no terminal to ask for the passphrase: use --passphrase-stdin.')
  return typed('Passphrase: ')
}
