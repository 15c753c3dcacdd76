import type { SetAsideReason } from '../mime/mime-limits.ts'
import type { ReadMessage } from './read-message.ts'

/** Why a message is set aside: beyond the reader's bounds, or what became of the thread that tried. */
export type NotReadReason = SetAsideReason | 'too_slow' | 'out_of_memory' | 'reader_failed'

export type MailReading = { outcome: 'read'; message: ReadMessage } | { outcome: 'set_aside'; reason: NotReadReason }

/** Reads what strangers send. Throws where nothing can be read now, which says nothing about the message. */
export interface MailReader {
  read(raw: Uint8Array): Promise<MailReading>
}
