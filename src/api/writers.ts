/** Writers of answers: a record or a list in XML and JSON, compiled from its table. */

import type { List, RecordOf, Scalar, Shape } from '../fields/shape.ts'
import { compileCsv, csvHeader, csvMark } from '../fields/to-csv.ts'
import { compileJson, compileJsonList } from '../fields/to-json.ts'
import { compileXml, compileXmlList } from '../fields/to-xml.ts'
import type { ListPage } from '../model/core/paging.ts'
import type { AnswerRule, Call } from './endpoint.ts'
import type { Format } from './format.ts'

export function record<S extends Shape>(root: string, shape: S): AnswerRule<RecordOf<S>> {
  const writers = { xml: compileXml(root, shape, { nulls: 'typed' }), json: compileJson(root === 'hash' ? null : root, shape) }
  return {
    status: 200,
    content: { root, of: shape },
    write: (result, format) => (format === 'json' ? writers.json(result) : writers.xml(result)),
  }
}

/** 201 with the address of the new record; ids in braces are those of the request. */
export function created<S extends Shape>(root: string, shape: S, path: string): AnswerRule<RecordOf<S> & { id: number }> {
  return {
    ...record(root, shape),
    status: 201,
    headers: ({ id }, { caller, extension, ids }) => {
      const below = ids.reduce((address, above) => address.replace(/\{\w+\}/, String(above)), path)
      return { location: `${caller.app.settings.baseUrl}/api/${below}/${id}${dotted(extension)}` }
    },
  }
}

/** 200 for an existing record, 201 for a new one; with its address. */
export function createdOrChanged<S extends Shape>(
  root: string,
  shape: S,
  path: string,
): AnswerRule<RecordOf<S> & { id: number; isNew: boolean }> {
  return { ...created(root, shape, path), status: 200, statusOf: ({ isNew }) => (isNew ? 201 : 200), also: { 201: 'Created' } }
}

/** Gives the content another name in the documentation than its root. */
export function withName<R>(name: string, rule: AnswerRule<R>): AnswerRule<R> {
  return { ...rule, content: { ...rule.content, name } }
}

/** 202 with the address of the record that shows the progress. */
export function accepted<S extends Shape>(root: string, shape: S, path: string): AnswerRule<RecordOf<S> & { id: number }> {
  return { ...created(root, shape, path), status: 202 }
}

export function whole<S extends Shape>(root: string, items: List<S>): AnswerRule<Iterable<RecordOf<S>>> {
  const writers = { xml: compileXmlList(root, items, { nulls: 'typed' }), json: compileJsonList(root, items) }
  return {
    status: 200,
    content: { root, of: items },
    write: (result, format) => (format === 'json' ? writers.json(result) : writers.xml(result)),
  }
}

/** Answers tools and keys that only read by a smaller table of the same records. */
export function briefly<R>(rule: AnswerRule<R>, { write, content }: AnswerRule<NoInfer<R>> | AnswerRule<never>): AnswerRule<R> {
  return { ...rule, writeBrief: write as AnswerRule<R>['write'], briefContent: content }
}

/** Adds an ETag for `If-Match`; XML and JSON have different tags, as HTTP requires. */
export function tagged<R>(rule: AnswerRule<R>, tagOf: (result: R) => string): AnswerRule<R> {
  return { ...rule, headers: (result, call) => ({ ...rule.headers?.(result, call), etag: `"${tagOf(result)}-${call.format}"` }) }
}

/** Says when to ask again for what is still being worked out. */
export function askedAgain<R>(rule: AnswerRule<R>, isUnfinished: (result: R) => boolean): AnswerRule<R> {
  return { ...rule, headers: (result, call) => ({ ...rule.headers?.(result, call), ...(isUnfinished(result) && { 'retry-after': '1' }) }) }
}

/** A page of a list; `Link` has the address of the next one with the same filters. */
export function paged<S extends Shape>(root: string, items: List<S>): AnswerRule<ListPage<RecordOf<S>>> {
  const { content, write } = whole(root, items)
  return {
    status: 200,
    content,
    write: (page, format) => write(page.items, format),
    headers: ({ next }, call) => (next === null ? {} : { link: `<${nextAddress(call, next)}>; rel="next"` }),
  }
}

/** Like `record`, also as a table with one row, which has the columns alone. */
export function recordOrTable<S extends Shape>(root: string, shape: S, columns: Columns): AnswerRule<RecordOf<S>> {
  const { write, ...rule } = record(root, shape)
  return { ...rule, ...asTable(root, columns, write, (row) => [row]) }
}

/** Like `paged`, also as a table of the same page. */
export function pagedOrTable<S extends Columns>(root: string, items: List<S>): AnswerRule<ListPage<RecordOf<S>>> {
  const { write, headers, ...rule } = paged(root, items)
  const { headers: named, ...table } = asTable<ListPage<RecordOf<S>>>(root, items.of, write, (page) => page.items)
  return { ...rule, ...table, headers: (page, call) => ({ ...headers?.(page, call), ...named(page, call) }) }
}

type Columns = Readonly<Record<string, Scalar>>

function asTable<R>(root: string, columns: Columns, write: AnswerRule<R>['write'], rowsOf: (result: R) => readonly object[]) {
  const [header, line] = [csvMark + csvHeader(columns), compileCsv(columns) as (row: object) => string]
  return {
    write: (result: R, format: Format) =>
      format === 'csv'
        ? header +
          rowsOf(result)
            .map((row) => `${line(row)}\r\n`)
            .join('')
        : write(result, format),
    headers: (_: R, { format }: Call): Readonly<Record<string, string>> =>
      format === 'csv' ? { 'content-disposition': `attachment; filename="${root}.csv"` } : {},
  }
}

function nextAddress({ caller, path, format, query }: Call, after: string): string {
  const search = new URLSearchParams(Object.entries({ ...query, after }).map(([name, value]): [string, string] => [name, String(value)]))
  return `${caller.app.settings.baseUrl}${path}.${format}?${search}`
}

function dotted(extension: string | null): string {
  return extension === null ? '' : `.${extension}`
}
