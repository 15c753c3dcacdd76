import type { SetAsideReason } from '../mime/mime-limits.ts'
import type { AttachmentReading, ReadMessage } from './read-message.ts'

/** Why a message is set aside: beyond the reader's bounds, or what became of the thread that tried. */
export type NotReadReason = SetAsideReason | 'too_slow' | 'out_of_memory' | 'reader_failed'

export type MailReading = { outcome: 'read'; message: ReadMessage } | { outcome: 'set_aside'; reason: NotReadReason }

export type FileReading = AttachmentReading | { outcome: 'set_aside'; reason: NotReadReason }

/** Reads what strangers send. Throws where nothing can be read now, which says nothing about the message. */
export interface MailReader {
  read(raw: Uint8Array): Promise<MailReading>
}

/** Takes files out of what strangers sent; throws as a `MailReader` does. */
export interface AttachmentReader {
  /** The file of this number, from 1. */
  readAttachment(raw: Uint8Array, n: number): Promise<FileReading>
}
