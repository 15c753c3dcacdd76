import { z } from 'zod'
import { email, id, namedObject } from '../common.ts'

const attachmentsBytesMax = 10 * 1024 * 1024
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
  content: z.base64().max(Math.ceil((attachmentsBytesMax * 4) / 3) + 4),
})

/** The largest number of recipients in Cc and Bcc together. */
const copiesMax = 10

/** A person's reply, with 10 MB of attachments at most. */
export const replyInput = z
  .strictObject({
    text: z.string().min(1).max(500_000).optional(),
    html: z.string().min(1).max(1_000_000).optional(),
    cc: z.array(email).max(copiesMax).optional(),
    bcc: z.array(email).max(copiesMax).optional(),
    replyToMessageId: id.optional(),
    /** How long `DELETE` can withdraw the reply before it is sent. */
    delaySeconds: z
      .number()
      .int()
      .min(0)
      .max(60)
      .optional()
      .meta({ description: 'The reply is sent after this delay and can be withdrawn until then.' }),
    attachments: z.array(attachment).max(20).optional(),
  })
  .refine((body) => body.text !== undefined || body.html !== undefined, {
    message: 'Send text or html.',
    path: ['text'],
  })
  .refine((body) => (body.cc?.length ?? 0) + (body.bcc?.length ?? 0) <= copiesMax, {
    message: `\`cc\` and \`bcc\` have ${copiesMax} addresses together at most.`,
    path: ['cc'],
  })
  .refine(
    (body) =>
      (body.attachments ?? []).reduce((sum, one) => sum + (one.content.length * 3) / 4, 0) <= attachmentsBytesMax,
    {
      message: 'Attachments can have 10 MB together at most.',
      path: ['attachments'],
    },
  )
  .meta({ id: 'ReplyInput' })
export type ReplyInput = z.output<typeof replyInput>
