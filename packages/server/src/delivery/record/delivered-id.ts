/** Microsoft names the Message-ID of the message, which often differs from ours. */
const microsoftAnswer = /^250[ -]2\.0\.0 OK <([^<>\s@]{1,500}@[^<>\s@]{1,255})> \[Hostname=/
/** Amazon SES names its own id of the message, which is the left side of the new Message-ID. */
const sesAnswer = /^250 (?:2\.0\.0 )?Ok ([\da-f]{16}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}-\d{6})\s*$/i
const sesHost = /^email-smtp(?:-fips)?\.([a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2})\.amazonaws\.com$/i
/** The only region that Amazon SES does not name in its Message-IDs. */
const sesFirstRegion = 'us-east-1'

/**
 * Reads the Message-ID that the recipient sees from the reply of the server, with its angle brackets. Returns null if the
 * server named none or kept ours. Source: docs/mailboxes.md, "Message-IDs that change".
 */
export function deliveredIdOf(
  answer: string,
  { own, smtpHost }: { own: string; smtpHost: string | null },
): string | null {
  const told = microsoftAnswer.exec(answer)?.[1] ?? sesIdOf(answer, smtpHost)
  if (told === null || own === `<${told}>`) return null
  return `<${told}>`
}

function sesIdOf(answer: string, smtpHost: string | null): string | null {
  const region = sesHost.exec(smtpHost ?? '')?.[1]?.toLowerCase()
  const id = sesAnswer.exec(answer)?.[1]
  if (region === undefined || id === undefined) return null
  return `${id}@${region === sesFirstRegion ? 'email' : region}.amazonses.com`
}
