import { words } from '../platform/text/words.ts'
import { statusText } from './leads.messages.ts'

const reasons: Readonly<Record<string, string>> = { not_found: 'deleted', unchanged: 'no change', ...statusText }

export const bulkText = words('leadsBulk', {
  region: 'Actions for selected leads',
  choose: (email: string) => `Select ${email}`,
  chosen: (count: string) => `${count} selected`,
  allChosen: (count: string) => `All ${count} matching leads`,
  chooseAll: (count: string) => `Select all ${count}`,
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
  label: 'Label',
  setLabel: 'Set label…',
  clear: 'Clear selection',
  changed: (count: string) => `${count} updated`,
  skipped: (count: string, reason: string) => `${count} skipped: ${reasons[reason] ?? reason}`,
  undone: 'Change undone',
  sureTitle: (count: string) => (count === '1' ? 'Change 1 lead?' : `Change ${count} leads?`),
  sure: {
    paused: 'They get no more messages until you resume them.',
    active: 'They continue with their next message.',
    stopped: 'They get no more messages from this campaign. A stopped lead can’t be started again.',
    label: 'Their label is replaced. This can’t be undone for all of them at once.',
  },
  confirm: {
    paused: (count: string) => `Pause ${count}`,
    active: (count: string) => `Resume ${count}`,
    stopped: (count: string) => `Stop ${count}`,
    label: (count: string) => `Label ${count}`,
  },
})
