import { z } from 'zod'
import { email, id, namedObject } from '../common.ts'
import { replyLimits } from './reply-limits.ts'

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

/** A person's reply, with 10 MB of attachments at most. */
export const replyInput = z
  .strictObject({
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
    attachments: z.array(attachment).max(replyLimits.files).optional(),
  })
  .refine((body) => body.text !== undefined || body.html !== undefined, {
    message: 'Send text or html.',
    path: ['text'],
  })
  .refine((body) => (body.cc?.length ?? 0) + (body.bcc?.length ?? 0) <= replyLimits.copies, {
    message: `\`cc\` and \`bcc\` have ${replyLimits.copies} addresses together at most.`,
    path: ['cc'],
  })
  .refine(
    (body) =>
      (body.attachments ?? []).reduce((sum, one) => sum + (one.content.length * 3) / 4, 0) <= replyLimits.filesBytes,
    {
      message: 'Attachments can have 10 MB together at most.',
      path: ['attachments'],
    },
  )
  .meta({ id: 'ReplyInput' })
export type ReplyInput = z.output<typeof replyInput>
