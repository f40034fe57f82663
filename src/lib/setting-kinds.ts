/** The kinds of values that settings have: how each is told to the operator, and how it is read. */

import { Resolver } from 'node:dns'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { readDomain } from './domains.ts'
import { isLoopback } from './network/addresses.ts'
import { readSender } from './network/sender.ts'
import { type TextKind, textKinds } from './text-kinds.ts'

export type SettingKind<T> = Pick<TextKind<T>, 'says' | 'read'>

const { wholeNumber } = textKinds
const port = wholeNumber(0, 65_535, 'a port number (0 to 65535)')
const url = (...protocols: string[]): SettingKind<string> => ({
  says: `an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  read: (given) => (protocols.includes(URL.parse(given)?.protocol ?? '') ? given.replace(/\/+$/, '') : undefined),
})
/** An address to which paths are appended, so it must not have a query or a fragment; credentials are not allowed either. */
const base: SettingKind<string> = {
  says: 'an address starting with http:// or https://, without credentials, query or fragment',
  read: (given) => (/[?#@]/.test(given) ? undefined : url('http:', 'https:').read(given)),
}
const contact: SettingKind<string> = {
  says: 'an address starting with mailto: or https://',
  read: (given) => (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(given) ? given : undefined),
}
const sender: SettingKind<string> = {
  says: 'a mail address such as reports@example.com or Marquee <reports@example.com>',
  read: (given) => (readSender(given) === undefined ? undefined : given),
}
const certificates: SettingKind<string> = {
  says: 'a readable file of certificates in PEM',
  read: (given) => (isPem(given) ? given : undefined),
}
/** Bytes, or with a unit: `512MiB`. */
const size: SettingKind<number> = { says: 'a size such as 512MiB or 1GiB', read: readSize }
const days = wholeNumber(0, 36_500, 'a number of days (0 to 36500)')
const zone: SettingKind<string> = {
  says: 'a time zone such as UTC or Europe/Berlin',
  read: (given) => (isTimeZone(given) ? given : undefined),
}
const addresses: SettingKind<readonly string[]> = { says: 'IP addresses or networks separated by commas', read: readAddresses }

const dnsServers: SettingKind<readonly string[]> = {
  says: 'IP addresses separated by commas, each with or without a port, such as 10.0.0.2 or [fd00::2]:5353',
  read: readServers,
}

const sitePlaces: SettingKind<readonly string[]> = {
  says: 'a domain and its address, such as shop.example=http://127.0.0.1:8000, or several separated by commas',
  read: readPlaces,
}
/** What is asked there tells of customers, so that it goes by https, or does not leave the machine. */
const provider: SettingKind<string> = {
  says: 'an address starting with https://, or with http:// on this machine, without credentials, query or fragment',
  read: (given) => (given.startsWith('https:') || isLoopback(URL.parse(given)?.hostname ?? '') ? base.read(given) : undefined),
}

export const settingKinds = {
  port,
  url,
  base,
  contact,
  sender,
  certificates,
  size,
  days,
  zone,
  addresses,
  dnsServers,
  sitePlaces,
  provider,
}

const maxWorkers = 256
export const workerSetting: SettingKind<number | 'auto'> = {
  says: `a number of processes (1 to ${maxWorkers}) or auto`,
  read: (given) => (given === 'auto' ? given : wholeNumber(1, maxWorkers).read(given)),
}

function isPem(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes('-----BEGIN CERTIFICATE-----')
  } catch {
    return false
  }
}

function isTimeZone(given: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }) !== undefined
  } catch {
    return false
  }
}

const sizeUnits: Readonly<Record<string, number>> = { '': 1, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30 }

function readSize(given: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,12}) ?([a-z]*)$/i.exec(given) ?? []
  const factor = sizeUnits[unit.toUpperCase()]
  return number === undefined || factor === undefined ? undefined : Number(number) * factor
}

function readAddresses(given: string): readonly string[] | undefined {
  const list = given.split(',').map((item) => item.trim())
  return list.every(isAddress) ? list : undefined
}

function readPlaces(given: string): readonly string[] | undefined {
  const list = given.split(',').map((item) => item.trim())
  const isGood = (item: string) => readDomain(item.slice(0, item.indexOf('='))) !== undefined && base.read(placeIn(item)) !== undefined
  return list.every(isGood) ? list : undefined
}

function placeIn(item: string): string {
  return item.slice(item.indexOf('=') + 1)
}

/** Where a site is by the setting; undefined where it is at its domain. */
export function sitePlaceOf(places: readonly string[], domain: string): string | undefined {
  const item = places.find((one) => one.slice(0, one.indexOf('=')) === domain)
  return item && placeIn(item)
}

function readServers(given: string): readonly string[] | undefined {
  const list = given.split(',').map((item) => item.trim())
  try {
    new Resolver().setServers(list)
    return list
  } catch {
    return undefined
  }
}

function isAddress(item: string): boolean {
  const [address = '', prefix, ...more] = item.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return prefix === undefined || wholeNumber(0, family === 4 ? 32 : 128).read(prefix) !== undefined
}
