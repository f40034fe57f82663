/** Email addresses as recipients of reports are stored: trimmed, and in lower case. */

const maxEmailCharacters = 254

/** Removes duplicates, too. */
export function foldEmails(emails: readonly string[]): string[] {
  return [...new Set(emails.map(foldEmail))]
}

export function foldEmail(email: string): string {
  return email.trim().toLowerCase()
}

export function looksLikeEmail(email: string): boolean {
  return email.length <= maxEmailCharacters && /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+\.[^\s@<>(),;:"\\[\].]+$/.test(email)
}
