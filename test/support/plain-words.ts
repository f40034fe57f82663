/** Words that nobody who reads a page should need to know: those of the code, and those of whoever draws charts and tables. */

// biome-ignore format: a table reads by its columns
const unwanted: readonly RegExp[] = [
  /\b(intakes?|reach(es|ed)?|own ids?|external.ids?|parked|abilit(y|ies)|tenants?|null|undefined|NaN)\b/gi,
  /\b(hatch\w*|foot|pairs?|thin bars are the time|movers?|begun|silent(ly)?)\b|day with a find|±0|\b1 of 1 found/gi,
]

/** The unwanted words of a page as it is read, without what is shown as code. */
export function unwantedWords(page: string): string[] {
  const said = page.replaceAll(/<(code|pre|textarea|script|style)\b.*?<\/\1>/gs, '').replaceAll(/<[^>]*>/g, ' ')
  return unwanted.flatMap((pattern) => said.match(pattern) ?? [])
}
