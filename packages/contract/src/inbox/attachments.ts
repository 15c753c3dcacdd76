import { z } from 'zod'
import { namedObject } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** A file of a message in a list. Source: docs/contract.md, "Leads". */
export const attachment = namedObject('Attachment', {
  n: z.number().int().meta({ description: 'Its number in the message, from 1: what it is fetched by.' }),
  filename: z.string(),
  contentType: z.string().meta({ description: 'As its sender calls it.' }),
  size: z
    .number()
    .int()
    .nullable()
    .meta({ description: "In bytes. Null: it was too large to be kept, and can't be fetched." }),
})
export type Attachment = z.infer<typeof attachment>

export const attachmentEndpoints = {
  getMessageAttachment: endpoint({
    operationId: 'getMessageAttachment',
    call: 'messages.attachment',
    method: 'GET',
    path: '/v2/messages/:id/attachments/:n',
    environment: 'both',
    scope: 'read',
    tag: 'Conversations',
    summary: 'Download an attachment',
    description:
      'The bytes of one file of a message, to be saved: they come as `application/octet-stream`, but for PDF, plain text, CSV ' +
      'and common images, with a cleaned name in `Content-Disposition`. Nobody has looked at what is in them. 409 for a file ' +
      'whose `size` is null.',
    success: [200],
    output: z.unknown().meta({ type: 'string', format: 'binary' }),
    outputType: 'application/octet-stream',
    errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  }),
}
