import { dayMs } from '@overture/ground/time/spans.ts'
import { defaultLimits, type Account, type AccountLimits, type Plan } from '@overture/contract/accounts/account.ts'
import type { Environment } from '@overture/contract/endpoint.ts'

const trialDays = 14
/** The credits that lead search and reveal may spend in a trial, per environment. Source: docs/contract.md, "AI and credits". */
const trialLeadCreditCap = 50

/** An account as it is stored. A limit of null means the default. */
export interface AccountRow {
  accountId: string
  name: string
  plan: Plan
  defaultTimezone: string
  postalAddress: string | null
  privacyContact: string | null
  privacyUrl: string | null
  replyKnowledge: string | null
  apiAccessEnabled: boolean
  requestsPerMinute: number | null
  burstPerSecond: number | null
  monthlyRequests: number | null
  maxApiKeys: number | null
  trialEndsAt: Date | null
  createdAt: Date
}

interface AccountFacts {
  environment: Environment
  usedRequests: number
  activeApiKeys: number
  balance: number
  leadCreditsUsed: number
  linksReachRecipients: boolean
  /** Real time. */
  now: Date
}

export function actualLimits(row: AccountRow): AccountLimits {
  return {
    requestsPerMinute: row.requestsPerMinute ?? defaultLimits.requestsPerMinute,
    burstPerSecond: row.burstPerSecond ?? defaultLimits.burstPerSecond,
    monthlyRequests: row.monthlyRequests ?? defaultLimits.monthlyRequests,
    maxApiKeys: row.maxApiKeys ?? defaultLimits.maxApiKeys,
  }
}

/** When a trial that starts now ends; null for any other plan. */
export function trialEnd(plan: Plan, now: Date): Date | null {
  return plan === 'trial' ? new Date(now.getTime() + trialDays * dayMs) : null
}

/** The calendar month, in UTC, of a time. */
export function quotaMonth(now: Date): { start: Date; end: Date } {
  return {
    start: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)),
    end: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
  }
}

/** The account as the API shows it. Source: docs/contract.md, "Accounts and keys". */
export function toAccount(row: AccountRow, facts: AccountFacts): Account {
  const limits = actualLimits(row)
  const month = quotaMonth(facts.now)
  return {
    id: row.accountId,
    name: row.name,
    plan: row.plan,
    environment: facts.environment,
    apiAccessEnabled: row.apiAccessEnabled,
    defaultTimezone: row.defaultTimezone,
    postalAddress: row.postalAddress,
    privacyContact: row.privacyContact,
    privacyUrl: row.privacyUrl,
    replyKnowledge: row.replyKnowledge,
    linksReachRecipients: facts.linksReachRecipients,
    limits,
    usage: {
      monthlyRequests: facts.usedRequests,
      monthlyRequestsRemaining: Math.max(0, limits.monthlyRequests - facts.usedRequests),
      periodStart: month.start.toISOString(),
      resetsAt: month.end.toISOString(),
      activeApiKeys: facts.activeApiKeys,
    },
    credits: { balance: facts.balance },
    trial:
      row.plan === 'trial' && row.trialEndsAt !== null
        ? {
            endsAt: row.trialEndsAt.toISOString(),
            leadCreditCap: trialLeadCreditCap,
            leadCreditsUsed: facts.leadCreditsUsed,
          }
        : null,
    createdAt: row.createdAt.toISOString(),
  }
}
