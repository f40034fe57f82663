/** Reads a request written in XML strictly and within limits; a DOCTYPE, custom entities and processing instructions are refused. */
import { type SaxesAttributeNS, SaxesParser } from 'saxes'
import { refuse } from '../failures.ts'
import { eachInSlices, endOfSlice } from '../work/slices.ts'
import { decodeBody, leadIn, place } from './body-text.ts'
import { type BodyLimits, branch, foldFieldName, type Node, scalar } from './tree.ts'

export async function readXml(bytes: Uint8Array, limits: BodyLimits): Promise<Node> {
  const text = decodeBody(bytes)
  await refuseReferences(text)
  return new XmlReader(text, limits).document()
}

const attributesPerElement = 8
/** So many characters are parsed before the clock is read. */
const charactersAtOnce = 4_096

/** An element whose end tag has not been read yet. */
interface Open {
  readonly name: string
  readonly kind: 'null' | 'list' | 'plain'
  readonly children: Node[]
  text: string
}

class XmlReader {
  // Version 1.0 is forced, because 1.1 would allow control characters.
  readonly #parser = new SaxesParser({ xmlns: true, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true })
  readonly #text: string
  readonly #limits: BodyLimits
  readonly #start: number
  readonly #open: Open[] = [{ name: '', kind: 'plain', children: [], text: '' }]
  #elements = 0
  #attributes = 0

  constructor(text: string, limits: BodyLimits) {
    this.#text = text
    this.#limits = limits
    this.#start = leadIn(text)
    this.#parser.on('error', (error) => this.#fail(error.message))
    this.#parser.on('xmldecl', ({ encoding }) => this.#declare(encoding ?? 'UTF-8'))
    this.#parser.on('doctype', () => this.#fail('a DOCTYPE is not accepted'))
    this.#parser.on('processinginstruction', () => this.#fail('processing instructions are not accepted'))
    this.#parser.on('attribute', () => this.#countAttribute())
    this.#parser.on('opentag', ({ name, attributes }) => this.#begin(name, attributes))
    this.#parser.on('closetag', () => this.#end())
    this.#parser.on('text', (more) => this.#add(more))
    this.#parser.on('cdata', (more) => this.#add(more))
  }

  async document(): Promise<Node> {
    for (let at = this.#start; at < this.#text.length; at += charactersAtOnce) {
      this.#parser.write(this.#text.slice(at, at + charactersAtOnce))
      await endOfSlice()
    }
    this.#parser.close()
    return this.#innermost().children[0] as Node
  }

  #declare(encoding: string): void {
    if (!/^(utf-8|us-ascii)$/i.test(encoding)) this.#fail('the encoding must be UTF-8')
  }

  #countAttribute(): void {
    if (++this.#attributes > attributesPerElement) this.#fail(`an element may have ${attributesPerElement} attributes at most`)
  }

  #begin(name: string, attributes: Readonly<Record<string, SaxesAttributeNS>>): void {
    this.#attributes = 0
    if (++this.#elements > this.#limits.elements) this.#fail(`more than ${this.#limits.elements} elements`)
    if (this.#open.length > this.#limits.depth) this.#fail(`nested deeper than ${this.#limits.depth} levels`)
    this.#open.push({ name: foldFieldName(name), kind: kindOf(attributes), children: [], text: '' })
  }

  #end(): void {
    const element = this.#open.pop() as Open
    if (holdsStrayText(element)) this.#fail('text beside elements')
    this.#innermost().children.push(nodeOf(element))
  }

  #add(more: string): void {
    this.#innermost().text += more
  }

  #innermost(): Open {
    return this.#open.at(-1) as Open
  }

  #fail(reason: string): never {
    return refuseAt(this.#text, this.#start + this.#parser.position - 1, reason)
  }
}

function kindOf(attributes: Readonly<Record<string, SaxesAttributeNS>>): Open['kind'] {
  if (attributes.nil?.value === 'true') return 'null'
  return attributes.type?.value === 'array' ? 'list' : 'plain'
}

function holdsStrayText({ kind, children, text }: Open): boolean {
  return (kind === 'list' || children.length > 0) && /[^ \t\r\n]/.test(text)
}

function nodeOf({ name, kind, children, text }: Open): Node {
  if (kind === 'null') return scalar(name, 'null', '')
  if (kind === 'list') return branch(name, 'list', children)
  return children.length > 0 ? branch(name, 'map', children) : scalar(name, 'text', text)
}

/**
 * Checks every `&` before the parser sees it: the parser would search from a bare one to the next semicolon, however far, and it looks entities up in an
 * object, where `&constructor;` exists.
 */
function refuseReferences(text: string): Promise<void> {
  return eachInSlices(text.matchAll(opaqueOrBareAmpersand), ({ 0: found, index }) => {
    if (found === '&') refuseAt(text, index, 'an & that begins none of &amp; &lt; &gt; &quot; &apos; and no character reference')
  })
}

// Skips comments and CDATA, which may contain any &. An unclosed one matches to the end of the text, so that the search stays linear.
const opaqueOrBareAmpersand = /<!--.*?(?:-->|$)|<!\[CDATA\[.*?(?:\]\]>|$)|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/gs

function refuseAt(text: string, index: number, reason: string): never {
  const brief = reason.replace(/\.$/, '').slice(0, 120)
  return refuse('malformed_body', `The XML is not well-formed: ${brief} (${place(text, index)}).`)
}
