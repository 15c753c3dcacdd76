import type { DmarcReading, DmarcReport } from '@overture/mail-reading/dmarc/dmarc-report.ts'
import type { ReportRefusal } from './report-faults.ts'

/** The result of a thread that reads a report. `missing`: the message has no such file. `set_aside`: the thread was ended. */
export type ReportReading = DmarcReading | { outcome: 'missing' } | { outcome: 'set_aside'; reason: string }

/** Reads reports of strangers away from the event loop. Throws if nothing can be read now. */
export interface ReportReader {
  /** Reads a file, or file number `n` of a message. */
  readReport(raw: Uint8Array, options: { n: number | null; nowMs: number }): Promise<ReportReading>
}

type Judgement = { report: DmarcReport } | { refusal: ReportRefusal; field: string | null }

export function judgeReading(reading: ReportReading): Judgement {
  switch (reading.outcome) {
    case 'read':
      return { report: reading.report }
    case 'refused':
      return { refusal: reading.fault, field: reading.field }
    case 'missing':
      return { refusal: 'not_read', field: null }
    case 'set_aside':
      return { refusal: reading.reason === 'too_slow' ? 'too_slow' : 'not_read', field: null }
  }
}
