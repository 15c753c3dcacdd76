import { words } from '../../platform/text/words.ts'

export const text = words('addPerson', {
  isIn: (who: string, campaign: string, what: string) => `${who} is in “${campaign}” and ${what}.`,
  booked: 'booked a meeting',
  answered: 'answered',
  optedOut: 'opted out there',
  running: 'gets messages there',
  addAnyway: 'Add anyway',
})
