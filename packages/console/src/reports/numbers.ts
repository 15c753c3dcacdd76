import type { GroupedAnalytics, Stats } from '@overture/sdk'
import { dateText, datesText, numberText, percentText } from '../platform/time/format.ts'
import { currentLocale } from '../platform/text/words.ts'
import type { GroupNames } from './group-names.ts'
import { dimensionText, type Dimension, text } from './reports.messages.ts'

export interface NumbersRow {
  id: string
  label: string
  stats: Stats
}

/** The same columns as in the mail. */
export const numberColumns: readonly { name: string; show: (stats: Stats) => string }[] = [
  { name: text.sent, show: ({ sent }) => numberText(sent) },
  { name: text.delivered, show: ({ delivered }) => numberText(delivered) },
  { name: text.replied, show: ({ uniqueReplied }) => numberText(uniqueReplied) },
  { name: text.replyRate, show: ({ rates }) => percentText(rates.reply) },
  { name: text.interested, show: ({ interested }) => numberText(interested) },
  { name: text.meetings, show: ({ meetingsBooked }) => numberText(meetingsBooked) },
  { name: text.bounced, show: ({ bounced }) => numberText(bounced) },
  { name: text.unsubscribed, show: ({ unsubscribed }) => numberText(unsubscribed) },
]

/** The groups, then those that the API left out, then the total. Empty if there are no groups. */
export function numbersRows(
  { groupBy, groups, other, totals }: Pick<GroupedAnalytics, 'groupBy' | 'groups' | 'other' | 'totals'>,
  names: GroupNames,
): NumbersRow[] {
  if (groups.length === 0) return []
  const { sent, delivered, uniqueReplied, interested, meetingsBooked, bounced, unsubscribed } = other
  const hasOther = [sent, delivered, uniqueReplied, interested, meetingsBooked, bounced, unsubscribed].some(Boolean)
  return [
    ...groups.map((group) => ({
      id: group.key.join(','),
      label: group.key.map((part, at) => partLabel(groupBy[at]!, part, names)).join(' · '),
      stats: group,
    })),
    ...(hasOther ? [{ id: 'other', label: text.others, stats: other }] : []),
    { id: 'total', label: text.total, stats: totals },
  ]
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

function partLabel(dimension: Dimension, key: string | null, names: GroupNames): string {
  if (key === null) return text.noValue(dimensionText[dimension])
  switch (dimension) {
    case 'day':
      return dateText(key)
    case 'week':
      return text.weekOf(datesText(key, key))
    case 'month':
      return monthText(key)
    case 'weekday':
      return text.weekdays[weekdays.indexOf(key)] ?? key
    case 'hour':
      return `${key}:00`
    case 'campaign':
    case 'sender':
    case 'step':
    case 'variant':
      return names === null ? text.nameLoading : (names.get(key) ?? text.otherGroup(dimensionText[dimension], key))
  }
}

function monthText(day: string): string {
  const format = new Intl.DateTimeFormat(currentLocale(), { timeZone: 'UTC', month: 'long', year: 'numeric' })
  return format.format(new Date(`${day}T00:00:00Z`))
}
