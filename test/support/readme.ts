/** The commands that a page of the documentation shows, each with the answer it shows. */

export interface ShownCommand {
  readonly line: string
  /** What the page shows of the answer; `...` stands for what it leaves out. */
  readonly answer: RegExp
}

/** Commands begin with `$` in an indented block; a backslash carries one on to the next line. */
export function shownCommands(page: string): ShownCommand[] {
  const blocks = page.split(/\n(?! {4})/).map((block) => block.replace(/^ {4}/gm, ''))
  const shown = blocks.join('\n').matchAll(/^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).+\n?)*)/gm)
  return Array.from(shown, ([, line = '', answer = '']) => ({ line, answer: patternOf(answer) }))
}

/** Times, hashes and measured figures differ from day to day. */
export function withoutChance(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\+00:00|Z| UTC)/g, 'TIME')
    .replace(/\b[0-9a-f]{40}\b/g, 'HASH')
    .replace(/type="(float|integer)">[\d.]+</g, 'type="$1">NUMBER<')
}

function patternOf(answer: string): RegExp {
  const parts = withoutChance(answer.trim())
    .split(/^ *\.\.\.$/m)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`)
}
