import { words } from '../../platform/text/words.ts'

export const text = words('verifyAddresses', {
  open: 'Verify addresses',
  title: 'Verify the addresses of this campaign?',
  lead:
    'Checks the addresses of leads that can still get a message: their form, their domain, and how they answered before. A ' +
    'verification provider that your operator has connected checks the rest, for one credit per definite result.',
  rule: 'What happens to risky addresses is a setting of the campaign.',
  start: 'Verify',
  progress: 'Verified addresses',
  running: (checked: string, total: string) => `${checked} of ${total} addresses verified`,
  done: (total: string, credits: string) => `${total} addresses verified, ${credits} credits charged`,
  counts: 'Results',
  problems: 'Risky and undeliverable addresses',
  meant: (address: string) => `Did you mean ${address}?`,
  first: (count: string) => `The first ${count} are shown. Download the list for all.`,
  noProblems: 'No address is risky or undeliverable.',
})
