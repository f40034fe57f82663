/** A password from the operator: typed without echo, read from standard input, or generated; never an argument. */

import { text } from 'node:stream/consumers'
import { randomBase62 } from '../../../lib/secrets.ts'
import { type OperatorInput, UsageError } from '../../command.ts'

interface Chosen {
  readonly password: string
  /** A generated password, which must be printed. */
  readonly toShow: { readonly password?: string }
}

export async function choosePassword({ has }: Pick<OperatorInput, 'has'>): Promise<Chosen> {
  if (has('generate') && has('password-stdin')) throw new UsageError('A password is either read or made: --password-stdin or --generate.')
  if (has('generate')) return generated()
  const password = has('password-stdin') ? (await text(process.stdin)).replace(/\r?\n$/, '') : await ask()
  return { password, toShow: {} }
}

function generated(): Chosen {
  const password = randomBase62(20)
  return { password, toShow: { password } }
}

async function ask(): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError('There is no terminal to ask for the password: use --password-stdin or --generate.')
  const password = await typed('Password: ')
  if (password !== (await typed('Again: '))) throw new UsageError('The two passwords differ.')
  return password
}

/** Reads keys in raw mode, so that the terminal does not echo them. */
export function typed(question: string): Promise<string> {
  const { stdin, stderr } = process
  // Before the question, because a quick answer would otherwise be echoed.
  stdin.setRawMode(true).setEncoding('utf8').resume()
  stderr.write(question)
  return new Promise((resolve, reject) => {
    let line = ''
    const finish = (act: () => void) => {
      stdin.off('data', press).setRawMode(false).pause()
      stderr.write('\n')
      act()
    }
    const press = (keys: string) => {
      for (const key of keys) {
        if (key === '\r' || key === '\n') return finish(() => resolve(line))
        if (key === '\u0003' || key === '\u0004') return finish(() => reject(new UsageError('No password was given.')))
        line = key === '\u007f' || key === '\b' ? [...line].slice(0, -1).join('') : line + key
      }
    }
    stdin.on('data', press)
  })
}
