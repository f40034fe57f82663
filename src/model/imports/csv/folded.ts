/** Normalizes a column name: `Search Engine`, `search-engine` and `SEARCH_ENGINE` are the same; text in brackets is part of the name. */
export function folded(name: string): string {
  return name
    .replace(/^\ufeff/, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
}
