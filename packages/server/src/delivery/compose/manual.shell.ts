import { manualMime } from './compose.ts'
import type { ClaimedRow } from './compose.sql.ts'
import type { MimeInput } from './message-bytes.ts'
import type { SenderRow } from '../planning.sql.ts'

/** What a person wrote, or a notice, as it will go out. */
export function manualOf({ row, now }: { row: ClaimedRow; now: Date }, sender: SenderRow): MimeInput {
  const mime = manualMime({
    messageId: row.id,
    now,
    sender,
    to: row.toAddresses,
    cc: row.ccAddresses,
    subject: row.subject,
    text: row.text ?? '',
    html: row.html,
    inReplyTo: row.inReplyTo,
    references: row.refs,
    kind: row.kind === 'notification' ? 'notification' : 'manual',
  })
  const attachments = (row.attachments ?? []).map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') }))
  return attachments.length === 0 ? mime : { ...mime, attachments }
}
