/** What a browser calls itself, in words. Only people read it, and nothing depends on it; a table of names is enough, where the libraries for it are larger than the pages. */

/** The first that fits: many call themselves by the names of those below too. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox on Windows`; null for what is none of the usual browsers. */
export function browserName(userAgent: string | undefined): string | null {
  const named = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent?.slice(0, 500) ?? ''))?.[1]
  const [browser, system] = [named(browsers), named(systems)]
  return browser === undefined ? (system ?? null) : `${browser}${system === undefined ? '' : ` on ${system}`}`
}
