/** Query parameters: a table of names, each with its kind and a note, from which they are read, documented and described in OpenAPI. */

import { refuse, refusePlainly } from '../lib/failures.ts'
import { memoByObject } from '../lib/memo.ts'
import { nearest } from '../lib/nearest-name.ts'
import type { TextKind } from '../lib/text-kinds.ts'

export interface Parameter<T = unknown> {
  readonly kind: TextKind<T>
  readonly note: string
  readonly isRequired?: true
}

interface RequiredParameter<T> extends Parameter<T> {
  readonly isRequired: true
}

export type ParameterTable = Readonly<Record<string, Parameter>>

/** The given parameters by name; those not given are absent. */
export type QueryOf<P> = { readonly [N in RequiredNames<P>]: ParameterValue<P[N]> } & {
  readonly [N in Exclude<keyof P, RequiredNames<P>>]?: ParameterValue<P[N]>
}

type ParameterValue<Q> = Q extends Parameter<infer T> ? T : never
type RequiredNames<P> = { [N in keyof P]: P[N] extends { isRequired: true } ? N : never }[keyof P]

export function parameter<T>(kind: TextKind<T>, note: string): Parameter<T> {
  return { kind, note }
}

/** A parameter that the request must have. */
export function requiredParameter<T>(kind: TextKind<T>, note: string): RequiredParameter<T> {
  return { kind, note, isRequired: true }
}

interface QueryRules {
  readonly query?: ParameterTable
  /** Old clients send parameters of their own, such as a cache buster, so only likely typos are refused there. */
  readonly fromInterface?: true
}

const nothing = {}

export function readQuery({ query = nothing, fromInterface }: QueryRules, given: URLSearchParams): QueryOf<ParameterTable> {
  if (given.size === 0 && !needsSome(query)) return nothing
  const names = Object.keys(query)
  for (const name of given.keys()) if (!Object.hasOwn(query, name)) refuseUnknown(name, names, fromInterface === true)
  const values = names.flatMap((name) => {
    const value = readOne(name, query[name] as Parameter, given.getAll(name))
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(values)
}

const needsSome = memoByObject((query: ParameterTable) => Object.values(query).some(({ isRequired }) => isRequired === true))

function readOne(name: string, { kind, isRequired }: Parameter, [text, second]: readonly string[]): unknown {
  if (text === undefined) return isRequired ? refusePlainly('bad_request', `The parameter ${name} is needed: ${kind.says}`) : undefined
  if (second !== undefined) refusePlainly('bad_request', `The parameter ${name} is given twice`)
  return kind.read(text) ?? refusePlainly('bad_request', `The parameter ${name} must be ${kind.says}`)
}

function refuseUnknown(name: string, known: readonly string[], isLenient: boolean): void {
  const meant = nearest(name, known)
  if (meant !== undefined) refuse('bad_request', `There is no parameter ${brief(name)}; did you mean ${meant}?`)
  if (isLenient) return
  const taken = known.length === 0 ? 'takes none' : `takes ${known.join(', ')}`
  refuse('bad_request', `There is no parameter ${brief(name)}; this address ${taken}`)
}

function brief(name: string): string {
  return name.slice(0, 60)
}
