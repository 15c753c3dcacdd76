import { Readable } from 'node:stream'
import { AppError, notFound } from '@overture/contract/errors.ts'
import { attachmentEndpoints } from '@overture/contract/inbox/attachments.ts'
import { KeyedSemaphore } from '@overture/ground/keyed-semaphore.ts'
import { query, type RequestContext, type Route } from '../../platform/http/route.ts'
import { cleanFilename, contentDisposition } from '@overture/mail-reading/mime/filename.ts'
import type { AttachmentReader } from '../reading/mail-reader.ts'
import { attachmentNumber, toldType, withoutLinkTokensIn } from './attachment.ts'
import { type FileKey, findFile, findRaw, findWaitingFile, type FoundFile } from './attachments.sql.ts'

/** The total bytes of all messages from which files are extracted at the same time. */
const bytesUnderWayMax = 64 * 1024 * 1024

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
      const stored = await contentOf(context, key, { file, reader, budget })
      const content = withoutLinkTokensIn(stored, file.contentType)
      tellFile(context, file, content.byteLength)
      return Readable.from([content])
    }),
  ]
}

interface AttachmentToTake {
  file: FoundFile
  reader: AttachmentReader
  budget: KeyedSemaphore
}

async function contentOf(
  { app: { db }, tenant }: RequestContext,
  key: FileKey,
  { file, reader, budget }: AttachmentToTake,
): Promise<Uint8Array> {
  if (file.size === null) throw notKept('The file was too large to store.')
  if (file.rawBytes === null) return (await findWaitingFile(db, tenant, key)) ?? refuse(notFound())
  const bytes = Math.min(file.rawBytes, bytesUnderWayMax)
  const release = await budget.acquire('', bytes)
  try {
    const raw = (await findRaw(db, tenant, key.messageId)) ?? refuse(notFound())
    const reading = await reader.readAttachment(raw, key.n)
    if (reading.outcome === 'read') return reading.content
    throw reading.outcome === 'missing' ? notKept('The file is no longer in its message.') : notTaken()
  } finally {
    release()
  }
}

function refuse(error: AppError): never {
  throw error
}

function notKept(message: string): AppError {
  return new AppError('CONFLICT', message, { currentStatus: 'not_kept', allowedActions: [] })
}

function notTaken(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The file could not be read from its message.')
}

// If a browser opens the file anyway, it gets no origin, no scripts and nothing to load.
function tellFile(context: RequestContext, file: FoundFile, bytes: number): void {
  context.setHeader('content-type', toldType(file.contentType))
  context.setHeader('content-length', String(bytes))
  context.setHeader('content-disposition', contentDisposition(cleanFilename(file.filename) || 'attachment'))
  context.setHeader('content-security-policy', "sandbox; default-src 'none'")
  context.setHeader('x-content-type-options', 'nosniff')
}
