import { Readable } from 'node:stream'
import { notFound } from '@overture/contract/errors.ts'
import { attachmentEndpoints } from '@overture/contract/inbox/attachments.ts'
import { KeyedSemaphore } from '@overture/ground/keyed-semaphore.ts'
import { query, type RequestContext, type Route } from '../../platform/http/route.ts'
import { cleanFilename, contentDisposition } from '@overture/mail-reading/mime/filename.ts'
import type { AttachmentReader } from '../reading/mail-reader.ts'
import { attachmentNumber, toldType, withoutLinkTokensIn } from './attachment.ts'
import { bytesUnderWayMax, readAttachmentContent } from './attachment-content.shell.ts'
import { findFile, type FoundFile } from './attachments.sql.ts'

/** Files of messages. They are extracted in separate threads, and served to be saved, never to be run. */
export function attachmentRoutes(reader: AttachmentReader): Route[] {
  const budget = new KeyedSemaphore({ permits: () => bytesUnderWayMax })
  return [
    query(attachmentEndpoints.getMessageAttachment, async (context, { params }) => {
      const n = attachmentNumber(params.n)
      if (n === null) throw notFound()
      const key = { messageId: params.id, n }
      const file = await findFile(context.app.db, context.tenant, key)
      if (file === null) throw notFound()
      const stored = await readAttachmentContent(context.app.db, context.tenant, { key, file, reader, budget })
      const content = withoutLinkTokensIn(stored, file.contentType)
      tellFile(context, file, content.byteLength)
      return Readable.from([content])
    }),
  ]
}

// If a browser opens the file anyway, it gets no origin, no scripts and nothing to load.
function tellFile(context: RequestContext, file: FoundFile, bytes: number): void {
  context.setHeader('content-type', toldType(file.contentType))
  context.setHeader('content-length', String(bytes))
  context.setHeader('content-disposition', contentDisposition(cleanFilename(file.filename) || 'attachment'))
  context.setHeader('content-security-policy', "sandbox; default-src 'none'")
  context.setHeader('x-content-type-options', 'nosniff')
}
