import type { Account, Plan } from '@overture/contract/accounts/account.ts'
import { AppError, invalid, notFound, type ValidationIssue } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import type { Database, Executor, Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { toAccount, trialEnd, type AccountRow } from './account.ts'
import {
  findAccount,
  insertAccount,
  listAccountsAcrossAccounts,
  lockAccount,
  updateAccountRow,
} from './accounts.sql.ts'

/** Reads facts of other features that an account shows. */
export interface AccountTools {
  /** Requests counted this month, including the current one. */
  usedRequests(db: Executor, accountId: string, now: Date): Promise<number>
  activeApiKeys(db: Executor, accountId: string, now: Date): Promise<number>
  credits(db: Executor, tenant: Tenant): Promise<{ balance: number; leadCreditsUsed: number }>
  /** Whether recipients can open links of this installation. */
  linksReachRecipients: boolean
}

/** The fields that the operator can set. A limit of null restores the default. */
export interface AccountChanges {
  plan?: Plan
  apiAccessEnabled?: boolean
  requestsPerMinute?: number | null
  burstPerSecond?: number | null
  monthlyRequests?: number | null
  maxApiKeys?: number | null
}

interface AccountEdit {
  name?: string | undefined
  defaultTimezone?: string | undefined
  postalAddress?: string | null | undefined
  privacyContact?: string | null | undefined
  privacyUrl?: string | null | undefined
  replyKnowledge?: string | null | undefined
  [readOnly: string]: unknown
}

const limitNames = ['requestsPerMinute', 'burstPerSecond', 'monthlyRequests', 'maxApiKeys'] as const
const limitMax = 2_000_000_000
const readOnlyFields = [
  'id',
  'plan',
  'environment',
  'linksReachRecipients',
  'apiAccessEnabled',
  'limits',
  'credits',
  'trial',
  'createdAt',
] as const

/**
 * Called by the account when it is made or changes its plan. The credits feature passes it in, because it may import accounts
 * but not the reverse.
 */
type PlanHook = (tx: Transaction, accountId: string, plan: Plan, now: Date) => Promise<unknown>

/** Makes an account without keys. `initialiseCredits` is the function of credits/index.ts. */
export async function createAccount(
  tx: Transaction,
  input: { name: string; plan?: Plan; now: Date },
  initialiseCredits: PlanHook,
): Promise<AccountRow> {
  const plan = input.plan ?? 'trial'
  const row: AccountRow = {
    accountId: newId('acc'),
    name: input.name,
    plan,
    defaultTimezone: 'UTC',
    postalAddress: null,
    privacyContact: null,
    privacyUrl: null,
    replyKnowledge: null,
    apiAccessEnabled: true,
    requestsPerMinute: null,
    burstPerSecond: null,
    monthlyRequests: null,
    maxApiKeys: null,
    trialEndsAt: trialEnd(plan, input.now),
    createdAt: input.now,
  }
  await insertAccount(tx, row)
  await initialiseCredits(tx, row.accountId, plan, input.now)
  return row
}

/**
 * Makes the operator's changes, which apply on every node within a second. `changePlan` is the function of credits/index.ts.
 * Throws 404 for an unknown account and 400 for a limit out of range.
 */
export async function setAccount(
  db: Database,
  accountId: string,
  changes: AccountChanges,
  context: { now: Date; changePlan: PlanHook; recorded?: (tx: Transaction) => Promise<void> },
): Promise<AccountRow> {
  for (const name of limitNames) {
    const value = changes[name]
    if (value === undefined || value === null) continue
    const minimum = name === 'monthlyRequests' || name === 'maxApiKeys' ? 0 : 1
    if (!Number.isInteger(value) || value < minimum || value > limitMax) {
      throw invalid({ path: name, rule: 'range', message: `${name} is a whole number from ${minimum} to ${limitMax}.` })
    }
  }
  return db.transaction(async (tx) => {
    const row = await lockAccount(tx, accountId)
    if (row === null) throw notFound()
    const changed = { ...row, ...changes }
    const movesTo = changes.plan !== row.plan ? changes.plan : undefined
    if (movesTo !== undefined) changed.trialEndsAt = trialEnd(movesTo, context.now)
    await updateAccountRow(tx, changed)
    if (movesTo !== undefined) await context.changePlan(tx, accountId, movesTo, context.now)
    await context.recorded?.(tx)
    return changed
  })
}

export async function listAccounts(db: Executor): Promise<AccountRow[]> {
  return listAccountsAcrossAccounts(db)
}

/** Returns the account as GET /v2/account shows it. `now` is real time. */
export async function showAccount(db: Executor, tenant: Tenant, tools: AccountTools, now: Date): Promise<Account> {
  const row = await findAccount(db, tenant.accountId)
  if (row === null) throw notFound()
  return describe(db, { row, tenant, tools, now })
}

/** Handles PUT /v2/account. */
export async function editAccount(
  tx: Transaction,
  input: { tenant: Tenant; edit: AccountEdit; tools: AccountTools; now: Date },
): Promise<Account> {
  const { tenant, edit, tools, now } = input
  const row = await lockAccount(tx, tenant.accountId)
  if (row === null) throw notFound()
  const current = await describe(tx, { row, tenant, tools, now })
  const issues = [...changedReadOnly({ ...current }, edit, readOnlyFields), ...usageIssues(edit, current)]
  if (issues.length > 0) throw new AppError('VALIDATION_ERROR', 'The request is not valid.', { issues })
  const { postalAddress = row.postalAddress, privacyContact = row.privacyContact } = edit
  const { privacyUrl = row.privacyUrl, replyKnowledge = row.replyKnowledge } = edit
  const changed = {
    ...row,
    name: edit.name ?? row.name,
    defaultTimezone: edit.defaultTimezone ?? row.defaultTimezone,
    postalAddress,
    privacyContact,
    privacyUrl,
    replyKnowledge,
  }
  await updateAccountRow(tx, changed)
  return describe(tx, { row: changed, tenant, tools, now })
}

// The usage changes between GET and PUT, because the GET itself is counted. So the usage that is sent back needs only to be a
// possible earlier state of this account: its sums must be right, and it must not be ahead of the current usage.
function usageIssues(edit: AccountEdit, current: Account): ValidationIssue[] {
  const usage = edit['usage'] as Account['usage'] | undefined
  if (usage === undefined) return []
  const total = usage.monthlyRequests + usage.monthlyRequestsRemaining
  const sameMonth = usage.periodStart === current.usage.periodStart && usage.resetsAt === current.usage.resetsAt
  const adds = total === Math.max(current.limits.monthlyRequests, usage.monthlyRequests)
  if (sameMonth && adds && usage.monthlyRequests <= current.usage.monthlyRequests) return []
  return [{ path: 'usage', rule: 'read_only', message: 'usage is read-only.' }]
}

async function describe(
  db: Executor,
  input: { row: AccountRow; tenant: Tenant; tools: AccountTools; now: Date },
): Promise<Account> {
  const { row, tenant, tools, now } = input
  const credits = await tools.credits(db, tenant)
  return toAccount(row, {
    environment: tenant.environment,
    usedRequests: await tools.usedRequests(db, row.accountId, now),
    activeApiKeys: await tools.activeApiKeys(db, row.accountId, now),
    balance: credits.balance,
    leadCreditsUsed: credits.leadCreditsUsed,
    linksReachRecipients: tools.linksReachRecipients,
    now,
  })
}
