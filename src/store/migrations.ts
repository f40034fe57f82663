/** All migrations in order. A step that has been released is never edited. */

import { provisioning } from './migrations/0001-provisioning.ts'
import { measurements } from './migrations/0002-measurements.ts'
import { people } from './migrations/0003-people.ts'
import { reliability } from './migrations/0004-reliability.ts'
import { leases } from './migrations/0005-leases.ts'
import { partnerApi } from './migrations/0006-partner-api.ts'
import { intakes } from './migrations/0008-intakes.ts'
import { dashboard } from './migrations/0009-dashboard.ts'
import { sharing } from './migrations/0010-sharing.ts'
import { mail } from './migrations/0012-mail.ts'
import { uploads } from './migrations/0013-uploads.ts'
import { keywordFacts } from './migrations/0014-keyword-facts.ts'
import { partnerKeys } from './migrations/0015-partner-keys.ts'
import { whiteLabel } from './migrations/0016-white-label.ts'
import { secrets } from './migrations/0017-secrets.ts'
import { workers } from './migrations/0018-workers.ts'
import { agents } from './migrations/0019-agents.ts'
import { upgrades } from './migrations/0020-upgrades.ts'
import { usageByDay } from './migrations/0021-usage.ts'
import { months } from './migrations/0022-months.ts'
import { mailAddresses } from './migrations/0023-mail-addresses.ts'
import { beginnings } from './migrations/0025-beginnings.ts'
import { removals } from './migrations/0026-removals.ts'
import { ownFigures } from './migrations/0027-own-figures.ts'
import { stepCounts } from './migrations/0029-step-counts.ts'
import { mailTurns } from './migrations/0031-mail-turns.ts'
import { removalIndexes } from './migrations/0032-removal-indexes.ts'
import { devices } from './migrations/0033-devices.ts'
import { plainSeries } from './migrations/0034-plain-series.ts'
import { whatFilesTell } from './migrations/0035-what-files-tell.ts'
import { positionsAndPeriods } from './migrations/0036-positions-and-periods.ts'
import { staff } from './migrations/0038-staff.ts'
import { storedFigures } from './migrations/0039-site-figures.ts'
import { editors } from './migrations/0040-editors.ts'
import { deletedAccounts } from './migrations/0041-deleted-accounts.ts'
import { customers } from './migrations/0042-customers.ts'
import { views } from './migrations/0050-views.ts'
import { secondFactors } from './migrations/0052-second-factors.ts'
import { whereSessionsAre } from './migrations/0053-where-sessions-are.ts'
import { preferences } from './migrations/0054-preferences.ts'
import { reportRuns } from './migrations/0055-report-runs.ts'
import { emailChanges } from './migrations/0056-email-changes.ts'
import { freshLogins } from './migrations/0057-fresh-logins.ts'
import { namedHosts } from './migrations/0058-named-hosts.ts'
import { peopleInvitations } from './migrations/0059-people-invitations.ts'
import { brandDrafts } from './migrations/0060-brand-drafts.ts'
import { deliveries } from './migrations/0061-deliveries.ts'
import { orderOfSteps } from './migrations/0062-order-of-steps.ts'
import { requests } from './migrations/0063-requests.ts'
import { endedLinks } from './migrations/0064-ended-links.ts'
import { askedOnce } from './migrations/0065-asked-once.ts'
import { dismissals } from './migrations/0066-dismissals.ts'
import { testPartners } from './migrations/0067-test-partners.ts'
import { siteSources } from './migrations/0068-site-sources.ts'
import { accountRegions } from './migrations/0069-account-regions.ts'
import { lostLinks } from './migrations/0072-lost-links.ts'
import { previewsOfUndo } from './migrations/0079-previews-of-undo.ts'
import { reviewMarks } from './migrations/0084-review-marks.ts'
import { mailSenders } from './migrations/0085-mail-senders.ts'
import { stepHashes } from './migrations/0086-step-hashes.ts'
import { parkedUploads } from './migrations/0087-parked-uploads.ts'
import { dataSources } from './migrations/0090-data-sources.ts'
import { readTokens } from './migrations/0095-read-tokens.ts'
import { eventLog } from './migrations/0097-events.ts'
import { suppressions } from './migrations/0104-suppressions.ts'
import type { Migration } from './schema.ts'

export const migrations: readonly Migration[] = [
  provisioning,
  measurements,
  people,
  reliability,
  leases,
  partnerApi,
  intakes,
  dashboard,
  sharing,
  mail,
  uploads,
  keywordFacts,
  partnerKeys,
  whiteLabel,
  secrets,
  workers,
  agents,
  upgrades,
  usageByDay,
  months,
  mailAddresses,
  beginnings,
  removals,
  ownFigures,
  stepCounts,
  mailTurns,
  removalIndexes,
  devices,
  plainSeries,
  whatFilesTell,
  positionsAndPeriods,
  staff,
  storedFigures,
  editors,
  deletedAccounts,
  customers,
  views,
  secondFactors,
  whereSessionsAre,
  preferences,
  reportRuns,
  emailChanges,
  freshLogins,
  namedHosts,
  peopleInvitations,
  brandDrafts,
  deliveries,
  orderOfSteps,
  requests,
  endedLinks,
  askedOnce,
  dismissals,
  testPartners,
  siteSources,
  accountRegions,
  lostLinks,
  previewsOfUndo,
  reviewMarks,
  mailSenders,
  stepHashes,
  parkedUploads,
  dataSources,
  readTokens,
  eventLog,
  suppressions,
]
