import type { SuppressionSource } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const sources: Readonly<Record<SuppressionSource, string>> = {
  recipient: 'Opted out',
  bounce: 'Bounced',
  complaint: 'Spam complaint',
  manual: 'Manual',
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
  reason: 'Reason',
  at: 'Since',
  erased: 'an erased person',
  lift: 'Remove',
  lifted: 'Removed',
  cantLift: 'The recipient opted out. This can’t be removed.',
  liftTitle: 'Remove this suppression?',
  liftText: (who: string) => `${who} can get messages again.`,
  add: 'Suppress',
  addTitle: 'Suppress an address or a domain',
  addWho: 'Email address or domain',
  addReason: 'Reason',
  none: 'No suppressions yet',
  noneText: 'Recipients who opt out, complain or bounce permanently are added here automatically.',
  noneFit: 'No suppressions match',
  noneFitText: 'Change the search or the source.',
})
