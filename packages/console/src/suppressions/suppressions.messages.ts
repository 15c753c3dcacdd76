import type { SuppressionSource } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const sources: Readonly<Record<SuppressionSource, string>> = {
  recipient: 'Opted out',
  bounce: 'Bounced',
  complaint: 'Complained',
  manual: 'By hand',
  import: 'Imported',
  unproven: 'Asked by an unproven email',
}

export const sourceText = words('suppressionSources', sources)

export const text = words('suppressions', {
  title: 'Suppressions',
  lead: 'Addresses and domains that get nothing, whatever campaign they are in. Looked at again at the moment of sending.',
  search: 'Search suppressions',
  filters: 'Filters',
  list: 'Suppressions',
  who: 'Address or domain',
  source: 'Source',
  anySource: 'Any source',
  reason: 'Reason',
  at: 'Since',
  erased: 'an erased person',
  lift: 'Lift',
  lifted: 'Lifted',
  cantLift: 'They opted out themselves: that can’t be lifted.',
  liftTitle: 'Lift this suppression?',
  liftText: (who: string) => `${who} can get mail again.`,
  add: 'Suppress',
  addTitle: 'Suppress an address or a domain',
  addWho: 'E-mail address or domain',
  addReason: 'Reason',
  none: 'Nobody is suppressed',
  noneText: 'Whoever opts out, bounces for good or complains is added here automatically.',
  noneFit: 'Nothing fits',
  noneFitText: 'Change the search or the source.',
})
