import type { SetAsideReason } from '@overture/mail-reading/mime/mime-limits.ts'
import type { ReceivedAt, ReceivedTestReading } from '@overture/mail-reading/placement/received-test.ts'
import type {
  AttachmentReading,
  CalendarReading,
  ReadMessage,
  ReportFileReading,
} from '@overture/mail-reading/reading/read-message.ts'

/** Why a message is set aside: it exceeds the reader's limits, or the thread that read it failed. */
export type NotReadReason = SetAsideReason | 'too_slow' | 'out_of_memory' | 'reader_failed'

export type MailReading = { outcome: 'read'; message: ReadMessage } | { outcome: 'set_aside'; reason: NotReadReason }

export type FileReading = AttachmentReading | { outcome: 'set_aside'; reason: NotReadReason }

export type PublishedCalendarReading = CalendarReading | { outcome: 'set_aside'; reason: NotReadReason }

/** Reads messages of strangers. Throws if nothing can be read now, which says nothing about the message. */
export interface MailReader {
  read(raw: Uint8Array): Promise<MailReading>
}

/** Extracts files from messages of strangers. Throws like a `MailReader`. */
export interface AttachmentReader {
  /** Returns file number `n`, counted from 1. */
  readAttachment(raw: Uint8Array, n: number): Promise<FileReading>
}

export type TestReading = ReceivedTestReading | { outcome: 'set_aside'; reason: NotReadReason }

/** Reads the headers of placement tests as strangers' servers left them. Throws like a `MailReader`. */
export interface TestReader {
  readReceivedTest(raw: Uint8Array, at: ReceivedAt): Promise<TestReading>
}

export type ReportReading = ReportFileReading | { outcome: 'set_aside'; reason: NotReadReason }

/** Reads DMARC reports of strangers. Throws like a `MailReader`. */
export interface ReportReader {
  /** Reads the file itself, or file number `n` of a message, counted from 1. */
  readReport(raw: Uint8Array, options: { n: number | null; nowMs: number }): Promise<ReportReading>
}
