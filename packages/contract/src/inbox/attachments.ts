import { z } from 'zod'
import { namedObject } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** A file of a message in a list. Source: docs/contract.md, "Leads". */
export const attachment = namedObject('Attachment', {
  n: z.number().int().meta({ description: 'Its number in the message, from 1: what it is fetched by.' }),
  filename: z.string(),
  contentType: z.string().meta({ description: 'The name given by the sender.' }),
  size: z
    .number()
    .int()
    .nullable()
    .meta({ description: "In bytes. Null if the file was too large to store and can't be downloaded." }),
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
      'Returns the bytes of one file of a message. The type is `application/octet-stream`, except for PDF, plain text, CSV ' +
      'and common images, with a cleaned name in `Content-Disposition`. The content is not scanned. The response is 409 for a file ' +
      'whose `size` is null.',
    success: [200],
    output: z.unknown().meta({ type: 'string', format: 'binary' }),
    outputType: 'application/octet-stream',
    errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  }),
}
