import { unnamedAccount } from '@overture/contract/accounts/account.ts'
import type { OptOutToken } from '../delivery/index.ts'
import type { App } from '../platform/app.ts'
import { sleep } from '../platform/clock.ts'
import { tenantOf } from './tracking.commands.ts'
import { findSenderNames } from './tracking.sql.ts'

const namesMsMax = 2_000

/** The sender's name for the page of a link: person, company or both. Null if there is none, or if the database doesn't answer soon. */
export async function senderOfLink({ db }: App, token: OptOutToken): Promise<string | null> {
  const over = new AbortController()
  const names = findSenderNames(db, tenantOf(token), token.leadId).catch(() => undefined)
  const late = sleep(namesMsMax, over.signal).then(() => undefined)
  const found = await Promise.race([names, late]).finally(() => over.abort())
  const company = found === undefined || found.account === unnamedAccount ? '' : found.account.trim()
  const person = found?.person?.trim() ?? ''
  if (person === '' || company === '' || person === company) return person || company || null
  return `${person} (${company})`
}
