/** Headers that name no kind of record, and options that contradict the file. */
import { type BrokenFile, header, row } from './broken-file.ts'

const german = { kind: 'rankings', columns: 'Begriff=phrase,Platz=rank,Datum=ranked_at', set: 'search_engine=Google\nlocale=de-de' }
const germanFile = (place: string, day: string) => `Begriff;Platz;Datum\nBrot;${place};${day}\n`
const wide = { preset: 'se-ranking', set: 'search_engine=Google\nlocale=en-us' }
const speed = (cell: string) => `day;download_time\n2026-11-14;${cell}\n`
const placed = (cell: string) => `${header}\n${row}\nplumber,Google,en-us,2026-11-14,"${cell}"\n`
const dated = (cell: string) => `${header}\n${row}\nplumber,Google,en-us,${cell},3\n`
const locale = { set: 'locale=en-us' }
const page = { set: 'page_url=https://maps.example/1' }

// biome-ignore format: a table reads by its columns
export const headers: readonly BrokenFile[] = [
  // Headers
  ['columns that nobody knows',               'colour,size\nred,7\n',                                  '1', /it lacks/],
  ['a misspelt column',                       `${header.replace('rank,', 'rnak,').replace(/rank$/, 'rnak')}\n${row}\n`, '1', /is rnak meant to be rank\?/],
  ['a column that is cut short',              `${header.replace('search_engine', 'search')}\n${row}\n`, '1', /is search meant to be search_engine\?/],
  ['a misspelt locale',                       `${header.replace('locale', 'local')}\n${row}\n`,        '1', /is local meant to be locale\?/],
  ['a plural for a column',                   `${header.replace('phrase', 'phrases')}\n${row}\n`,      '1', /is phrases meant to be phrase\?/],
  ['a misspelt time',                         `${header.replace('ranked_at', 'rankedat')}\n${row}\n`,  '1', /is rankedat meant to be ranked_at\?/],
  ['a misspelt day of a snapshot',            'dayy,backlink_count\n2026-11-14,3\n',                   '1', /is dayy meant to be day\?/],
  ['a misspelt rating',                       'page_url,source,ratng,date\na,b,5,2026-11-14\n',        '1', /is ratng meant to be rating\?/],
  ['a misspelt sum',                          'page_url,source,date,count,rating_sums\na,b,2026-11-14,1,5\n', '1', /is rating_sums meant to be rating_sum\?/],
  ['a ranking without its engine',            'phrase,rank\nbread,1\n',                                '1', /for rankings it lacks search_engine, locale, ranked_at/],
  ['a ranking without its rank',              'phrase,search_engine,locale,ranked_at\na,b,c,2026-11-14\n', '1', /for rankings it lacks rank/],
  ['a backlink without its page',             'found_on,link_strength,domain_authority\n2026-11-14,1,2\n', '1', /for backlinks it lacks source_url/],
  ['a review without its rating',             'page_url,source,date,detail\na,b,2026-11-14,c\n',       '1', /for reviews it lacks rating/],
  ['a count without its sum',                 'page_url,source,date,count\na,b,2026-11-14,1\n',        '1', /for review_counts it lacks rating_sum/],
  ['clicks without impressions',              'phrase,search_engine,date,clicks\na,b,2026-11-14,1\n',  '1', /for click_counts it lacks impressions/],
  ['a column twice',                          'phrase,Phrase\na,b\n',                                  '1', /two columns hold phrase/],
  ['a column twice, spelt in two ways',       `${header},Search Engine\n${row},Bing\n`,                '1', /two columns hold search_engine/],
  ['a header without names',                  ',,,,\n1,2,3,4,5\n',                                     '1', /the header names no kind of record/],
  ['a header of numbers',                     '1,2,3\n4,5,6\n',                                        '1', /the header names no kind of record/],
  ['a header with names of the language',     'constructor,toString,__proto__\n1,2,3\n',               '1', /the header names no kind of record/],
  ['a header with control characters',        'phr\u0007ase,ra\u001bnk\na,1\n',                        '1', /the header names no kind of record/],
  ['a header in another language',            'Suchbegriff,Platz,Datum\nBrot,1,2026-11-14\n',          '1', /name columns with --columns/],
  ['a kind of which no column is known',      'colour,size\nred,7\n',                                  '1', /no column is a field of locations/, { kind: 'locations' }],
  ['a header of formulas',                    '=A1,=B1\n1,2\n',                                        '1', /the header names no kind of record/],
  // Names of columns that are told
  ['a told column that is not there',         `${header}\n${row}\n`,                                   '1', /there is no column Keyword: the file has phrase/, { columns: 'Keyword=phrase' }],
  ['a told column beside the field itself',   `${header},Keyword\n${row},x\n`,                         '1', /two columns hold phrase/, { columns: 'Keyword=phrase' }],
  ['a told field that the kind lacks',        germanFile('3', '2026-11-14'),                           '1', /rankings have no field rating/, { ...german, columns: 'Begriff=rating' }],
  ['a told field that nobody knows',          germanFile('3', '2026-11-14'),                           '', /There is no field rnk; did you mean rank\?/, { columns: 'Platz=rnk' }],
  ['a told column without a field',           germanFile('3', '2026-11-14'),                           '', /A column is told as "Name of the column=field"/, { columns: 'Platz' }],
  ['a kind that nobody knows',                `${header}\n${row}\n`,                                   '', /A kind is one of sites, competitors/, { kind: 'ranks' }],
  ['a kind that the columns are not',         `${header}\n${row}\n`,                                   '1', /for reviews it lacks/, { kind: 'reviews' }],
  ['a value of a field nobody knows',         `${header}\n${row}\n`,                                   '', /There is no field locle; did you mean locale\?/, { set: 'locle=en' }],
  ['a value without a field',                 `${header}\n${row}\n`,                                   '', /A value of all rows is told as field=value/, { set: 'en-us' }],
  ['a value of another kind of record',       `${header}\n${row}\n`,                                   '2 rating', /rating is not a field of this kind/, { set: 'rating=5' }],
  ['a value that its field refuses',          'phrase,search_engine,ranked_at,rank\na,b,2026-11-14,1\n', '2 locale', /locale is too long \(at most 50/, { set: `locale=${'x'.repeat(51)}` }],
  ['an empty value',                          'phrase,search_engine,ranked_at,rank\na,b,2026-11-14,1\n', '2 locale', /locale must be given/, { set: 'locale=' }],
  ['a site that is no domain',                `${header}\n${row}\n`,                                   '', /site must be a domain name/, { set: 'site=https://example.com/' }],
  // Numbers that contradict --decimal
  ['an average without --round',              placed('7.4'),                                           '3 rank', /rank must be an integer \(here: 7\.4\); --round rounds averages/],
  ['an average with a comma',                 placed('7,4'),                                           '3 rank', /\(here: "7,4"\); --decimal says which mark/],
  ['thousands in groups',                     placed('1,234'),                                         '3 rank', /\(here: "1,234"\); --decimal says which mark/],
  ['a comma, although a point was said',      placed('7,4'),                                           '3 rank', /\(here: "7,4"\)/, { decimal: '.', round: true }],
  ['groups of two digits',                    placed('12,34,567'),                                     '3 rank', /\(here: "12,34,567"\)/, { decimal: '.' }],
  ['a point, although a comma was said',      speed('0.35'),                                           '2 download_time', /download_time must be a number \(here: "0\.35"\)/, { decimal: ',' }],
  ['0.350, although a comma was said',        speed('0.350'),                                          '2 download_time', /must be a number \(here: "0\.350"\)/, { decimal: ',' }],
  ['two commas',                              speed('1,2,3'),                                          '2 download_time', /must be a number \(here: "1,2,3"\)/, { decimal: ',' }],
  ['groups after the comma',                  speed('1,234.567'),                                      '2 download_time', /must be a number \(here: "1,234\.567"\)/, { decimal: ',' }],
  ['an average with --decimal, not --round',  germanFile('7,4', '2026-11-14'),                         '2 rank', /\(here: 7\.4\); --round/, { ...german, decimal: ',' }],
  ['a decimal mark that is none',             `${header}\n${row}\n`,                                   '', /The decimal mark is \. or ,/, { decimal: ';' }],
  // Days that contradict --date-format
  ['a German day without a format',           dated('14.11.2026'),                                     '3 ranked_at', /\(here: "14\.11\.2026"\); --date-format says how days are written/],
  ['an American day without a format',        dated('11/14/2026'),                                     '3 ranked_at', /\(here: "11\/14\/2026"\); --date-format/],
  ['a month in words without a format',       dated('14 Nov 2026'),                                    '3 ranked_at', /\(here: "14 Nov 2026"\); --date-format/],
  ['a plain day, although another was said',  dated('2026-11-14'),                                     '3 ranked_at', /ranked_at must be a real time/, { date_format: 'dd.mm.yyyy' }],
  ['month and day the wrong way round',       germanFile('3', '14/11/2026'),                           '2 ranked_at', /\(here: "14\/11\/2026"\)/, { ...german, date_format: 'mm/dd/yyyy' }],
  ['a day of February that does not exist',   germanFile('3', '30.02.2026'),                           '2 ranked_at', /\(here: "30\.02\.2026"\)/, { ...german, date_format: 'dd.mm.yyyy' }],
  ['a year of two digits for four',           germanFile('3', '14.11.26'),                             '2 ranked_at', /\(here: "14\.11\.26"\)/, { ...german, date_format: 'dd.mm.yyyy' }],
  ['a word that only begins like a month',    germanFile('3', '14 Market 2026'),                       '2 ranked_at', /\(here: "14 Market 2026"\)/, { ...german, date_format: 'd mmm yyyy' }],
  ['a month of another language',             germanFile('3', '14 Dez 2026'),                          '2 ranked_at', /\(here: "14 Dez 2026"\)/, { ...german, date_format: 'd mmm yyyy' }],
  ['a time in twelve hours',                  germanFile('3', '14.11.2026 02:30 PM'),                  '2 ranked_at', /\(here: "14\.11\.2026 02:30 PM"\)/, { ...german, date_format: 'dd.mm.yyyy' }],
  ['a date format without a month',           `${header}\n${row}\n`,                                   '', /A date format names year, month and day once each/, { date_format: 'dd.yyyy' }],
  ['a date format with two months',           `${header}\n${row}\n`,                                   '', /A date format names year, month and day once each/, { date_format: 'mm/mm/yyyy' }],
  ['a day of all rows that does not exist',   `${header}\n${row}\n`,                                   '', /date must be a date such as/, { date: '2026-02-30' }],
  // Markers
  ['a dash that nobody explained',            placed('-'),                                             '3 rank', /\(here: "-"\); --not-found names what stands for "not found"/],
  ['n/a that nobody explained',               placed('n/a'),                                           '3 rank', /\(here: "n\/a"\); --not-found/],
  ['>100 that nobody explained',              placed('>100'),                                          '3 rank', /\(here: ">100"\); --not-found/],
  ['100+ that nobody explained',              placed('100+'),                                          '3 rank', /\(here: "100\+"\)/],
  ['a 0 that nobody explained',               placed('0'),                                             '3 rank', /rank must be between 1 and 65535 \(here: 0\)/],
  ['another marker than was explained',       placed('--'),                                            '3 rank', /\(here: "--"\)/, { not_found: '-,>100' }],
  ['a marker where null says nothing',        'page_url,source,rating,date\nhttps://a.example/1,google,-,2026-11-14\n', '2 rating', /\(here: "-"\)/, { kind: 'reviews', not_found: '-' }],
  // Wide tables
  ['a wide table without a day',              'Keyword;Volume\nplumber;1900\n',                        '1', /for rankings it lacks ranked_at, rank/, wide],
  ['a wide table with a day twice',           'Keyword;2026-11-14;2026-11-14\nplumber;3;4\n',          '1', /two columns hold 2026-11-14/, wide],
  ['a wide table with a day of no month',     'Keyword;2026-02-30\nplumber;3\n',                       '2 ranked_at', /must be a real time .*2026-02-30/, wide],
  ['a wide table with days of another form',  'Keyword;14.11.2026\nplumber;3\n',                       '1', /for rankings it lacks ranked_at, rank/, wide],
  ['a wide table with an unknown marker',     'Keyword;2026-11-14\nplumber;lost\n',                    '2 rank', /\(here: "lost"\)/, wide],
  ['a wide table of a field of other kinds',  'Keyword;2026-11-14\nplumber;3\n',                       '1', /rankings have no field rating/, { ...wide, unpivot: 'rating' }],
  ['a wide table of a field nobody knows',    'Keyword;2026-11-14\nplumber;3\n',                       '', /There is no field rnk; did you mean rank\?/, { unpivot: 'rnk' }],
  // Presets
  ['a preset that nobody knows',              `${header}\n${row}\n`,                                   '', /There is no preset semrsh; did you mean semrush\?/, { preset: 'semrsh' }],
  ['a preset named like an object’s own',     `${header}\n${row}\n`,                                   '', /There is no preset constructor/, { preset: 'constructor' }],
  ['backlinks for a preset of keywords',      'Referring page URL,Domain rating,UR,Anchor,First seen\na,1,2,b,c\n', '1', /for rankings it lacks phrase, ranked_at, rank/, { preset: 'ahrefs-keywords', ...locale }],
  ['keywords for a preset of backlinks',      'Keyword,Volume,Current position\na,1,2\n',              '1', /for backlinks it lacks found_on, link_strength, source_url/, { preset: 'ahrefs' }],
  ['reviews for Search Console',              'Review Date,Site,Star Rating\n1,2,3\n',                 '1', /for rankings it lacks phrase, ranked_at, rank/, { preset: 'search-console', ...locale }],
  ['Search Console without a day',            'Top queries,Clicks,Impressions,CTR,Position\na,1,2,3%,4\n', '1', /for rankings it lacks ranked_at/, { preset: 'search-console', ...locale }],
  ['Search Console without --round',          'Date,Query,Clicks,Impressions,Position\n2026-11-14,a,1,2,4.2\n', '2 rank', /--round rounds averages/, { preset: 'search-console', ...locale }],
  ['Search Console with pages for queries',   'Top pages,Clicks,Impressions,Position\na,1,2,4\n',      '1', /for rankings it lacks phrase/, { preset: 'search-console', ...locale }],
  ['Search Console with clicks alone',        'Date,Query,Clicks,Position\n2026-11-14,a,1,4\n',        '2 impressions', /impressions must be given/, { preset: 'search-console', ...locale }],
  ['both names of one column',                'Query,Top queries,Date,Position\na,b,2026-11-14,4\n',   '1', /two columns hold phrase/, { preset: 'search-console', ...locale }],
  ['six stars of Business Profile',           'reviewId,starRating,createTime\na,SIX,2026-11-14\n',    '2 rating', /\(here: "SIX"\)/, { preset: 'business-profile', ...page }],
  ['a word every object has, for stars',      'reviewId,starRating,createTime\na,constructor,2026-11-14\n', '2 rating', /\(here: "constructor"\)/, { preset: 'business-profile', ...page }],
  ['Business Profile without a page',         'reviewId,starRating,createTime\na,FIVE,2026-11-14\n',   '1', /for reviews it lacks page_url/, { preset: 'business-profile' }],
  ['BrightLocal without its date format',     'Review Date,Site,Star Rating\n14/11/2026,google,5\n',   '2 date', /--date-format says how days are written/, { preset: 'brightlocal', ...page }],
  ['SerpBear without a locale',               'Keyword,Position,Updated\na,4,2026-11-14\n',            '1', /for rankings it lacks locale/, { preset: 'serpbear' }],
  ['Semrush with a position that was lost',   'Keyword,Position,Timestamp\na,lost,2026-11-14\n',       '2 rank', /\(here: "lost"\)/, { preset: 'semrush', ...locale }],
  ['Moz with an authority of 101',            'URL,PA,DA,First Seen\nhttps://a.example/,1,101,2026-11-14\n', '2 domain_authority', /between 0 and 100/, { preset: 'moz' }],
]
