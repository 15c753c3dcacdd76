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

/** What an account shows that other features know. */
export interface AccountTools {
  /** Requests counted this month, the one that asks included. */
  usedRequests(db: Executor, accountId: string, now: Date): Promise<number>
  activeApiKeys(db: Executor, accountId: string, now: Date): Promise<number>
  credits(db: Executor, tenant: Tenant): Promise<{ balance: number; leadCreditsUsed: number }>
}

/** What the operator can set; a limit of null goes back to the default. */
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
  [readOnly: string]: unknown
}

const limitNames = ['requestsPerMinute', 'burstPerSecond', 'monthlyRequests', 'maxApiKeys'] as const
const limitMax = 2_000_000_000
const readOnlyFields = [
  'id',
  'plan',
  'environment',
  'apiAccessEnabled',
  'limits',
  'credits',
  'trial',
  'createdAt',
] as const

/** What credits does when an account is made or changes its plan; credits know accounts, not the other way round. */
type PlanHook = (tx: Transaction, accountId: string, plan: Plan, now: Date) => Promise<unknown>

/** Makes an account without keys; `initialiseCredits` is the one of credits/index.ts. */
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
 * The operator's changes; they act on every node within a second. `changePlan` is the one of credits/index.ts.
 * 404 for an unknown account, 400 for a limit out of range.
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

/** The account as GET /v2/account answers. `now` is real time. */
export async function showAccount(db: Executor, tenant: Tenant, tools: AccountTools, now: Date): Promise<Account> {
  const row = await findAccount(db, tenant.accountId)
  if (row === null) throw notFound()
  return describe(db, { row, tenant, tools, now })
}

/** PUT /v2/account. */
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
  const postalAddress = edit.postalAddress === undefined ? row.postalAddress : edit.postalAddress
  const changed = {
    ...row,
    name: edit.name ?? row.name,
    defaultTimezone: edit.defaultTimezone ?? row.defaultTimezone,
    postalAddress,
  }
  await updateAccountRow(tx, changed)
  return describe(tx, { row: changed, tenant, tools, now })
}

// It moves between GET and PUT by itself, for the GET counts. What was sent back must be a state that this account has
// been in: it adds up, and it is not ahead of now.
function usageIssues(edit: AccountEdit, current: Account): ValidationIssue[] {
  const usage = edit['usage'] as Account['usage'] | undefined
  if (usage === undefined) return []
  const total = usage.monthlyRequests + usage.monthlyRequestsRemaining
  const sameMonth = usage.periodStart === current.usage.periodStart && usage.resetsAt === current.usage.resetsAt
  const adds = total === Math.max(current.limits.monthlyRequests, usage.monthlyRequests)
  if (sameMonth && adds && usage.monthlyRequests <= current.usage.monthlyRequests) return []
  return [{ path: 'usage', rule: 'read_only', message: "usage can't be changed." }]
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
    now,
  })
}
