/** Deliberate faults: what a server could do wrong, each with the rule that must find it. */

export interface PassedOn {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface DeliberateFault {
  readonly rule: string
  readonly says: string
  readonly spoil: (answer: PassedOn) => PassedOn
}

const fault = (rule: string, says: string, spoil: (answer: PassedOn) => Partial<PassedOn>): DeliberateFault => ({
  rule,
  says,
  spoil: (answer) => ({ ...answer, ...spoil(answer) }),
})
const status = (from: number, to: number) => (answer: PassedOn) => (answer.status === from ? { status: to } : {})
const text =
  (from: string | RegExp, to: string) =>
  ({ text: before }: PassedOn) => ({ text: before.replaceAll(from, to) })
const without =
  (name: string) =>
  ({ headers }: PassedOn) => ({ headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)) })
const header =
  (name: string, value: string) =>
  ({ headers }: PassedOn) => ({ headers: { ...headers, [name]: value } })
const on = (part: string, spoil: (answer: PassedOn) => Partial<PassedOn>) => (answer: PassedOn) =>
  answer.path.includes(part) ? spoil(answer) : {}

// biome-ignore format: a table reads by its columns
export const deliberateFaults: readonly DeliberateFault[] = [
  fault('access.none',      'reports are open to anyone',                 status(401, 200)),
  fault('access.challenge', 'a 401 has no challenge',                     without('www-authenticate')),
  fault('access.password',  'a wrong password is 403',                    status(401, 403)),
  fault('access.provision', 'the key alone creates users',                status(401, 422)),
  fault('format.extension', 'JSON is called text',                        header('content-type', 'text/plain')),
  fault('format.xml',       'XML has no charset',                         header('content-type', 'application/xml')),
  fault('format.accept',    'Accept is not looked at',                    header('content-type', 'application/xml; charset=utf-8')),
  fault('format.default',   'JSON is the default',                        header('content-type', 'application/json; charset=utf-8')),
  fault('format.unknown',   'an unknown extension is 200',                status(406, 200)),
  fault('error.address',    'an unknown address is 200',                  status(404, 200)),
  fault('error.method',     'a 405 does not say what is allowed',         without('allow')),
  fault('error.xml',        'errors are a page',                          on('soon', () => ({ text: '<html></html>' }))),
  fault('error.json',       'problems are plain JSON',                    on('soon', header('content-type', 'application/json'))),
  fault('error.request-id', 'answers have no request id',                 without('x-request-id')),
  fault('seo.declaration',  'the declaration is missing',                 text('<?xml version="1.0" encoding="UTF-8"?>\n', '')),
  fault('seo.root',         'the root is called report',                  text('hash>', 'report>')),
  fault('seo.root',         'accounts are no array',                      text('<accounts type="array">', '<accounts>')),
  fault('seo.end',          'the last line is not ended',                 ({ text: before }) => ({ text: before.trimEnd() })),
  fault('seo.names',        'names of data are not told',                 text(/ name="\d+"/g, '')),
  fault('seo.site-fields',  'a field of a site is missing',               text(/ *<domain-age.*\n/g, '')),
  fault('seo.site-fields',  'two fields of a site change places',         text(/( *<domain-count.*\n)( *<domain-age.*\n)/g, '$2$1')),
  fault('seo.competitors',  'a field of a competitor has another name',   text(/domain-count/g, 'domains')),
  fault('seo.types',        'numbers have no type',                       text(' type="integer"', '')),
  fault('seo.nulls',        'null has no mark',                           text(' nil="true"', '')),
  fault('seo.ranked-at',    'ranked-at is written with a T',              text(/(\d) (\d\d:\d\d:\d\d<)/g, '$1T$2')),
  fault('seo.found-on',     'found-on is written with slashes',           text(/(<found-on type="date">\d+)-(\d+)-/g, '$1/$2/')),
  fault('seo.json',         'JSON has the root hash too',                 on('.json', ({ text: before }) => ({ text: `{"hash":${before}}` }))),
  fault('seo.json-sites',   'JSON lacks the sites',                       on('.json', text(/"sites":\[\{.*?\}\]\}\]/g, '"sites":[]'))),
  fault('seo.days',         'days are not looked at',                     on('2999', text(/<(\w+) type="array" name="([a-z ]+)"\/>/g, '<$1><ranked-at>2026-01-01 00:00:00</ranked-at></$1>'))),
  fault('seo.bad-day',      'a day that is none is let pass',             status(400, 200)),
  fault('seo.foreign',      'a foreign account is 403',                   status(404, 403)),
  fault('seo.etag',         'there is no entity tag',                     without('etag')),
  fault('detail.fields',    'the root of the detail is called accounts',  text(/<(\/?)account>/g, '<$1accounts>')),
  fault('detail.id',        'the detail is of another account',           on('detail', text(/<id type="integer">\d+<\/id>/g, '<id type="integer">0</id>'))),
  fault('detail.created',   'created-at lacks its zone',                  text(' UTC<', '<')),
  fault('counts.status',    'the counts are not there',                   on('counts', () => ({ status: 404 }))),
  fault('user.fields',      'a new user lacks its salt',                  text(/ *<salt>.*\n/g, '')),
  fault('user.passive',     'a new user is active',                       text('<state>passive<', '<state>active<')),
  fault('user.taken',       'a name that is taken is called invalid',     text('code="taken"', 'code="invalid"')),
  fault('abilities.merge',  'merge replaces',                             on('merge', () => ({ text: '{"abilities":[]}' }))),
  fault('business.off',     'deactivating does nothing',                  on('deactivate', text('>deactivated<', '>active<'))),
]
