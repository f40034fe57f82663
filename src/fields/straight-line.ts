/** Straight-line code for the writers: literals between two values are joined into one flat constant, values stand between them. */

/** Takes what has been written so far and gives back what is still to be kept: '' once it has been sent on. */
export type Drain = (written: string) => string

/** Asked after every batch of a flow: a promise when the writer should wait before it goes on. */
export type Pause = () => Promise<void> | undefined

const drainAbove = 16_384

export class StraightLine {
  /** Whether lists come in batches that may be waited for, rather than whole. */
  protected readonly isFlow: boolean
  private readonly lines: string[] = []
  private pending = ''
  private variables = 1

  constructor(isFlow = false) {
    this.isFlow = isFlow
  }

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

  /** Code for each item of a list; long lists hand on what they have. */
  each(items: string, item: string, body: () => void): void {
    const batch = this.variable()
    this.line(
      this.isFlow ? `for await (const ${batch} of ${items}) { for (const ${item} of ${batch}) {` : `for (const ${item} of ${items}) {`,
    )
    body()
    this.line(`if (s.length > ${drainAbove}) s = drain(s)`)
    this.line(this.isFlow ? '} const waiting = pause(); if (waiting !== undefined) await waiting }' : '}')
  }

  /** The function of `v0`, with the names in scope that the expressions use. */
  compile(scope: Readonly<Record<string, unknown>>): (value: unknown, drain?: Drain) => string {
    this.flush()
    const head = this.isFlow ? 'async (v0, drain, pause)' : '(v0, drain = (s) => s)'
    const body = `return ${head} => { let s = ''\n${this.lines.join('\n')}\nreturn s }`
    return new Function(...Object.keys(scope), body)(...Object.values(scope))
  }

  private flush(): void {
    if (this.pending === '') return
    this.lines.push(`s += ${expressionOf(this.pending)}`)
    this.pending = ''
  }
}

/** An expression inside a literal: `<${embed('name')}>`. */
export function embed(expression: string): string {
  return `\0${expression}\0`
}

/** The expression for a literal with others inside it. */
export function expressionOf(literal: string): string {
  const parts = literal.split('\0').map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : part))
  return parts.filter((part) => part !== '""').join(' + ') || '""'
}
