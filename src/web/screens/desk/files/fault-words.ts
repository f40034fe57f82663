/** What is wrong with a file, told with the words of the forms of the desk instead of those by which programs send it. */

import { observationKinds, plural } from '../../../../resources/observation.ts'
import { fieldLabel, formLabels } from './columns-words.ts'
import { kindNames } from './data-words.ts'
import { boxLabels } from './drop-form.ts'

interface Told {
  /** The name of the field may stand before the message. */
  readonly field?: string
  readonly message: string
}

export function faultText({ field = '', message }: Told): string {
  const [place, sentence] = splitAt(message, field)
  const named = sentence.startsWith(`${field} `) && field !== '' ? `${fieldLabel(field)}${sentence.slice(field.length)}` : sentence
  return place + phrases.reduce((text, [said, label]) => text.replaceAll(said, label), withNames(named))
}

/** A file of an archive is named before the field. */
function splitAt(message: string, field: string): readonly [place: string, sentence: string] {
  const at = field === '' ? -1 : message.indexOf(`: ${field} `)
  return at < 0 || message.startsWith(`${field} `) ? ['', message] : [message.slice(0, at + 2), message.slice(at + 2)]
}

const kindsByPlural = new Map(observationKinds.map((kind) => [plural(kind), kindNames[kind]]))

/** Only where the sentence is ours: what stood in the file is left as it was. */
function withNames(sentence: string): string {
  if (!sentence.includes('the header names no kind of record')) return sentence
  return sentence
    .replace(/\b(fit|and|of|like|for) ([a-z_]+)(?=[ :;])/g, (all, before: string, kinds: string) => {
      const name = kindsByPlural.get(kinds)
      return name === undefined ? all : `${before} ${name}`
    })
    .replace(/\bit lacks ([a-z_]+(?:, [a-z_]+)*)/g, (_, fields: string) => `it lacks ${fields.split(', ').map(quoted).join(', ')}`)
    .replace(/\b(meant to be|two columns hold) ([a-z_]+)/g, (_, before: string, field: string) => `${before} ${quoted(field)}`)
    .replace(/ \(`preset` [\w-]+\)/g, '')
}

function quoted(field: string): string {
  return `“${fieldLabel(field)}”`
}

// biome-ignore format: a table reads by its columns
const phrases: readonly (readonly [said: string, label: string])[] = [
  ['(say `kind`, name columns with `columns`, values of all rows with `set`)', `(say “${formLabels.kind}”, “${formLabels.columns}” and “${formLabels.set}”)`],
  ['(name columns with `columns`, values of all rows with `set`)',             `(say “${formLabels.columns}” and “${formLabels.set}”)`],
  ['need those days (--period 2026-10-15..2026-11-11), those of one day `date`', `need those days, which only programs can say; those of one day “${formLabels.date}”`],
  ['say `kind`',                                            `say “${formLabels.kind}”`],
  ['say `preset`',                                          `say “${formLabels.preset}”`],
  ['say `sheet`',                                           `name one as “${formLabels.sheet}”`],
  ['`decimal` says',                                        `“${formLabels.decimal}” says`],
  ['`date_format` says',                                    `“${formLabels.date_format}” says`],
  ['`not_found` names what stands for "not found"',         `say it under ${formLabels.not_found}, if it means that`],
  ['; `round=1` rounds averages',                           '; averages are not rounded here'],
  ['; `devices=1` stores every device by name',             ''],
  ['; `devices=1` stores every location by name',           ''],
  [', because `round=1` asks for it: without it, average positions keep their fraction as figures of their own. --as-rank asks for ranks without this notice', ''],
  ['leave `locale` out of `set`',                           `leave out “${fieldLabel('locale')}” under “${formLabels.set}”`],
  ['convert it, or upload the file to /api/intakes with `encoding=windows-1252`', `say Windows-1252 under “${formLabels.encoding}”`],
  ['leave out `encoding`',                                  `say UTF-8 under “${formLabels.encoding}”`],
  ['say `last_wins=1` if the later one is meant',           `tick “${boxLabels.last}” if that is meant`],
  ['say `skip_refused=1` to leave such reviews out',        `tick “${boxLabels.part}” to leave such reviews out`],
  ['name it in `map`, or create it with `create_missing=1`', `tick “${boxLabels.make}”`],
  [': name it in `map`',                                    ', and only programs can say which it is'],
  ['say `counts=totals` or `counts=daily`',                 'only programs can say whether they are totals or daily'],
  ['import it by itself, with `marquee import` or as an upload', 'store it by itself'],
  ['does not exist within reach of this import',            'is not known here'],
  ['matches more than one within reach of this import: name the account', 'fits more than one here: say whose the file is'],
  ['must not be before start_date',                         `must not be before “${fieldLabel('start_date')}”`],
]
