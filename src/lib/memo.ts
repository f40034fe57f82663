/** A memory of what was made of a text: clients send the same ones again and again. Bounded; the oldest goes first. */

export interface MemoBounds {
  readonly most: number
  /** Texts longer than this are not remembered. */
  readonly longest: number
}

export function memo<T>({ most, longest }: MemoBounds, make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    const fresh = make(text)
    if (text.length > longest) return fresh
    if (made.size >= most) made.delete(made.keys().next().value ?? '')
    made.set(text, fresh)
    return fresh
  }
}
