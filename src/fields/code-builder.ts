/** Straight-line code for the writers: literals between two values are joined into one flat constant, values stand between them. */

/** Asked after every batch of a flow: a promise when the writer should wait before it goes on. */
export type Pause = () => Promise<void> | undefined

/** How the items of a list are come by. */
export type Loop = 'each' | 'eachSpan'

const handOnAbove = 16_384

export class CodeBuilder {
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

  /** Code for each item of a list; in a flow it comes in batches, and long ones hand on what they have. */
  each(items: string, item: string, body: () => void): void {
    const batch = this.variable()
    if (this.isFlow) this.line(`for await (const ${batch} of ${items}) {`)
    this.line(`for (const ${item} of ${this.isFlow ? batch : items}) {`)
    body()
    if (this.isFlow) this.line(`if (s.length > ${handOnAbove}) { ${flush} }`)
    this.line('}')
    if (this.isFlow) this.line(`${yieldWhenBehind} }`)
  }

  /** Code for each span of a list: all of them are there, or they come in pieces where they are too many. */
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

  /** The function of `v0`, with the names in scope that the expressions use. */
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

/** Code of a flow, after which all that was written so far is in its chunks. */
export const flush = "out.addText(s); s = ''"

/** An expression inside a literal: `<${embed('name')}>`. */
export function embed(expression: string): string {
  return `\0${expression}\0`
}

/** The expression for a literal with others inside it. */
export function expressionOf(literal: string): string {
  const parts = literal.split('\0').map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : part))
  return parts.filter((part) => part !== '""').join(' + ') || '""'
}
