/** Conditions that may go without any row differing, and why. */

interface Equal {
  /** Its file below `src/`, and the condition. */
  readonly where: readonly [file: string, says: string]
  readonly why: string
}

const oneOfAll = 'ids are unique among all accounts; the account says on which machine a measured row lies'

const oneTask = 'an intake has one task, and while it is being undone that is the task of undoing'

const onlyAsks = 'it only asks whether the write is due; one too many changes nothing but the time'

// biome-ignore format: a table reads by its columns
export const equals: readonly Equal[] = [
  { where: ['model/partners/removal.ts',      ".where('account_id', '=', accountId)"], why: oneOfAll },
  { where: ['model/intakes/undo.ts',          ".where('task', '=', 'undo')"], why: oneTask },
  { where: ['model/intakes/tasks.ts',         ".where('seen_at', '<=', before)"], why: onlyAsks },
  { where: ['model/intakes/tasks.ts',         ".where('host', '!=', here)"], why: 'the host that asks has just confirmed its own files' },
]

export function reasonOf({ file, says }: { readonly file: string; readonly says: string }): string | undefined {
  return equals.find(({ where }) => `src/${where[0]}` === file && where[1] === says)?.why
}
