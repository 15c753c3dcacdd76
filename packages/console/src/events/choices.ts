import type { EventType } from '@overture/sdk'
import { text, typeText } from './events.messages.ts'

interface Choice {
  value: EventType
  label: string
}

export const eventTypeChoices: readonly Choice[] = Object.entries(typeText).map(([value, label]) => ({
  value: value as EventType,
  label,
}))

type Group = keyof typeof text.groups

/** The first part of a type decides its group. A type newer than this page is shown with the account's. */
const groupBySubject: Readonly<Record<string, Group>> = {
  reply: 'replies',
  message: 'sending',
  sending_account: 'sending',
  lead: 'leads',
  branch: 'leads',
  signal: 'leads',
  import: 'leads',
  meeting: 'meetings',
  task: 'leads',
  campaign: 'campaigns',
}

function eventGroup(type: EventType): Group {
  return groupBySubject[type.split('.', 1)[0]!] ?? 'account'
}

/** All event types by subject, for a choice of several. */
export const eventTypeGroups: readonly { name: string; choices: readonly Choice[] }[] = (
  ['replies', 'sending', 'leads', 'meetings', 'campaigns', 'account'] as const
).map((group) => ({
  name: text.groups[group],
  choices: eventTypeChoices.filter(({ value }) => eventGroup(value) === group),
}))
