import type { Diagnosis, ScheduleWindow } from '@overture/sdk'
import type { Paths } from '../paths.ts'
import { numberText } from '../platform/time/format.ts'
import { text } from './diagnosis.messages.ts'

export type Change = Diagnosis['levers'][number]['change']
type Value = Change['to']

interface Names {
  campaignId: string
  paths: Paths
  senderName: (id: string) => string
}

export interface LeverText {
  change: string
  /** The page where the change can be made. */
  to: string
}

/** A change as text. A field newer than this page is shown by its path. */
export function leverText({ path, from, to }: Change, { campaignId, paths, senderName }: Names): LeverText {
  const values = [valueText(from), valueText(to)] as const
  const schedule = paths.campaign(campaignId, 'schedule')
  const settings = paths.campaign(campaignId, 'settings')
  const [, senderId, field = ''] = /^sendingAccounts\.([^.]+)\.(.+)$/.exec(path) ?? []
  if (senderId !== undefined) {
    const sender = senderName(senderId)
    return {
      change: senderChange(field, sender, values) ?? text.changes.other(path, ...values),
      to: paths.sender(senderId),
    }
  }
  switch (path) {
    case 'sendingAccountIds': {
      const before = Array.isArray(from) ? from.map(String) : []
      const added = Array.isArray(to) ? to.map(String).filter((id) => !before.includes(id)) : []
      return {
        change: text.changes.sendingAccountIds(added.map(senderName).join(', ')),
        to: paths.campaign(campaignId, 'senders'),
      }
    }
    case 'schedule.windows':
      return { change: text.changes.windows(...values), to: schedule }
    case 'settings.dailyLimit':
      return { change: text.changes.dailyLimit(...values), to: settings }
    case 'settings.dailyNewLeadLimit':
      return { change: text.changes.dailyNewLeadLimit(...values), to: settings }
    case 'settings.maxPerRecipientDomainPerDay':
      return { change: text.changes.maxPerRecipientDomainPerDay(...values), to: settings }
    default:
      return { change: text.changes.other(path, ...values), to: settings }
  }
}

function senderChange(field: string, sender: string, values: readonly [string, string]): string | null {
  switch (field) {
    case 'status':
      return text.changes.senderStatus(sender)
    case 'dailyLimit':
      return text.changes.senderDailyLimit(sender, ...values)
    case 'maxGapSeconds':
      return text.changes.senderGap(sender, ...values)
    default:
      return null
  }
}

function valueText(value: Value): string {
  if (typeof value === 'number') return numberText(value)
  if (!Array.isArray(value)) return value ?? ''
  return value.map((one) => (typeof one === 'string' ? one : windowText(one))).join(', ')
}

function windowText({ from, to }: ScheduleWindow): string {
  return `${from}–${to}`
}
