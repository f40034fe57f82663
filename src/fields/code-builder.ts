/** Builds the straight-line source code of the compiled writers: adjacent literals are joined into one constant, with the values between them. */

/** Called after every batch of a stream; returns a promise when the writer should wait before it continues (back-pressure). */
export type Pause = () => Promise<void> | undefined

/** How the code iterates over the items of a list. */
export type Loop = 'each' | 'eachSpan'

const handOnAbove = 16_384

export class CodeBuilder {
  /** Whether lists arrive in asynchronous batches rather than complete. */
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

  /** Inserts an expression whose text is written at this point. */
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

  /** Emits code for each item of a list; when streaming, the list comes in batches, and long text is flushed between items. */
  each(items: string, item: string, body: () => void): void {
    const batch = this.variable()
    if (this.isFlow) this.line(`for await (const ${batch} of ${items}) {`)
    this.line(`for (const ${item} of ${this.isFlow ? batch : items}) {`)
    body()
    if (this.isFlow) this.line(`if (s.length > ${handOnAbove}) { ${flush} }`)
    this.line('}')
    if (this.isFlow) this.line(`${yieldWhenBehind} }`)
  }

  /** Emits code for each span of a list, which is either complete or comes in pieces because it is too long. */
  eachSpan(spans: string, span: string, body: () => void): void {
    const [all, piece] = [this.variable(), this.variable()]
    this.line(`const ${all} = ${spans}; const areAll${all} = ${all}.next === undefined`)
    this.line(
      `for (let ${piece} = areAll${all} ? ${all} : await ${all}.next(); ${piece} !== null; ${piece} = areAll${all} ? null : await ${all}.next())`,
    )
    this.line(`for (const ${span} of ${piece}) {`)
    body()
    this.line(`${yieldWhenBehind} }`)
  }

  /** Compiles the function of `v0`; the expressions may use the names in `scope`. */
  compile(scope: Readonly<Record<string, unknown>>): (value: unknown) => string {
    this.flush()
    const [head, end] = this.isFlow ? ['async (v0, out, pause)', flush] : ['(v0)', 'return s']
    const body = `return ${head} => { let s = ''\n${this.lines.join('\n')}\n${end} }`
    return new Function(...Object.keys(scope), body)(...Object.values(scope))
  }

  private flush(): void {
    if (this.pending === '') return
    this.lines.push(`s += ${expressionOf(this.pending)}`)
    this.pending = ''
  }
}

const yieldWhenBehind = 'const waiting = pause(); if (waiting !== undefined) await waiting'

/** Code of a streaming writer that moves everything written so far into its chunks. */
export const flush = "out.addText(s); s = ''"

/** Marks an expression inside a literal: `<${embed('name')}>`. */
export function embed(expression: string): string {
  return `\0${expression}\0`
}

/** Turns a literal with embedded expressions into one expression. */
export function expressionOf(literal: string): string {
  const parts = literal.split('\0').map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : part))
  return parts.filter((part) => part !== '""').join(' + ') || '""'
}
