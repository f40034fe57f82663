/** Parses headers with weights, such as `Accept` or `Accept-Encoding`. */

export interface WeightedName {
  /** The name in lower case, without parameters. */
  readonly name: string
  /** From 0 (refused) to 1 (preferred); a weight that cannot be parsed counts as 0. */
  readonly weight: number
}

export function weightsIn(header: string): WeightedName[] {
  return header.split(',').map(weightedName)
}

function weightedName(text: string): WeightedName {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
  return { name, weight: Number.isNaN(weight) ? 0 : weight }
}
