import { AppError, notFound } from '@overture/contract/errors.ts'
import type { KeyedSemaphore } from '@overture/ground/keyed-semaphore.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { AttachmentReader } from '../reading/mail-reader.ts'
import { type FileKey, findRaw, findWaitingFile, type FoundFile } from './attachments.sql.ts'

/** The total bytes of all messages from which files are extracted at the same time. */
export const bytesUnderWayMax = 64 * 1024 * 1024

interface AttachmentToTake {
  key: FileKey
  file: FoundFile
  reader: AttachmentReader
  budget: KeyedSemaphore
}

/** Extracts a file from its message in a separate thread. Throws 409 if the file was not stored. */
export async function readAttachmentContent(
  db: Executor,
  tenant: Tenant,
  { key, file, reader, budget }: AttachmentToTake,
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
