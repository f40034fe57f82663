/** The demo world as tables: its people, businesses and sites, and who may see what. A name in quotes refers to a row above. */

import type { Trade } from './phrases.ts'

export const demoPartner = 'Marquee Demo'
/** Exists only to show that one partner cannot see the other's data. */
export const rivalPartner = 'Marquee Demo Rival'

interface DemoAccount {
  readonly partner: typeof demoPartner | typeof rivalPartner
  readonly name: string
}

export interface DemoBusiness {
  readonly account: string
  readonly name: string
  readonly isDeactivated?: true
}

interface DemoSite {
  readonly business: string
  readonly domain: string
  readonly trade: Trade
}

export interface DemoUser {
  readonly account: string
  readonly login: string
  readonly name: string
  readonly email: string
  /** What the person may see: everything of the account, or what is named here. */
  readonly sees: 'all as owner' | { readonly account: string } | { readonly business: string } | { readonly site: string } | 'nothing'
}

// biome-ignore format: a table reads by its columns
export const accounts: readonly DemoAccount[] = [
  { partner: demoPartner,  name: 'Harbor Dental Group' },
  { partner: demoPartner,  name: 'Sunrise Bakeries' },
  { partner: demoPartner,  name: 'Northside Garages' },
  { partner: rivalPartner, name: 'Globex Clinics' },
]

// biome-ignore format: a table reads by its columns
export const businesses: readonly DemoBusiness[] = [
  { account: 'Harbor Dental Group', name: 'Harbor Dental Chicago' },
  { account: 'Harbor Dental Group', name: 'Harbor Dental Evanston' },
  { account: 'Harbor Dental Group', name: 'Harbor Dental Oak Lawn', isDeactivated: true },
  { account: 'Sunrise Bakeries',    name: 'Sunrise Bakery Oak Park' },
  { account: 'Sunrise Bakeries',    name: 'Sunrise Catering' },
  { account: 'Sunrise Bakeries',    name: 'Sunrise Café Logan Square' },
  { account: 'Northside Garages',   name: 'Northside Auto Repair' },
  { account: 'Northside Garages',   name: 'Northside Tires & Brakes' },
  { account: 'Globex Clinics',      name: 'Globex Clinic Springfield' },
]

// biome-ignore format: a table reads by its columns
export const sites: readonly DemoSite[] = [
  { business: 'Harbor Dental Chicago',     domain: 'chicago.harbordental.example',   trade: 'dental' },
  { business: 'Harbor Dental Chicago',     domain: 'kids.harbordental.example',      trade: 'dental' },
  { business: 'Harbor Dental Chicago',     domain: 'implants-chicago.example',       trade: 'dental' },
  { business: 'Harbor Dental Evanston',    domain: 'evanston.harbordental.example',  trade: 'dental' },
  { business: 'Harbor Dental Oak Lawn',    domain: 'oaklawn.harbordental.example',   trade: 'dental' },
  { business: 'Sunrise Bakery Oak Park',   domain: 'sunrise-bakery.example',         trade: 'bakery' },
  { business: 'Sunrise Bakery Oak Park',   domain: 'oak-park-wedding-cakes.example', trade: 'bakery' },
  { business: 'Sunrise Catering',          domain: 'sunrise-catering.example',       trade: 'bakery' },
  { business: 'Sunrise Café Logan Square', domain: 'sunrise-cafe.example',           trade: 'bakery' },
  { business: 'Northside Auto Repair',     domain: 'northside-auto.example',         trade: 'repair' },
  { business: 'Northside Auto Repair',     domain: 'northside-inspections.example',  trade: 'repair' },
  { business: 'Northside Auto Repair',     domain: 'northside-towing.example',       trade: 'repair' },
  { business: 'Northside Tires & Brakes',  domain: 'northside-tires.example',        trade: 'repair' },
  { business: 'Northside Tires & Brakes',  domain: 'brakes-chicago.example',         trade: 'repair' },
  { business: 'Globex Clinic Springfield', domain: 'globex-clinics.example',         trade: 'clinic' },
]

/** Who works at the desk of the demo's partner, as admin. */
export const deskAdmin = { login: 'ben-desk', email: 'ben@marquee-demo.example' }

// biome-ignore format: a table reads by its columns
export const users: readonly DemoUser[] = [
  { account: 'Harbor Dental Group', login: 'dana-harbor',   name: 'Dana Whitfield',  email: 'dana@harbordental.example',   sees: 'all as owner' },
  { account: 'Harbor Dental Group', login: 'lee-evanston',  name: 'Lee Marsh',       email: 'lee@harbordental.example',    sees: { business: 'Harbor Dental Evanston' } },
  { account: 'Harbor Dental Group', login: 'kim-chicago',   name: 'Kim Sorensen',    email: 'kim@harbordental.example',    sees: { site: 'chicago.harbordental.example' } },
  { account: 'Sunrise Bakeries',    login: 'omar-sunrise',  name: 'Omar Haddad',     email: 'omar@sunrise-bakery.example', sees: 'all as owner' },
  { account: 'Sunrise Bakeries',    login: 'rosa-regional', name: 'Rosa Ibáñez',     email: 'rosa@sunrise-bakery.example', sees: { account: 'Sunrise Bakeries' } },
  { account: 'Sunrise Bakeries',    login: 'newcomer',      name: 'Nick Newell',     email: 'new@sunrise-bakery.example',  sees: 'nothing' },
  { account: 'Northside Garages',   login: 'nora-northside', name: 'Nora Kowalczyk',  email: 'nora@northside-auto.example', sees: 'all as owner' },
  { account: 'Northside Garages',   login: 'theo-tires',    name: 'Theo Banks',      email: 'theo@northside-auto.example', sees: { business: 'Northside Tires & Brakes' } },
  { account: 'Globex Clinics',      login: 'gina-globex',   name: 'Gina Rossi',      email: 'gina@globex-clinics.example', sees: 'all as owner' },
]

export interface DemoWorld {
  readonly accounts: readonly DemoAccount[]
  readonly businesses: readonly DemoBusiness[]
  readonly sites: readonly DemoSite[]
  readonly users: readonly DemoUser[]
  readonly deskAdmin: { readonly login: string; readonly email: string }
}

export const wholeWorld: DemoWorld = { accounts, businesses, sites, users, deskAdmin }

/** The customers of the demo's partner for another partner; numbers in login and email tell people apart from their doubles, clients also from those of earlier fillings. */
export function worldApart(partnerId: number, filling: number): DemoWorld {
  const kept = new Set(accounts.filter(({ partner }) => partner === demoPartner).map(({ name }) => name))
  const firms = businesses.filter(({ account }) => kept.has(account))
  const apart = <P extends { login: string; email: string }>(person: P, mark = `${partnerId}-${filling}`): P => {
    const { login, email } = person
    return { ...person, login: `${login}-${mark}`, email: email.replace('@', `-${mark}@`) }
  }
  return {
    accounts: accounts.filter(({ name }) => kept.has(name)),
    businesses: firms,
    sites: sites.filter(({ business }) => firms.some(({ name }) => name === business)),
    users: users.filter(({ account }) => kept.has(account)).map((user) => apart(user)),
    deskAdmin: apart(deskAdmin, String(partnerId)),
  }
}
