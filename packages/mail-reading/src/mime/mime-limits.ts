/** The limits for reading one message. */
export const mimeLimits = {
  /** The rest of a longer message is not read, because texts and reports come before attachments. */
  totalBytes: 24 * 1024 * 1024,
  headerBytes: 256 * 1024,
  headerCount: 2_000,
  depth: 40,
  parts: 1_000,
  addresses: 2_000,
  /** The limit of one text part. */
  textBytes: 2 * 1024 * 1024,
}

export type SetAsideReason = 'empty' | 'header_too_large' | 'too_deep' | 'too_many_parts' | 'too_many_addresses'

/** Thrown inside the reader. `parseMime` and `readMail` return it as a value. */
export class SetAside extends Error {
  readonly reason: SetAsideReason
  constructor(reason: SetAsideReason) {
    super(reason)
    this.reason = reason
  }
}
