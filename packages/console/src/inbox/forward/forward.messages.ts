import { words } from '../../platform/text/words.ts'

export const text = words('inboxForward', {
  forward: 'Forward',
  title: 'Forward this message',
  to: 'To',
  toHint: (max: number) => `Up to ${max} addresses, separated by commas.`,
  toReason: 'Enter an address first.',
  wrong: (typed: string) => `“${typed}” is not an email address.`,
  tooMany: (max: number) => `A message can be forwarded to ${max} addresses at most.`,
  text: 'Text',
  included: 'The message is quoted, and its files are attached. Links that act for the lead are removed.',
  done: (to: string) => `Forwarded to ${to}`,
  shown: (name: string, to: string) => `${name} forwarded a message to ${to}`,
  someone: 'Someone',
})
