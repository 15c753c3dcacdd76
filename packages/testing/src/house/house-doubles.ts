import { startImapDouble } from '../mail/imap-double.server.ts'
import { startSmtpDouble } from '../mail/smtp-double.server.ts'
import { replyTo } from '../kills/reply.ts'

/**
 * Mail servers of a simulated company, in their own process so that their CPU time is not counted as the product's. They accept every
 * message and send replies to some. `house-run.ts` starts this program and receives its messages.
 */

/** One reply, with the time `atMs` (wall clock) when it was put into the mailbox. */
export interface DeliveredReply {
  to: string
  from: string
  atMs: number
}

export type DoublesNews =
  | { kind: 'ports'; smtp: number; imap: number }
  | { kind: 'reply'; reply: DeliveredReply }
  /** The times when each mailbox's messages were accepted, in ms of the wall clock and in order. */
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

const sendNews = (news: DoublesNews): void => void process.send?.(news)

function answer(from: string, mailbox: string, messageId: string): void {
  imap.deliver(mailbox, replyTo(from, mailbox, messageId))
  sendNews({ kind: 'reply', reply: { to: mailbox, from, atMs: Date.now() } })
}

// Removes the messages that it counted: a simulated day has hundreds of thousands.
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
  sendNews({ kind: 'accepted', byMailbox, repeated })
})
process.on('disconnect', () => process.exit(0))
sendNews({ kind: 'ports', smtp: smtp.port, imap: imap.port })
