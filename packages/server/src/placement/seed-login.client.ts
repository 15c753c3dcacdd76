import { minuteMs } from '@overture/ground/time/spans.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import type { SeedVerification } from '@overture/contract/placement/seed-mailboxes.ts'
import type { App } from '../platform/app.ts'
import { imapFailure } from '../platform/mail/imap-failure.client.ts'
import {
  openMailbox,
  type MailboxSession,
  type MailFolder,
  type ReceivedCopy,
} from '../platform/mail/imap-session.client.ts'
import { accountReach } from '../platform/mail/network-guard.client.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { SeedRow } from './seed-mailbox.ts'
import { seedSecretContext } from './seed-secrets.shell.ts'

const connectTimeoutMs = 20_000
/** One mailbox of a test, with all its folders. A server that hangs delays the others no longer. */
const readTimeoutMs = minuteMs
const foldersMax = 30
const messageLengthMax = 500

/** Ends a reading that takes too long. `late` rejects when the time is over, and `stop` ends the waiting. */
export type TimeLimit = (limitMs: number) => { late: Promise<never>; stop: () => void }

const byTimer: TimeLimit = (limitMs) => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The mailbox was not read in time.')), limitMs)
  })
  return { late, stop: () => clearTimeout(timer) }
}

type SeedLogin = Pick<SeedRow, 'id' | 'imap'> & { secrets: Buffer | null }

export interface FoundCopy extends ReceivedCopy {
  placement: 'inbox' | 'tab' | 'spam'
  folder: string
}

type SeedReading = { kind: 'read'; found: Map<string, FoundCopy> } | { kind: 'failed'; message: string }

/** Logs in and looks for the folder for spam. */
export async function verifySeed(app: App, tenant: Tenant, seed: SeedLogin): Promise<SeedVerification> {
  const use = async (mailbox: MailboxSession) => {
    const spam = (await mailbox.listFolders()).find((folder) => folder.use === 'junk')
    return spam?.path ?? null
  }
  const opened = await withSeed(app, tenant, seed, { limit: byTimer, use })
  if (opened.kind === 'failed') return { ok: false, message: opened.message, spamFolder: null }
  const spamFolder = opened.value
  const message = spamFolder === null ? 'Logged in. The server names no folder for spam.' : 'Logged in.'
  return { ok: true, message, spamFolder }
}

/** Looks for messages by their tokens, in Inbox, spam and then the other folders. Opens folders for reading only. */
export async function readSeed(
  app: App,
  tenant: Tenant,
  seed: SeedLogin,
  { refs, since, limit = byTimer }: { refs: readonly string[]; since: Date; limit?: TimeLimit | undefined },
): Promise<SeedReading> {
  const use = async (mailbox: MailboxSession) => {
    const found = new Map<string, FoundCopy>()
    for (const folder of foldersInOrder(await mailbox.listFolders())) {
      for (const ref of refs) {
        if (found.has(ref)) continue
        const copy = await mailbox.findReceived(folder.path, ref, since)
        if (copy !== null) found.set(ref, { ...copy, placement: placementIn(folder, copy), folder: folder.path })
      }
      if (found.size === refs.length) break
    }
    return found
  }
  const opened = await withSeed(app, tenant, seed, { limit, use })
  return opened.kind === 'failed' ? opened : { kind: 'read', found: opened.value }
}

/** Gmail's All Mail has every message, and what is in the other folders was sent or deleted by a person. */
const passedOver: ReadonlySet<MailFolder['use']> = new Set(['all', 'sent', 'drafts', 'trash'])

function foldersInOrder(folders: readonly MailFolder[]): MailFolder[] {
  const rank = ({ use }: MailFolder) => (use === 'inbox' ? 0 : use === 'junk' ? 1 : 2)
  return folders
    .filter(({ use }) => !passedOver.has(use))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, foldersMax)
}

function placementIn({ use }: MailFolder, { inCategory }: ReceivedCopy): FoundCopy['placement'] {
  if (use === 'junk') return 'spam'
  return use === 'inbox' && !inCategory ? 'inbox' : 'tab'
}

async function withSeed<Value>(
  app: App,
  tenant: Tenant,
  { id, imap, secrets }: SeedLogin,
  { limit, use }: { limit: TimeLimit; use: (mailbox: MailboxSession) => Promise<Value> },
): Promise<{ kind: 'done'; value: Value } | { kind: 'failed'; message: string }> {
  if (imap === null || secrets === null) return { kind: 'failed', message: 'The mailbox has no login.' }
  const password = app.secrets.decrypt(secrets, seedSecretContext(tenant, id))
  const { host, port, security, username } = imap
  const auth = { kind: 'password' as const, username, password }
  const reach = accountReach(app, tenant.accountId)
  const opened = await openMailbox({ host, port, security, auth, connectTimeoutMs, reach })
  if (opened.kind !== 'open') return { kind: 'failed', message: foreignText(opened.message, messageLengthMax) }
  try {
    return { kind: 'done', value: await inTime(use(opened.mailbox), limit) }
  } catch (error) {
    return { kind: 'failed', message: foreignText(imapFailure(error, 'session').message, messageLengthMax) }
  } finally {
    await opened.mailbox.close()
  }
}

async function inTime<Value>(work: Promise<Value>, limit: TimeLimit): Promise<Value> {
  const { late, stop } = limit(readTimeoutMs)
  try {
    return await Promise.race([work, late])
  } finally {
    stop()
    // The session is closed next, which ends the work. Its failure was reported already.
    work.catch(() => {})
  }
}
