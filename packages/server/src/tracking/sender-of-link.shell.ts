import type { OptOutToken } from '../delivery/index.ts'
import type { App } from '../platform/app.ts'
import { sleep } from '../platform/clock.ts'
import { senderName } from '@overture/contract/accounts/sender-name.ts'
import { tokenTenant } from './tracking.commands.ts'
import { findSenderNames } from './tracking.sql.ts'

const namesMsMax = 2_000

/** The sender's name for the page of a link: person, company or both. Null if there is none, or if the database doesn't answer soon. */
export async function senderOfLink({ db }: App, token: OptOutToken): Promise<string | null> {
  const over = new AbortController()
  const names = findSenderNames(db, tokenTenant(token), token.leadId).catch(() => undefined)
  const late = sleep(namesMsMax, over.signal).then(() => undefined)
  const found = await Promise.race([names, late]).finally(() => over.abort())
  return senderName({ person: found?.person ?? null, company: found?.account ?? null })
}
