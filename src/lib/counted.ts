/** How many there are, in words. */

/** `1 line`, `2,000 lines` */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`
}
