/** The weights of a header such as `Accept` or `Accept-Encoding`: what a client takes, and how gladly. */

export interface Weighed {
  /** In lower case, without its parameters. */
  readonly name: string
  /** From 0, which refuses, to 1; what cannot be read counts as 0. */
  readonly weight: number
}

export function weightsIn(header: string): Weighed[] {
  return header.split(',').map(weighed)
}

function weighed(text: string): Weighed {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
  return { name, weight: Number.isNaN(weight) ? 0 : weight }
}
