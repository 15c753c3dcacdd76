import { startImapDouble } from '../mail/imap-double.server.ts'
import { startSmtpDouble } from '../mail/smtp-double.server.ts'
import { replyTo } from '../kills/reply.ts'

/**
 * Mail servers of a whole house in a process of their own, so that their work is not counted as the product's: they take
 * every message and write an answer to some. `house-run.ts` starts it and reads what it tells.
 */

/** One answer that lies in its mailbox since `atMs` (of the wall clock). */
export interface DeliveredReply {
  to: string
  from: string
  atMs: number
}

export type DoublesNews =
  | { kind: 'ports'; smtp: number; imap: number }
  | { kind: 'reply'; reply: DeliveredReply }
  /** When each mailbox's messages were taken, in ms of the wall clock and in order. */
  | { kind: 'accepted'; byMailbox: Record<string, number[]>; repeated: number }

const lookEveryMs = 100
const answerAfterMs = 3_000

const [mailboxes = 1, answerEvery = 50] = process.argv.slice(2).map(Number)
const users = Object.fromEntries(Array.from({ length: mailboxes }, (_, index) => [`m${index}@house.test`, 'secret']))
const smtp = await startSmtpDouble({ users })
const imap = await startImapDouble({ users })
const byMailbox: Record<string, number[]> = {}
const recipients = new Set<string>()
let repeated = 0
let taken = 0

const tell = (news: DoublesNews): void => void process.send?.(news)

function answer(from: string, mailbox: string, messageId: string): void {
  imap.deliver(mailbox, replyTo(from, mailbox, messageId))
  tell({ kind: 'reply', reply: { to: mailbox, from, atMs: Date.now() } })
}

// What was read is let go: a day of a house is hundreds of thousands of messages.
function readAccepted(): void {
  for (const mail of smtp.accepted.splice(0)) {
    const [to = ''] = mail.to
    if (recipients.has(to)) repeated++
    recipients.add(to)
    ;(byMailbox[mail.from] ??= []).push(performance.timeOrigin + mail.atMs)
    taken++
    const { messageId } = mail
    if (taken % answerEvery === 0 && messageId !== null)
      setTimeout(() => answer(to, mail.from, messageId), answerAfterMs)
  }
  imap.commands.length = 0
}

setInterval(readAccepted, lookEveryMs)
process.on('message', () => {
  readAccepted()
  tell({ kind: 'accepted', byMailbox, repeated })
})
process.on('disconnect', () => process.exit(0))
tell({ kind: 'ports', smtp: smtp.port, imap: imap.port })
