/** Names processes so that another one on the same machine can tell for sure that one has ended. In doubt it has not. */

import { readFileSync, readlinkSync } from 'node:fs'
import { memoOnce } from '../memo.ts'

/** The boot of the machine, the namespace of the process, its id, and when it began; what the system does not tell is empty. */
export const ownProcessName = memoOnce(() => [...surroundings(), process.pid, beganAt(process.pid)].join(' '))

/** True if no process of this machine has that name any more. The name may come from another machine. */
export function hasEnded(name: string): boolean {
  const [boot = '', space = '', pid = '', began = ''] = name.split(' ')
  const [ownBoot, ownSpace] = surroundings()
  if (began === '' || ownBoot === '' || boot !== ownBoot || space !== ownSpace) return false
  return isGone(Number(pid)) || !['', began].includes(beganAt(Number(pid)))
}

/** Asked of the system itself, because the files of another user's process may be hidden. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function surroundings(): [boot: string, space: string] {
  return [told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()), told(() => readlinkSync('/proc/self/ns/pid'))]
}

/** In ticks since the boot: the 20th field after the name of the command, which may hold blanks itself. */
function beganAt(pid: number): string {
  const stat = told(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function told(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
