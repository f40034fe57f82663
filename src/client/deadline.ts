/** The limit for the first byte of an answer; while a body is being sent it begins anew with each piece. */

export interface Deadline {
  readonly signal: AbortSignal
  readonly extend: () => void
  readonly end: () => void
}

export function startDeadline(seconds: number): Deadline {
  const controller = new AbortController()
  const expire = () => controller.abort(new Error(`No answer within ${seconds} seconds`))
  let timer = setTimeout(expire, seconds * 1000)
  const end = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    extend() {
      end()
      timer = setTimeout(expire, seconds * 1000)
    },
    end,
  }
}
