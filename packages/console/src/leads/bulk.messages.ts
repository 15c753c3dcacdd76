import { words } from '../platform/text/words.ts'
import { statusText } from './leads.messages.ts'

const reasons: Readonly<Record<string, string>> = { not_found: 'gone', unchanged: 'already so', ...statusText }

export const bulkText = words('leadsBulk', {
  region: 'What to do with the chosen leads',
  choose: (email: string) => `Choose ${email}`,
  chosen: (count: string) => `${count} chosen`,
  allChosen: (count: string) => `All ${count} that fit`,
  chooseAll: (count: string) => `Choose all ${count}`,
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
  label: 'Label',
  setLabel: 'Set label…',
  clear: 'Choose none',
  changed: (count: string) => `${count} changed`,
  skipped: (count: string, reason: string) => `${count} skipped: ${reasons[reason] ?? reason}`,
  undone: 'They are as they were',
  sureTitle: (count: string) => (count === '1' ? 'Change 1 lead?' : `Change ${count} leads?`),
  sure: {
    paused: 'They get nothing more until you resume them.',
    active: 'What is due to them goes on.',
    stopped: 'They get nothing more from this campaign. A stopped lead can not be started again.',
    label: 'Their label is replaced. That can not be undone for all of them at once.',
  },
  confirm: {
    paused: (count: string) => `Pause ${count}`,
    active: (count: string) => `Resume ${count}`,
    stopped: (count: string) => `Stop ${count}`,
    label: (count: string) => `Label ${count}`,
  },
})
