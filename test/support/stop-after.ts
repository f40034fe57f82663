/** Stops a work at a place that does not depend on the clock. */

/** A signal that lets a work look at it so many times before it is aborted. */
export function stopAfter(looks: number): AbortSignal {
  const controller = new AbortController()
  let left = looks
  return new Proxy(controller.signal, {
    get(target, name) {
      if (name !== 'aborted') return Reflect.get(target, name, target)
      left -= 1
      return left < 0
    },
  })
}
