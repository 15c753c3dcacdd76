import type { FoundAttachment } from '../mime/attachments.ts'

/** The name that both RFCs give to the file: receiver, domain, begin, end, and perhaps an id. */
const reportName =
  /^[^!/\s]{1,255}![^!/\s]{1,255}!\d{1,11}!\d{1,11}(?:![^!/\s]{1,200})?\.(?:xml|xml\.gz|xml\.zip|gz|zip)$/i
/** The subject of such a message (RFC 9990 and RFC 7489, 7.2.1.1). */
const reportSubject = /^\s{0,9}(?:\[[^\]]{1,30}\]\s{0,9})?report\s{1,9}domain:\s{0,9}\S{1,255}\s/i
const fileName = /\.(?:xml|gz|zip)$/i
const fileTypes: ReadonlySet<string> = new Set([
  'application/gzip',
  'application/x-gzip',
  'application/zip',
  'application/x-zip',
  'application/x-zip-compressed',
  'application/octet-stream',
  'application/xml',
  'text/xml',
])

/**
 * The number of the attachment that is an aggregate report by its name or by the subject of the message, counted from 1. Null if
 * the message carries none.
 */
export function findReportFile(mail: { subject: string; attachments: readonly FoundAttachment[] }): number | null {
  const files = mail.attachments.map((file, at) => ({ ...file, n: at + 1 }))
  const packed = files.filter(({ contentType }) => fileTypes.has(contentType))
  const named = packed.find(({ filename }) => reportName.test(filename))
  if (named !== undefined) return named.n
  if (!reportSubject.test(mail.subject)) return null
  return packed.find(({ filename }) => fileName.test(filename))?.n ?? null
}
