import { words } from '../../platform/text/words.ts'

export const text = words('addPerson', {
  isIn: (who: string, campaign: string, what: string) => `${who} is in “${campaign}” and ${what}.`,
  booked: 'booked a meeting',
  answered: 'answered',
  optedOut: 'opted out there',
  running: 'gets messages there',
  addAnyway: 'Add anyway',
  elsewhere: (count: string, people: string) =>
    count === '1'
      ? `One of ${people} people gets messages from another campaign, or answered there:`
      : `${count} of ${people} people get messages from another campaign, or answered there:`,
  moreElsewhere: (count: string) => (count === '1' ? 'One more person.' : `${count} more people.`),
  addAll: (count: string) => `Add all ${count}`,
  leaveOut: (count: string) => `Leave out ${count}`,
  addTitle: 'Add to campaign',
  campaign: 'Campaign',
  noCampaigns: 'Create a campaign first.',
  addSeveral: (count: string) => `Add ${count} to a campaign`,
  addedSeveral: (count: string) => (count === '1' ? '1 person was added' : `${count} people were added`),
  notAddedSeveral: (count: string) => `${count} not added: suppressed, or already in the campaign.`,
})
