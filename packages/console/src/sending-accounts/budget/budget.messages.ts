import { words } from '../../platform/text/words.ts'

export const text = words('recipientBudget', {
  title: 'Recipients per day',
  label: 'Recipients per day',
  hint: 'All sending accounts here share this number. A day is counted in UTC. Leave it empty for no shared limit.',
  suggested: (count: string) =>
    `Microsoft allows ${count} a day with one licence per sending account. Choose less, so that people can still write.`,
  noLimit: 'No shared limit',
  save: 'Save the limit',
  saved: 'Limit saved',
  edit: 'Set the limit',
})
