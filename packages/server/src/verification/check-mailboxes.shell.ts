import { AppError } from '@overture/contract/errors.ts'
import { holdCredits, whileHeld, type HeldCredits } from '../credits/index.ts'
import type { VerificationConfig } from '../platform/mail-config.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import { attemptsMax, type CheckedBatch, type MailboxToAsk } from './check-addresses.shell.ts'
import { askMailboxes } from './mailbox-provider.client.ts'
import { withEvidence } from './verdict.ts'
import type { VerificationTools } from './verification-tools.ts'
import { storeBatch } from './verifications.commands.ts'

/** Addresses of one hold of credits. Their calls take less time than a hold lasts. */
const mailboxesAtOnceMax = 50

interface MailboxCheck {
  context: JobContext
  tools: VerificationTools
  config: VerificationConfig
  verificationId: string
}

/** Asks the provider about mailboxes. A result is stored in the transaction that charges for it. */
export async function checkMailboxes(check: MailboxCheck, mailboxes: readonly MailboxToAsk[]): Promise<void> {
  for (let at = 0; at < mailboxes.length; at += mailboxesAtOnceMax)
    await checkSome(check, mailboxes.slice(at, at + mailboxesAtOnceMax))
}

async function checkSome(check: MailboxCheck, mailboxes: readonly MailboxToAsk[]): Promise<void> {
  const { app, tenant, now } = check.context
  const charge = { amount: mailboxes.length, reason: 'Addresses verified', reference: check.verificationId, now }
  const held = await holdCredits(app.db, tenant, charge).catch(unlessInsufficient)
  if (held === null) return store(check, { checked: mailboxes.map((one) => unproven(check, one)), postponed: [] }, null)
  await whileHeld(app.db, held, async () => store(check, await askSome(check, mailboxes), held))
}

async function askSome(check: MailboxCheck, mailboxes: readonly MailboxToAsk[]): Promise<CheckedBatch> {
  const { context, config } = check
  const { app, tenant, signal } = context
  const emails = mailboxes.map(({ email }) => email)
  const { replies, failure } = await askMailboxes(config, emails, signal)
  signal.throwIfAborted()
  if (failure !== null)
    app.log.warn({ event: 'verification.provider_failed', accountId: tenant.accountId, reason: failure })
  const batch: CheckedBatch = { checked: [], postponed: [] }
  for (const mailbox of mailboxes) {
    const reply = replies.get(mailbox.email)
    if (reply?.kind === 'verdict')
      batch.checked.push({ ...unproven(check, mailbox), ...withEvidence(mailbox.rules, reply.verdict), credits: 1 })
    else if (mailbox.attempts + 1 < attemptsMax) batch.postponed.push(mailbox.email)
    else batch.checked.push(unproven(check, mailbox))
  }
  return batch
}

/** The result of the rules, after the provider gave none. */
function unproven({ context, config }: MailboxCheck, { email, rules }: MailboxToAsk) {
  return { ...rules, email, source: config.provider, checkedAt: context.now, credits: 0 }
}

/** Charges for the results that were stored: none for an address that was erased meanwhile, or that has a result already. */
async function store(check: MailboxCheck, batch: CheckedBatch, held: HeldCredits | null): Promise<void> {
  const { context, tools, verificationId } = check
  const { app, tenant, now } = context
  await app.db.transaction(async (tx) => {
    const credits = await storeBatch(tx, tenant, { id: verificationId, batch, now, tools })
    await held?.settlePart(tx, credits)
  })
}

/** Without credits the addresses get no result of the provider. */
function unlessInsufficient(error: unknown): null {
  if (error instanceof AppError && error.code === 'INSUFFICIENT_CREDITS') return null
  throw error
}
