/** Reads XML reports into their units one after the other, so that memory does not grow with the report. */

import { SaxesParser } from 'saxes'
import { decodeName } from '../../../lib/xml/xml-name.ts'
import { LiteralTags } from './repair-tags.ts'
import type { At, Fields, Unit } from './units.ts'

interface Element {
  readonly name: string
  /** The key of the element in its parent: the field's name, or the value it is named by. */
  readonly key: string
  readonly isNamedByData: boolean
  /** Whether it is a list of rankings, whose items may have any name: with literal names they are named like the phrase. */
  readonly isPhrase: boolean
  readonly type: string | undefined
  readonly isNil: boolean
  text: string
  readonly items: unknown[]
  readonly fields: Record<string, unknown>
  hasChildren: boolean
}

/** Wrappers whose single child is named by data, with the list they are items of. */
const wrappers: Readonly<Record<string, string>> = { account: 'accounts', site: 'sites', keyword: 'keywords', competitor: 'competitors' }

/** Lists whose items become units when they end, and are then removed from memory. */
const partsOf: Readonly<Record<string, string>> = { backlink: 'backlinks', keyword: 'keywords', page: 'pages' }

/** Lists that are empty after their items became units. */
const hollow = new Set([...Object.values(wrappers), 'pages'])

const maxDepth = 24
const maxTextLength = 1 << 20

export interface XmlReportOptions {
  /** Keeps the hyphens of literal names, which otherwise stand for spaces. */
  readonly keepHyphens: boolean
}

export class XmlReport {
  readonly #parser = new SaxesParser({ xmlns: false })
  readonly #tags = new LiteralTags()
  readonly #stack: Element[] = []
  readonly #options: XmlReportOptions
  #units: { line: number; unit: Unit }[] = []

  constructor(options: XmlReportOptions) {
    this.#options = options
    this.#parser.on('error', (error) => {
      throw error
    })
    this.#parser.on('doctype', () => this.#parser.fail('a document type is not taken'))
    this.#parser.on('opentag', ({ name, attributes }) => this.#open(name, attributes as Record<string, string>))
    this.#parser.on('text', (text) => this.#text(text))
    this.#parser.on('cdata', (text) => this.#text(text))
    this.#parser.on('closetag', () => this.#close())
  }

  get line(): number {
    return this.#parser.line
  }

  /** Returns the units that end within this piece of the document. */
  take(piece: string): { line: number; unit: Unit }[] {
    this.#parser.write(this.#tags.take(piece))
    return this.#given()
  }

  end(): { line: number; unit: Unit }[] {
    this.#parser.write(this.#tags.end()).close()
    return this.#given()
  }

  #given() {
    const units = this.#units
    this.#units = []
    return units
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#stack.length === 0 && name !== 'hash' && name !== 'account') this.#parser.fail(`its root is <${name}>`)
    if (this.#stack.length >= maxDepth) this.#parser.fail('it is nested too deeply')
    const parent = this.#stack.at(-1)
    if (parent) parent.hasChildren = true
    const isNamedByData = this.#isNamedByData()
    const key = isNamedByData ? this.#dataName(name, attributes['name']) : name.replaceAll('-', '_')
    const { type, nil } = attributes
    // Without a prototype, because the names come from the document.
    const fields = Object.create(null)
    const isPhrase = isNamedByData && parent?.name === 'keyword'
    const element: Element = {
      name,
      key,
      isNamedByData,
      isPhrase,
      type,
      isNil: nil === 'true',
      text: '',
      items: [],
      fields,
      hasChildren: false,
    }
    this.#stack.push(element)
    this.#begin(element)
  }

  #text(text: string): void {
    const element = this.#stack.at(-1)
    if (!element) return
    element.text += text
    if (element.text.length > maxTextLength) this.#parser.fail('a text is too long')
  }

  #close(): void {
    const element = this.#stack.pop() as Element
    const parent = this.#stack.at(-1)
    if (!this.#end(element, parent) && parent) {
      if (parent.type === 'array') parent.items.push(contentOf(element))
      else parent.fields[element.key] = contentOf(element)
    }
  }

  /** Whether the next element is the single child of a wrapper. */
  #isNamedByData(): boolean {
    const [list, wrapper] = this.#stack.slice(-2)
    return this.#isSeo && wrapper !== undefined && wrappers[wrapper.name] !== undefined && wrappers[wrapper.name] === list?.name
  }

  get #isSeo(): boolean {
    return this.#stack[0]?.name === 'hash'
  }

  #dataName(name: string, given: string | undefined): string {
    if (given !== undefined) return given
    const literal = decodeName(name)
    const isPhrase = this.#stack.at(-1)?.name === 'keyword'
    return isPhrase && !this.#options.keepHyphens ? literal.replaceAll('-', ' ') : literal
  }

  /** Units that others refer to are emitted when they begin. */
  #begin(element: Element): void {
    const wrapper = this.#stack.at(-2)?.name
    const list = this.#stack.at(-3)?.name
    if (this.#isSeo) {
      if (wrapper === 'site' && list === 'sites') this.#tell({ is: 'site', at: this.#at(), fields: {} })
      if (wrapper === 'competitor' && list === 'competitors') this.#tell({ is: 'competitor', at: this.#at(), fields: {} })
    } else if (wrapper === 'site' && element.name === 'location') this.#tell({ is: 'site', at: this.#at(), fields: {} })
    else if (wrapper === 'location' && element.type === 'array') this.#tellLocation(this.#stack.at(-2) as Element)
    else if (wrapper === 'competitor' && element.name === 'pages')
      this.#tell({ is: 'rival', at: this.#at(), fields: this.#stack.at(-2)?.fields ?? {} })
  }

  /** Emits the location once, before the first of its pages and competitors. */
  #tellLocation(location: Element): void {
    if (location.fields['told']) return
    this.#tell({ is: 'location', at: this.#at(), fields: { ...location.fields } })
    location.fields['told'] = true
  }

  /** True if the element was a unit of its own, or contains only such units. */
  #end(element: Element, parent: Element | undefined): boolean {
    const isPart = partsOf[element.name] !== undefined && partsOf[element.name] === parent?.name && !parent?.isNamedByData
    const isSubject = element.isNamedByData && (parent?.name === 'site' || parent?.name === 'competitor')
    if (isPart) this.#tellPart(element)
    if (isSubject) this.#tell({ is: 'figures', at: this.#at(element), fields: element.fields })
    return isPart || isSubject || (!element.isNamedByData && !parent?.isPhrase && hollow.has(element.name))
  }

  #tellPart(element: Element): void {
    const at = this.#at()
    if (element.name === 'backlink') this.#tell({ is: 'backlink', at, fields: element.fields })
    else if (element.name === 'page') this.#tell({ is: 'page', at, fields: element.fields })
    else
      for (const [phrase, rankings] of Object.entries(element.fields))
        this.#tell({ is: 'keyword', at, phrase, rankings: rankings as Fields[] })
  }

  #tell(unit: Unit): void {
    this.#units.push({ line: this.#parser.line, unit })
  }

  /** The place of the innermost open element; `closing` is one that was just removed from the stack. */
  #at(closing?: Element): At {
    const path = closing ? [...this.#stack, closing] : this.#stack
    return this.#isSeo ? seoPlace(path) : reputationPlace(path)
  }
}

function seoPlace(path: readonly Element[]): At {
  const domain = path[9]?.key
  const isCompetitor = path[7]?.name === 'competitors' && domain !== undefined
  return { account: path[3]?.key ?? '', site: path[6]?.key ?? '', ...(isCompetitor && { domain }) }
}

function reputationPlace(path: readonly Element[]): At {
  const competitor = path.find((element, i) => element.name === 'competitor' && path[i - 1]?.name === 'competitors')
  const at = { account: String(path[0]?.fields['id']), site: String(path[2]?.fields['id']) }
  return competitor ? { ...at, rival: String(competitor.fields['id']) } : at
}

function contentOf(element: Element): unknown {
  if (element.isNil) return null
  if (element.type === 'array') return element.items
  if (element.type === 'integer' || element.type === 'float') return Number(element.text)
  return element.hasChildren ? element.fields : element.text
}
