import type { Report, ReportQuery, SkippedReportRecipient } from '@overture/sdk'
import { datesText, longTimeText, numberText } from '../platform/time/format.ts'
import { dimensionText, type Dimension, reasonText, text } from './reports.messages.ts'

/** The names of campaigns, senders, tags and users by their ids. Null if there is none. */
export interface Names {
  campaign: (id: string) => string | null
  sender: (id: string) => string
  tag: (id: string) => string | null
  user: (id: string) => string
}

/** Describes the numbers of a report: "By week and campaign, only of the sender ada@example.com". */
export function whatText({ groupBy, campaignId, sendingAccountId, tagId }: ReportQuery, names: Names): string {
  const [first = '', second] = groupBy.split(',').map((name) => dimensionText[name as Dimension] ?? name)
  return [
    second === undefined ? text.numbersBy(first) : text.numbersByTwo(first, second),
    ...(campaignId === undefined
      ? []
      : [onlyText(names.campaign(campaignId), text.onlyCampaign, text.onlyOtherCampaign)]),
    ...(sendingAccountId === undefined ? [] : [text.onlySender(names.sender(sendingAccountId))]),
    ...(tagId === undefined ? [] : [onlyText(names.tag(tagId), text.onlyTag, text.onlyDeletedTag)]),
  ].join(', ')
}

function onlyText(name: string | null, named: (name: string) => string, other: string): string {
  return name === null ? other : named(name)
}

/** When a report runs: "Every Monday at 08:00, Europe/Berlin". */
export function whenText({ every, on, at, timezone }: Pick<Report, 'every' | 'on' | 'at' | 'timezone'>): string {
  switch (every) {
    case 'day':
      return text.daily(at, timezone)
    case 'week':
      return text.weekly(text.weekdays[(on ?? 1) - 1] ?? '', at, timezone)
    case 'month':
      return text.monthly(monthDayText(on ?? 1), at, timezone)
  }
}

/** Every month has this many days. */
const monthDaysMin = 28

export function monthDayText(day: number): string {
  return day > monthDaysMin ? text.monthDayOrLast(day) : text.monthDay(day)
}

/** The days that each report is about. */
export function daysText({
  query: { from, to, timezone: zone },
  timezone,
}: Pick<Report, 'query' | 'timezone'>): string {
  const days = from === undefined || to === undefined ? text.since : text.fixed(rangeText(from, to, zone ?? timezone))
  return zone === undefined || zone === timezone ? days : text.inZone(days, zone)
}

/** A range of days, or of moments. */
export function rangeText(from: string, to: string, zone: string): string {
  if (isDay(from) && isDay(to)) return datesText(from, to)
  const [start = '', end = ''] = [from, to].map((bound) =>
    isDay(bound) ? datesText(bound, bound) : longTimeText(bound, zone),
  )
  return text.range(start, end)
}

export function isDay(bound: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(bound)
}

/** Describes the last run: the users who got the report, and the skipped ones with the reason. */
export function runText(report: Pick<Report, 'recipients' | 'lastRun'>, names: Names): string {
  const skipped = report.lastRun?.skipped ?? []
  return [resultText(report, names), ...skipped.map((one) => skippedText(one, names))].join(' ')
}

export function skippedText({ userId, reason }: SkippedReportRecipient, names: Names): string {
  return text.skippedOne(names.user(userId), reasonText[reason])
}

export function resultText({ recipients, lastRun }: Pick<Report, 'recipients' | 'lastRun'>, names: Names): string {
  if (lastRun === null) return text.never
  const { status, deliveredTo, skipped, error } = lastRun
  switch (status) {
    case 'running':
      return recipients.length === 0
        ? text.runningEvent
        : text.running(numberText(deliveredTo.length + skipped.length), numberText(recipients.length))
    case 'sent':
      // A user that is deleted is also removed from the result.
      return deliveredTo.length === 0 ? text.sentToRemoved : text.sentTo(deliveredTo.map(names.user).join(', '))
    case 'announced':
      return text.announced
    case 'failed':
      return text.failed(error ?? '')
  }
}
