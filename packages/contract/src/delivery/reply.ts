import { z } from 'zod'
import { email, id, namedObject, timestampInput } from '../common.ts'
import { replyLimits } from './reply-limits.ts'

/** How far ahead a reply can be scheduled. */
export const scheduleDaysMax = 90

/** 10 MB in base64 are a third larger, and the texts are added to that. */
export const replyBytesMax = 16 * 1024 * 1024

const attachment = namedObject('AttachmentInput', {
  filename: z.string().trim().min(1).max(255),
  contentType: z
    .string()
    .trim()
    .max(255)
    .regex(/^[\w.+-]+\/[\w.+-]+$/, 'Not a media type.')
    .default('application/octet-stream'),
  /** Encoded in base64. */
  content: z.base64().max(Math.ceil((replyLimits.filesBytes * 4) / 3) + 4),
})

const replyFields = {
  text: z.string().min(1).max(500_000).optional(),
  html: z.string().min(1).max(1_000_000).optional(),
  cc: z.array(email).max(replyLimits.copies).optional(),
  bcc: z.array(email).max(replyLimits.copies).optional(),
  replyToMessageId: id.optional(),
  /** How long `DELETE` can withdraw the reply before it is sent. */
  delaySeconds: z
    .number()
    .int()
    .min(0)
    .max(60)
    .optional()
    .meta({ description: 'The reply is sent after this delay and can be withdrawn until then.' }),
  sendAt: timestampInput.optional().meta({
    description:
      `When the reply is sent, up to ${scheduleDaysMax} days ahead. It can be changed and withdrawn until then. A message of the lead ` +
      'that arrives before holds it.',
  }),
  seenMessageId: id.optional().meta({
    description: 'The newest message that the writer saw. The response is 409 if a person has replied after it.',
  }),
  attachments: z.array(attachment).max(replyLimits.files).optional(),
}

interface ReplyToCheck {
  text?: string | undefined
  html?: string | undefined
  cc?: string[] | undefined
  bcc?: string[] | undefined
  delaySeconds?: number | undefined
  sendAt?: string | undefined
  attachments?: { content: string }[] | undefined
  draftId?: string | undefined
  draftDigest?: string | undefined
}

function checkReply(body: ReplyToCheck, context: z.RefinementCtx): void {
  const add = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (body.sendAt !== undefined && body.delaySeconds !== undefined)
    add('sendAt', 'Send `sendAt` or `delaySeconds`, not both.')
  if (body.text === undefined && body.html === undefined && body.draftId === undefined)
    add('text', 'Send text or html.')
  if ((body.cc?.length ?? 0) + (body.bcc?.length ?? 0) > replyLimits.copies)
    add('cc', `\`cc\` and \`bcc\` have ${replyLimits.copies} addresses together at most.`)
  const bytes = (body.attachments ?? []).reduce((sum, one) => sum + (one.content.length * 3) / 4, 0)
  if (bytes > replyLimits.filesBytes) add('attachments', 'Attachments can have 10 MB together at most.')
  if ((body.draftId === undefined) !== (body.draftDigest === undefined))
    add(body.draftId === undefined ? 'draftId' : 'draftDigest', 'Send draftId and draftDigest together.')
}

/** A person's reply, with 10 MB of attachments at most. */
export const replyInput = z.strictObject(replyFields).superRefine(checkReply).meta({ id: 'ReplyInput' })

/** A reply in a conversation, which may have a draft. */
export const conversationReplyInput = z
  .strictObject({
    ...replyFields,
    draftId: id.optional().meta({
      description: 'The draft that the reply was made from. Without `text` and `html`, exactly its text is sent.',
    }),
    draftDigest: z
      .string()
      .regex(/^[\da-f]{64}$/, 'A digest has 64 hexadecimal digits.')
      .optional()
      .meta({
        description:
          '`textDigest` of the draft that was read. If the draft has changed or is outdated, nothing is sent (409).',
      }),
  })
  .superRefine(checkReply)
  .meta({ id: 'ConversationReplyInput' })

/** A change of a scheduled reply. Fields that are not sent stay. */
export const updateReplyInput = z
  .strictObject({
    text: z.string().min(1).max(500_000).optional(),
    html: z.string().min(1).max(1_000_000).optional(),
    sendAt: timestampInput.optional(),
    held: z
      .literal(false)
      .optional()
      .meta({ description: 'Lets a held reply be sent at its time, or now if that is over.' }),
  })
  .refine((body) => Object.values(body).some((change) => change !== undefined), {
    message: 'Send text, html, sendAt or held.',
    path: ['text'],
  })
  .meta({ id: 'UpdateReplyInput' })
export type UpdateReplyInput = z.output<typeof updateReplyInput>

export type ReplyInput = z.output<typeof replyInput>
