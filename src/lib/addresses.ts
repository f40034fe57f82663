/** Addresses of the network in the one form in which they are compared. */

/** An IPv4 address that a socket for both families wrote as IPv6 (`::ffff:127.0.0.1`) becomes plain. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
