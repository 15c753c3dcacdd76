import type { NewInbound, StoredAttachment } from '../../delivery/index.ts'
import type { ReadAddress, ReadMessage } from '@overture/mail-reading/reading/read-message.ts'
import type { KnownMessage } from './matching.sql.ts'
import type { Proof, WriterProof } from './proof.ts'
import { proofFor, type ReportedMessage } from './reported.queries.ts'

/** How many bytes of a raw message are stored. Of a message with files, everything that was fetched is stored. */
const rawBytesMax = 1024 * 1024
const rawWithFilesBytesMax = 24 * 1024 * 1024
const referencesMax = 50

export interface MessageToStore {
  input: { sendingAccountId: string; raw: Buffer; truncated?: boolean; receivedAt: Date; now: Date }
  mail: ReadMessage
  match: KnownMessage
  reported: readonly ReportedMessage[]
  /** The proof that the address in `From` wrote the mail. */
  proof: WriterProof
  replyTo: ReadAddress[] | null
  sha256: Buffer
}

/** The row of an inbound message, as it is stored. */
export function toInboundRow(
  ids: { id: string; threadId: string },
  { input, mail, match, reported, proof, replyTo, sha256 }: MessageToStore,
): NewInbound {
  const { kind, rule, awayUntil, bounces } = mail.verdict
  const kept = mail.attachments.length === 0 ? rawBytesMax : rawWithFilesBytesMax
  return {
    ...ids,
    campaignId: match.campaignId,
    leadId: match.leadId,
    sendingAccountId: input.sendingAccountId,
    kind: kind === 'complaint' ? 'other' : kind,
    rfcMessageId: mail.messageId,
    inReplyTo: mail.inReplyTo[0] ?? null,
    refs: mail.references.slice(-referencesMax),
    from: mail.from[0] ?? null,
    to: mail.to,
    cc: mail.cc,
    subject: mail.subject,
    text: mail.text,
    quotedText: mail.quotedText,
    signature: mail.signature,
    html: mail.html,
    raw: input.raw.subarray(0, kept),
    sha256,
    receivedAt: input.receivedAt,
    classification: {
      kind,
      rule,
      awayUntil,
      bounces,
      proof: proofFor(match.leadId, reported) ?? storedProof(proof),
      ...(replyTo !== null && { replyTo }),
      ...(mail.calendar !== null && { calendar: toCalendarFields(mail.calendar) }),
    },
    attachments: storedAttachments(mail, input.truncated === true || input.raw.length > kept),
  }
}

/** A proof that is unknown is no proof. */
function storedProof(proof: WriterProof): Proof {
  return proof === 'unknown' ? 'none' : proof
}

function toCalendarFields({ method, startAt, endAt, timeUnknown }: NonNullable<ReadMessage['calendar']>) {
  const isKnown = timeUnknown !== true
  return {
    method: method.toLowerCase(),
    startAt: isKnown ? startAt.toISOString() : null,
    endAt: isKnown ? endAt.toISOString() : null,
  }
}

// If the message was cut, its last file was cut too and is stored without a size.
function storedAttachments({ attachments }: ReadMessage, isCut: boolean): StoredAttachment[] {
  return attachments.map(({ filename, contentType, size, isLast }) => ({
    filename,
    contentType,
    size: isCut && isLast ? null : size,
  }))
}
