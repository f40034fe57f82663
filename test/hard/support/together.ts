/** Runs works side by side and waits for every one, also when one has failed, so that nothing is left running. */
export async function together<const T extends readonly unknown[]>(works: { readonly [I in keyof T]: Promise<T[I]> }): Promise<T> {
  const ended = await Promise.allSettled(works)
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return Promise.all(works) as unknown as Promise<T>
}
