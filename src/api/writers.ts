/** Answers: a record or a list, written from its table in XML and JSON. */

import type { List, RecordOf, Shape } from '../fields/shape.ts'
import { compileJson, compileJsonList } from '../fields/to-json.ts'
import { compileXml, compileXmlList } from '../fields/to-xml.ts'
import type { ListPage } from '../model/core/paging.ts'
import type { AnswerRule, Call } from './endpoint.ts'

export function record<S extends Shape>(root: string, shape: S): AnswerRule<RecordOf<S>> {
  const writers = { xml: compileXml(root, shape, { nulls: 'typed' }), json: compileJson(root, shape) }
  return {
    status: 200,
    content: { root, of: shape },
    write: (result, format) => (format === 'json' ? writers.json(result) : writers.xml(result)),
  }
}

/** 201 with the address under which the record answers from now on. */
export function created<S extends Shape>(root: string, shape: S, path: string): AnswerRule<RecordOf<S> & { id: number }> {
  return {
    ...record(root, shape),
    status: 201,
    headers: ({ id }, { caller, extension }) => ({ location: `${caller.app.settings.baseUrl}/api/${path}/${id}${dotted(extension)}` }),
  }
}

export function whole<S extends Shape>(root: string, items: List<S>): AnswerRule<Iterable<RecordOf<S>>> {
  const writers = { xml: compileXmlList(root, items, { nulls: 'typed' }), json: compileJsonList(root, items) }
  return {
    status: 200,
    content: { root, of: items },
    write: (result, format) => (format === 'json' ? writers.json(result) : writers.xml(result)),
  }
}

/** A page of a list; `Link` leads to the next one, narrowed in the same way. */
export function paged<S extends Shape>(root: string, items: List<S>): AnswerRule<ListPage<RecordOf<S>>> {
  const { content, write } = whole(root, items)
  return {
    status: 200,
    content,
    write: (page, format) => write(page.items, format),
    headers: ({ next }, call) => (next === null ? {} : { link: `<${nextAddress(call, next)}>; rel="next"` }),
  }
}

function nextAddress({ caller, path, format, query }: Call, after: string): string {
  const search = new URLSearchParams(Object.entries({ ...query, after }).map(([name, value]): [string, string] => [name, String(value)]))
  return `${caller.app.settings.baseUrl}${path}.${format}?${search}`
}

function dotted(extension: string | null): string {
  return extension === null ? '' : `.${extension}`
}
