/** Who may ask measured tables across accounts, or write several in one transaction, and why. */

// biome-ignore format: a table reads by its columns
const crossing: Readonly<Record<string, string>> = {
  'src/model/core/report-version.ts': 'the versions of the few accounts whose sites a person sees, in one round trip',
  'src/model/reports/question.ts':    'the versions of all accounts of a report, read first and in one round trip: this fixes the moment on every machine',
  'src/model/reports/version.ts':     'the versions of all accounts of a report, asked even when nothing is sent',
  'src/model/people/personal-data.ts': 'a reviewer may have written about any account, and is looked for on their own request only',
  'src/model/upkeep/old-months.ts':    'the accounts whose versions are renewed when a month is removed for all of them',
  'src/model/imports/saved-reports/old-ids.ts': 'a competitor that a map names by its id, among the accounts of the partner',
}

// biome-ignore format: a table reads by its columns
const writingSeveral: Readonly<Record<string, string>> = {
  'src/model/upkeep/old-months.ts':    'a month is removed for all accounts at once, with new versions of their reports in the same transaction',
  'src/model/people/personal-data.ts': 'a reviewer is erased everywhere or nowhere, in one transaction',
}

export function mayCross(file: string): boolean {
  return file in crossing
}

export function mayWriteSeveral(file: string): boolean {
  return file in writingSeveral
}
