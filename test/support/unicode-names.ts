/** Element names made of every character of Unicode, at the beginning of a name and inside it, as XML documents of a few thousand elements each. */
import { encodeName } from '../../src/lib/xml/xml-name.ts'

const charactersInDocument = 8_192
const lastOfBasicPlane = 0xffff
const lastCodePoint = 0x10ffff

/** The basic plane is always whole; `step` thins out what is above it. Lone surrogates are no characters: nothing that we store holds one. */
export function* unicodeNameDocuments(step = 1): Generator<string> {
  const codes = Array.from({ length: lastCodePoint + 1 }, (_, code) => code).filter(
    (code) => !(code >= 0xd800 && code <= 0xdfff) && (code <= lastOfBasicPlane || code % step === 0),
  )
  for (let at = 0; at < codes.length; at += charactersInDocument) {
    const characters = codes.slice(at, at + charactersInDocument).map((code) => String.fromCodePoint(code))
    const names = characters.flatMap((character) => [character, `a${character}b`])
    yield `<names>${names.map((name) => `<${encodeName(name)}/>`).join('')}</names>`
  }
}
