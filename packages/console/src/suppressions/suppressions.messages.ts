import type { SuppressionSource } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const sources: Readonly<Record<SuppressionSource, string>> = {
  recipient: 'Opted out',
  bounce: 'Bounced',
  complaint: 'Spam complaint',
  manual: 'Manual',
  customer: 'Suppression list',
  import: 'Imported',
  unproven: 'Unverified opt-out',
}

export const sourceText = words('suppressionSources', sources)

export const text = words('suppressions', {
  title: 'Suppressions',
  lead: 'These addresses and domains get no messages from any campaign. The list is checked again before each message.',
  search: 'Search suppressions',
  filters: 'Filters',
  list: 'Suppressions',
  who: 'Address or domain',
  source: 'Source',
  anySource: 'Any source',
  listName: 'List',
  anyList: 'Any list',
  reason: 'Reason',
  at: 'Since',
  ends: 'Ends',
  erased: 'an erased person',
  digest: (start: string) => `SHA-256 ${start}…`,
  lift: 'Remove',
  lifted: 'Removed',
  cantLift: 'The recipient opted out. This can’t be removed.',
  liftTitle: 'Remove this suppression?',
  liftText: (who: string) => `${who} can get messages again.`,
  importList: 'Import list',
  importTitle: 'Import a suppression list',
  importColumns: 'A CSV or Excel file with the columns email, domain or sha256, and optionally reason and expiresAt.',
  importStart: 'Import',
  chooseFile: 'Choose a file first.',
  mode: 'Entries of the list that are not in the file',
  modes: { add: 'Keep', replace: 'Remove' },
  importing: 'Importing',
  importRead: (read: string) => `${read} rows read`,
  importDone: (added: string, removed: string, failed: string) =>
    `${added} added, ${removed} removed, ${failed} rejected`,
  importFailed: 'The import failed',
  rejected: 'Download rejected rows',
  add: 'Suppress',
  addTitle: 'Suppress an address or a domain',
  addWho: 'Email address or domain',
  addReason: 'Reason',
  none: 'No suppressions yet',
  noneText: 'Recipients who opt out, complain or bounce permanently are added here automatically.',
  noneFit: 'No suppressions match',
  noneFitText: 'Change the search, the source or the list.',
})
