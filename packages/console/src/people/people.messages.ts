import { words } from '../platform/text/words.ts'

export const text = words('people', {
  title: 'People',
  search: 'Search people',
  filters: 'Filters',
  list: 'People',
  email: 'Email',
  name: 'Name',
  company: 'Company',
  campaigns: 'Campaigns',
  lastContacted: 'Last contacted',
  suppressed: 'Suppressed',
  none: 'No people yet',
  noneText: 'Everyone you add to a campaign appears here.',
  noneFit: 'No people match',
  noneFitText: 'Change the search.',
  history: 'History',
  inCampaigns: 'In campaigns',
  erase: 'Erase',
  eraseTitle: 'Erase this person?',
  eraseText: (email: string) =>
    `All leads, messages and meetings of ${email} are deleted. Only a hash of the address is kept, so that this ` +
    'person is never written to again. This can’t be undone.',
  erased: 'Erased',
  export: 'Export',
  suppress: 'Suppress',
  suppressedNow: (email: string) => `${email} was suppressed`,
})
