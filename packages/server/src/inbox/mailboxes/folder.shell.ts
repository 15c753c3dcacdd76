import type { KeyedSemaphore, Release } from '@overture/ground/keyed-semaphore.ts'
import { Counter } from 'prom-client'
import type { App } from '../../platform/app.ts'
import { UidValidityChanged, type FetchedMail, type MailboxSession } from '../../platform/mail/imap-session.client.ts'
import { metrics } from '../../platform/metrics.shell.ts'
import { findReportFile } from '@overture/mail-reading/dmarc/report-mail.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { traced } from '../../platform/traces/traces.shell.ts'
import type { MailReader, MailReading, ReportReader } from '../reading/mail-reader.ts'
import { isMatched, takeMessage, type ReceiveHooks } from '../receive/receive.commands.ts'
import type { OpenMailboxes } from './open-mailboxes.ts'
import {
  findFolderPosition,
  updateBrokenTrial,
  upsertFolderPosition,
  upsertTrial,
  type FolderPosition,
} from './folders.sql.ts'
import { inboxFolder, type FolderToRead, type SeenMail } from './mailbox-session.client.ts'
import { setAside, type PassedOverReason } from './set-aside.commands.ts'
import { deleteSetAside, updateSetAsideBegun, type MessagePlace } from './set-aside.sql.ts'

const mebibyte = 1024 * 1024
/** Texts and reports come before attachments. More bytes are fetched only if no text was found, or for the files of a lead. */
const messageBytesMax = 2 * mebibyte
/** Files of 16 MiB, which a forward may have, are 22 MiB in base64. */
export const wholeBytesMax = 24 * mebibyte
/** Only the headers of sent mail are needed. */
const sentBytesMax = 64 * 1024
const triesMax = 2
const breaksMax = 10

const inboxMessages = new Counter({
  name: 'overture_inbox_messages_total',
  help: 'Messages read in mailboxes by kind. Stored messages are about a lead, unmatched messages are not kept.',
  labelNames: ['outcome'],
  registers: [metrics],
})

/** Shared by all mailboxes of a process. */
export interface MailboxTools {
  app: App
  reader: MailReader
  reports: ReportReader
  /** Bytes of messages that are being read. */
  budget: KeyedSemaphore
  logins: KeyedSemaphore
  /** The mailboxes in which this process idles. */
  open: OpenMailboxes
  hooks: ReceiveHooks
}

export interface OpenMailbox {
  tools: MailboxTools
  tenant: Tenant
  sendingAccountId: string
  session: MailboxSession
  /** How far each folder was read, by path. Only this session reads the mailbox, so the positions stay valid. */
  positions: Map<string, ReadPosition>
  signal: AbortSignal
}

interface ReadPosition extends FolderPosition {
  /** The highest UID that had been assigned when the folder was read to its end. Only higher UIDs are new. */
  readTo: number
}

interface FolderReading {
  mailbox: OpenMailbox
  folder: FolderToRead
  /** The start of a first read. */
  since: Date
  seen: SeenMail | null
}

/** Reads the new messages of a folder one by one, and stores the position. */
export async function readFolder({ mailbox, folder, since, seen }: FolderReading): Promise<void> {
  const { path, all } = folder
  const { tools, tenant, sendingAccountId, session, signal } = mailbox
  // If a crash of the database server loses these writes, the messages are read again and recognized as duplicates.
  const db = tools.app.db.relaxed()
  const key = { sendingAccountId, folder: path }
  const position = await readPosition(mailbox, path)
  const hold = new Hold(tools.budget)
  let trying: MessagePlace | null = null
  const found = await session.readNew({
    ...key,
    ...position,
    since,
    bytesMax: folder.sent ? sentBytesMax : messageBytesMax,
    ...(all && seen !== null && { skip: seen.skips }),
    async begin(uid) {
      if (signal.aborted) return false
      const place = { ...key, uidValidity: found.uidValidity, uid }
      const { tries, breaks } = await upsertTrial(db, tenant, place)
      trying = place
      const reason = tries > triesMax ? 'ended_the_process' : breaks >= breaksMax ? 'broke_the_connection' : null
      if (reason === null) await hold.change(messageBytesMax)
      else await passOver(mailbox, place, { reason, sizeBytes: null })
      return reason === null
    },
  })
  const { uidValidity } = found
  if (found.reset) await upsertFolderPosition(db, tenant, { ...key, uidValidity, lastUid: 0 })
  try {
    for await (const mail of found.messages) {
      const attributes = { 'overture.account_id': tenant.accountId, 'overture.sending_account_id': sendingAccountId }
      await traced('inbox.message', { kind: 'consumer', attributes }, () =>
        readMail(mailbox, { ...key, uidValidity, uid: mail.uid }, { mail, hold, folder }),
      )
      seen?.add(mail.emailId)
      trying = null
    }
  } catch (error) {
    // The process is still running, so the message did not crash it.
    if (trying !== null) await updateBrokenTrial(db, tenant, trying).catch(() => undefined)
    throw error
  } finally {
    await hold.change(0)
  }
  if (signal.aborted) return
  const last = found.uids.at(-1)
  if (last !== undefined) await upsertFolderPosition(db, tenant, { ...key, uidValidity, lastUid: last })
  const lastUid = last ?? (found.reset ? 0 : position.lastUid)
  mailbox.positions.set(path, { uidValidity, lastUid, readTo: found.highestUid })
}

/** Whether a folder may contain messages that came after the last read. Does not select the folder. */
export async function mayHaveNews(mailbox: OpenMailbox, path: string): Promise<boolean> {
  const { uidValidity, readTo } = await readPosition(mailbox, path)
  const state = await mailbox.session.findState(path)
  return state === null || state.uidValidity !== uidValidity || state.highestUid > readTo
}

async function readPosition(mailbox: OpenMailbox, path: string): Promise<ReadPosition> {
  const { tools, tenant, sendingAccountId, positions } = mailbox
  const known = positions.get(path)
  if (known !== undefined) return known
  const position = await findFolderPosition(tools.app.db.relaxed(), tenant, { sendingAccountId, folder: path })
  return { ...position, readTo: position.lastUid }
}

/** Tries again to read a message that was set aside. */
export async function retryMessage(
  mailbox: OpenMailbox,
  place: MessagePlace,
  folders: readonly FolderToRead[],
): Promise<void> {
  const { tools, tenant, session } = mailbox
  // Recorded before the try, so that a message that crashes this process is not tried by the next one.
  if (!(await updateSetAsideBegun(tools.app.db, tenant, place))) return
  const folder = folders.find((one) => one.path === place.folder) ?? inboxFolder(place.folder)
  const hold = new Hold(tools.budget)
  try {
    await hold.change(wholeBytesMax)
    const mail = await session.fetch({ ...place, bytesMax: wholeBytesMax })
    const reason =
      mail === null ? null : await take(mailbox, place, { mail, reading: await tools.reader.read(mail.raw), folder })
    if (reason === null) await deleteSetAside(tools.app.db, tenant, place)
    else await tools.app.db.transaction((tx) => setAside(tools.app, tx, tenant, { ...place, reason, sizeBytes: null }))
  } catch (error) {
    if (!(error instanceof UidValidityChanged)) throw error
    await deleteSetAside(tools.app.db, tenant, place)
  } finally {
    await hold.change(0)
  }
}

/** The part of the shared byte budget that one mailbox holds. */
class Hold {
  readonly #budget: KeyedSemaphore
  #bytes = 0
  #release: Release = () => undefined

  constructor(budget: KeyedSemaphore) {
    this.#budget = budget
  }

  // All bytes are released before new ones are requested. Otherwise two holders could wait for each other forever.
  async change(bytes: number): Promise<void> {
    if (bytes === this.#bytes) return
    this.#release()
    this.#bytes = 0
    this.#release = await this.#budget.acquire('', bytes)
    this.#bytes = bytes
  }
}

async function readMail(
  mailbox: OpenMailbox,
  place: MessagePlace,
  { mail, hold, folder }: { mail: FetchedMail; hold: Hold; folder: FolderToRead },
): Promise<void> {
  const { tools, tenant, session } = mailbox
  let read = { mail, folder, reading: await tools.reader.read(mail.raw) }
  if (
    mail.truncated &&
    !folder.sent &&
    (hasNoText(read.reading) || hasReport(read.reading) || (await hasFiles(mailbox, read.reading)))
  ) {
    await hold.change(wholeBytesMax)
    const whole = await session.fetch({ ...place, bytesMax: wholeBytesMax })
    if (whole !== null) read = { mail: whole, folder, reading: await tools.reader.read(whole.raw) }
  }
  const reason = await take(mailbox, place, read)
  if (reason !== null) await passOver(mailbox, place, { reason, sizeBytes: mail.sizeBytes })
  else await upsertFolderPosition(tools.app.db.relaxed(), tenant, { ...place, lastUid: place.uid })
}

// Some programs put the attachment before the text.
function hasNoText(reading: MailReading): boolean {
  return reading.outcome === 'read' && reading.message.text === '' && reading.message.html === null
}

function hasReport(reading: MailReading): boolean {
  return reading.outcome === 'read' && findReportFile(reading.message) !== null
}

// Files are stored only if the message is about a known one.
async function hasFiles({ tools, tenant, sendingAccountId }: OpenMailbox, reading: MailReading): Promise<boolean> {
  if (reading.outcome !== 'read' || reading.message.attachments.length === 0) return false
  return isMatched(tools.app.db, tenant, { input: { sendingAccountId }, mail: reading.message })
}

/** Returns null if the message was handled, else why it was not. */
async function take(
  { tools, tenant, sendingAccountId }: OpenMailbox,
  { folder: path, uid }: MessagePlace,
  { mail, reading, folder }: { mail: FetchedMail; reading: MailReading; folder: FolderToRead },
): Promise<PassedOverReason | null> {
  if (reading.outcome === 'set_aside') return folder.sent ? null : reading.reason
  const { app, hooks } = tools
  const now = app.clock.now()
  const { raw, truncated } = mail
  const { junk, sent } = folder
  const receivedAt = mail.internalDate ?? now
  const input = { sendingAccountId, raw, truncated, folder: path, junk, sent, uid, receivedAt, now }
  try {
    const taken = await takeMessage(app, tenant, { input, mail: reading.message, hooks })
    inboxMessages.inc({ outcome: taken.outcome })
    if (taken.outcome === 'report') {
      const report = await tools.reports.readReport(raw, { n: taken.n, nowMs: now.getTime() })
      await hooks.report?.(tenant, { sendingAccountId, reading: report, now })
    }
    return null
  } catch (error) {
    if (!isFaultOfMessage(error)) throw error
    // One message that can't be stored must not block all later ones.
    app.log.error({ event: 'inbox.message_failed', sendingAccountId, uid, reason: (error as Error).message })
    return 'not_stored'
  }
}

async function passOver(
  { tools: { app }, tenant }: OpenMailbox,
  place: MessagePlace,
  why: { reason: PassedOverReason; sizeBytes: number | null },
): Promise<void> {
  await app.db.transaction(async (tx) => {
    await setAside(app, tx, tenant, { ...place, ...why })
    await upsertFolderPosition(tx, tenant, { ...place, lastUid: place.uid })
  })
}

// Whether the message causes the error: the database rejects a value, or our code has a bug. A broken connection or a lock does
// not count.
function isFaultOfMessage(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') return /^(?:22|23|54)\w{3}$/.test(code)
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
}
