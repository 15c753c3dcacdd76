import type { SendingAccount } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { presentPace } from './sender-pacing.ts'
import type { Sender } from './sending-account.ts'

/** The numbers of messages of a sender today, and on the day of its stored pace. */
interface SentOn {
  sentToday: number
  usedThen: number
  now: Date
}

/** The sending account as the API shows it. */
export function toSendingAccount(sender: Sender, { sentToday, usedThen, now }: SentOn): SendingAccount {
  return {
    id: sender.id,
    email: sender.email,
    fromName: sender.fromName,
    provider: sender.provider,
    smtp: sender.smtp,
    imap: sender.imap,
    status: sender.status,
    statusReason: sender.statusReason,
    statusAdvice: sender.statusAdvice,
    lastError: sender.lastError,
    dailyLimit: sender.dailyLimit,
    reservedPerDay: sender.reservedPerDay,
    sentToday,
    minGapSeconds: sender.minGapSeconds,
    maxGapSeconds: sender.maxGapSeconds,
    timezone: sender.timezone,
    signature: sender.signature,
    replyTo: sender.replyTo,
    trackingDomain: sender.trackingDomain,
    rampUp: sender.rampUp,
    ignoreMail: sender.ignoreMail,
    health: sender.health,
    requireAuthentication: sender.requireAuthentication,
    deliverability: presentPace(sender, usedThen, now),
    tenantConnectionId: sender.tenantConnectionId,
    tagIds: sender.tagIds,
    createdAt: sender.createdAt.toISOString(),
    updatedAt: sender.updatedAt.toISOString(),
  }
}
