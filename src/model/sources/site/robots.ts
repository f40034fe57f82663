/** What a site allows robots to ask for (RFC 9309), and the sitemaps that it names. */

export interface Robots {
  readonly sitemaps: readonly string[]
  mayAsk(path: string): boolean
}

/** More sitemaps than this are not looked at. */
const mostSitemaps = 50

interface Rule {
  readonly isAllowed: boolean
  readonly pattern: string
  /** The longest rule that matches decides. */
  readonly length: number
}

/** Without a file everything is allowed, and nothing where the server fails. */
export function robotsWithoutFile(status: number): Robots {
  return { sitemaps: [], mayAsk: () => status >= 400 && status < 500 }
}

/** Rules for the product, or else those for all robots. */
export function readRobots(text: string, product: string): Robots {
  const groups = new Map<string, Rule[]>()
  const sitemaps: string[] = []
  let agents: string[] = []
  let isNaming = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/i.exec(line) ?? []
    const name = field.toLowerCase()
    if (name === 'user-agent') {
      agents = [...(isNaming ? agents : []), value.toLowerCase()]
      isNaming = true
      for (const agent of agents) if (!groups.has(agent)) groups.set(agent, [])
    } else if (name === 'allow' || name === 'disallow') {
      isNaming = false
      if (value !== '') for (const agent of agents) groups.get(agent)?.push(ruleOf(name === 'allow', value))
    } else if (name === 'sitemap' && sitemaps.length < mostSitemaps) sitemaps.push(value)
  }
  const rules = groups.get(product.toLowerCase()) ?? groups.get('*') ?? []
  return { sitemaps, mayAsk: (path) => isAllowedBy(rules, path) }
}

function ruleOf(isAllowed: boolean, pattern: string): Rule {
  return { isAllowed, pattern, length: pattern.length }
}

function isAllowedBy(rules: readonly Rule[], path: string): boolean {
  let longest: Rule | undefined
  for (const rule of rules) {
    if (!isLike(path, rule.pattern)) continue
    if (longest === undefined || rule.length > longest.length || (rule.length === longest.length && rule.isAllowed)) longest = rule
  }
  return longest?.isAllowed ?? true
}

/** Whether the path begins like the pattern, in which a star stands for anything and `$` for the end. Each part is looked for once, so that no pattern takes long. */
function isLike(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  const last = isWhole ? parts.pop() : undefined
  if (isWhole && last === undefined) return path === first
  let at = first.length
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last))
}
