/** Straight-line code for the writers: literals between two values are joined into one flat constant, values stand between them. */

/** Takes what has been written so far and gives back what is still to be kept: '' once it has been sent on. */
export type Drain = (written: string) => string

const drainAbove = 16_384

export class StraightLine {
  private readonly lines: string[] = []
  private pending = ''
  private variables = 1

  literal(text: string): void {
    this.pending += text
  }

  /** An expression whose text is written where it stands. */
  value(expression: string): void {
    this.pending += embed(expression)
  }

  line(code: string): void {
    this.flush()
    this.lines.push(code)
  }

  variable(): string {
    return `v${this.variables++}`
  }

  /** Where a long list may hand on what it has. */
  drainPoint(): void {
    this.line(`if (s.length > ${drainAbove}) s = drain(s)`)
  }

  /** The function of `v0`, with the names in scope that the expressions use. */
  compile(scope: Readonly<Record<string, unknown>>): (value: unknown, drain?: Drain) => string {
    this.flush()
    const body = `return (v0, drain = (s) => s) => { let s = ''\n${this.lines.join('\n')}\nreturn s }`
    return new Function(...Object.keys(scope), body)(...Object.values(scope))
  }

  private flush(): void {
    if (this.pending === '') return
    const parts = this.pending.split('\0').map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : part))
    this.lines.push(`s += ${parts.filter((part) => part !== '""').join(' + ')}`)
    this.pending = ''
  }
}

/** An expression inside a literal: `<${embed('name')}>`. */
export function embed(expression: string): string {
  return `\0${expression}\0`
}
