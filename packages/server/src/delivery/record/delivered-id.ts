/** Microsoft reports the Message-ID of the message, which often differs from ours. */
const microsoftAnswer = /^250[ -]2\.0\.0 OK <([^<>\s@]{1,500}@[^<>\s@]{1,255})> \[Hostname=/
/** Amazon SES reports its own id of the message, which is the left side of the new Message-ID. */
const sesAnswer = /^250 (?:2\.0\.0 )?Ok ([\da-f]{16}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}-\d{6})\s*$/i
const sesHost = /^email-smtp(?:-fips)?\.([a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2})\.amazonaws\.com$/i
/** The only region that Amazon SES leaves out of its Message-IDs. */
const sesFirstRegion = 'us-east-1'

/**
 * Reads the Message-ID that the recipient sees from the reply of the server, with its angle brackets. Returns null if the
 * server named none or kept ours. Source: docs/mailboxes.md, "Message-IDs that change".
 */
export function parseDeliveredId(
  answer: string,
  { own, smtpHost }: { own: string; smtpHost: string | null },
): string | null {
  const reportedId = microsoftAnswer.exec(answer)?.[1] ?? parseSesId(answer, smtpHost)
  return reportedId === null ? null : findReplacingId(`<${reportedId}>`, own)
}

/** Printable ASCII that is not one of our ids. Otherwise a server could name another of our messages and get its replies assigned. */
const replacingId = /^<(?!msg_)[!-;=?A-~]{1,500}@[!-;=?A-~]{1,255}>$/

/** Returns a Message-ID that replaced our Message-ID. Returns null if both are equal or if it can't be a Message-ID. */
export function findReplacingId(seen: string, own: string): string | null {
  return seen !== own && replacingId.test(seen) ? seen : null
}

function parseSesId(answer: string, smtpHost: string | null): string | null {
  const region = sesHost.exec(smtpHost ?? '')?.[1]?.toLowerCase()
  const id = sesAnswer.exec(answer)?.[1]
  if (region === undefined || id === undefined) return null
  return `${id}@${region === sesFirstRegion ? 'email' : region}.amazonses.com`
}
