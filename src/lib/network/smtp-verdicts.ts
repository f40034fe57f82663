/**
 * What a mail server's refusal means. Only what it says of one recipient can be final. Everything before that (the connection, TLS, the login, the sender),
 * everything after it, and what is said of us or of a full mailbox is tried again, so that one wrong relay does not end every mail.
 */

type Verdict = 'again' | 'final' | 'final where others are taken'

/** Of the answers to RCPT TO; the first row that fits decides, and an answer that fits none means `again`. */
// biome-ignore format: a table reads by its columns
const verdicts: readonly { readonly codes: RegExp; readonly details: RegExp; readonly verdict: Verdict }[] = [
  { codes: /^(530|535|552)$/, details: /^/,                         verdict: 'again' },
  { codes: /^5\d\d$/,         details: /^5\.(1\.(1|2|3|6|10)|2\.1)$/, verdict: 'final' },
  // Without a detail the server may mean the recipient or us: a relay that takes others means the recipient.
  { codes: /^(550|551|553)$/, details: /^$/,                        verdict: 'final where others are taken' },
]

export function verdictOn(error: unknown): Verdict {
  const { command, response = '' } = error as { command?: string; response?: string }
  // A detail is an enhanced status code, such as 5.1.1, and not the beginning of an IP address.
  const [, code, detail = ''] = /^(\d{3})[ -]?(?:([245]\.\d{1,3}\.\d{1,3})(?![.\d]))?/.exec(response) ?? []
  if (command !== 'RCPT TO' || code === undefined) return 'again'
  return verdicts.find(({ codes, details }) => codes.test(code) && details.test(detail))?.verdict ?? 'again'
}

/** Whom each mail server took of late. */
export interface TakenRecipients {
  add(server: string, recipient: string, now: string): void
  /** Whether the server took a mail to somebody else within the hour. */
  hasOther(server: string, recipient: string, now: string): boolean
}

const hourMilliseconds = 3_600_000

/** The last two recipients are enough: one of them is somebody else. */
export function openTakenRecipients(): TakenRecipients {
  const taken = new Map<string, readonly { readonly recipient: string; readonly at: number }[]>()
  const othersAt = (server: string, recipient: string) => (taken.get(server) ?? []).filter((one) => one.recipient !== recipient)
  return {
    add: (server, recipient, now) =>
      void taken.set(server, [{ recipient, at: Date.parse(now) }, ...othersAt(server, recipient)].slice(0, 2)),
    hasOther: (server, recipient, now) => othersAt(server, recipient).some(({ at }) => Date.parse(now) - at <= hourMilliseconds),
  }
}
