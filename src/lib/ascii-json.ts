/** JSON of letters that every database can hold: what files say may have any other. */

export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
