/** Three prompts for what partners ask of assistants most: which tools to use, in which order, and what to say. */

interface Argument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly Argument[]
  readonly text: (given: Readonly<Record<string, string>>) => string
}

const needed = (name: string, description: string): Argument => ({ name, description, required: true })
const optional = (name: string, description: string): Argument => ({ name, description, required: false })

export const prompts: readonly Prompt[] = [
  {
    name: 'onboard_customer',
    title: 'Onboard a customer',
    description: 'Make a customer with site, keywords, competitors and a person who may see it.',
    arguments: [
      needed('name', 'what the customer is called'),
      needed('domain', 'the domain of the site'),
      optional('email', 'of the person who may see it'),
      optional('keywords', 'phrases, separated by commas'),
      optional('competitors', 'domains, separated by commas'),
    ],
    text: ({ name, domain, email, keywords, competitors }) =>
      [
        `Make the customer "${name}" with the site ${domain}.`,
        'Look with listSites whether the domain is already here; if it is, stop and tell me.',
        `Then call createCustomer with dry_run${list({ email, keywords, competitors })}, show me what would be made, and wait for my yes before you call it with confirm.`,
        'Afterwards show the customer with showCustomer, and say what is still missing.',
      ].join('\n'),
  },
  {
    name: 'monthly_review',
    title: 'Monthly review',
    description: 'What happened to a site in the last month, in words for its owner.',
    arguments: [needed('site', 'the domain of the site, or its id')],
    text: ({ site }) =>
      [
        `Write the review of last month for the site ${site}.`,
        'Find it with listSites, and read showSiteSummary with period: last-month.',
        'Tell in at most ten sentences: the visibility and how it changed, what got better and worse, days that were not measured, competitors ahead, the reviews, and what to do first.',
        'Use the figures as they are; where one is null, say that it was not measured. For a keyword that moved much, look at its days with listRankings.',
      ].join('\n'),
  },
  {
    name: 'data_check',
    title: 'Data check',
    description: 'Whether measurements arrive: stale sites, gaps, and files that were refused.',
    arguments: [optional('account_id', 'only this account')],
    text: ({ account_id }) =>
      [
        `Check whether the data of ${account_id ? `account ${account_id}` : 'all accounts'} is complete.`,
        'Go through listSiteSummaries with days: 30, page by page, and note the sites whose attention has stale or gap, and when each was measured last.',
        'Look with listIntakes whether files were refused, and with listRefusedLines why.',
        'Answer with a table of site, last measurement, what is missing and the probable cause, and change nothing.',
      ].join('\n'),
  },
]

/** The words that are told of what was given. */
function list(given: Readonly<Record<string, string | undefined>>): string {
  const told = Object.entries(given).filter(([, value]) => value)
  return told.length === 0 ? '' : ` (${told.map(([name, value]) => `${name}: ${value}`).join('; ')})`
}

export function listPrompts() {
  return prompts.map(({ text: _, ...prompt }) => ({ ...prompt, arguments: [...prompt.arguments] }))
}

/** A sentence where something is missing. */
export function promptText(
  name: string,
  given: Readonly<Record<string, string>> = {},
): { readonly text: string } | { readonly fault: string } {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt === undefined) return { fault: `There is no prompt ${name.slice(0, 100)}` }
  const missing = prompt.arguments.find((one) => one.required && !given[one.name]?.trim())
  return missing === undefined ? { text: prompt.text(given) } : { fault: `The argument ${missing.name} is missing` }
}
