import { withoutLinkTokens } from '@overture/ground/text/link-tokens.ts'
import { replySubject } from '@overture/ground/text/reply-subject.ts'

interface Address {
  email: string
  name: string | null
}

interface OriginalMessage {
  from: Address | null
  to: readonly Address[]
  at: Date | null
  subject: string
  text: string | null
  quotedText: string | null
}

const removed = '[link removed]'
// Our links without their tokens. They lead nowhere, and must not look like links that work.
const deadLink = /https?:\/\/[^\s<>"')\]]{1,500}\/hidden\b[^\s<>"')\]]{0,500}/gi
const prefix = /^(?:fwd?|wg|tr|rv|i)\s?:/i
const subjectLengthMax = 900
const lineMax = 1_000

/** The subject with a single `Fwd: `, without prefixes of replies and earlier forwards. */
export function forwardSubject(subject: string): string {
  let bare = replySubject(subject).slice('Re: '.length)
  for (let count = 0; count < 10 && prefix.test(bare); count++) bare = bare.replace(prefix, '').trim()
  return withoutOurLinks(`Fwd: ${bare}`).slice(0, subjectLengthMax)
}

/**
 * The text of a forward: what the user wrote, then the original with its headers. The links that act for the lead are removed,
 * because a stranger must not opt the lead out, or click in its name.
 */
export function forwardText(original: OriginalMessage, written: string | null, leftOut: readonly string[]): string {
  const head = [
    '---------- Forwarded message ----------',
    `From: ${original.from === null ? '' : addressText(original.from)}`,
    `Date: ${original.at === null ? '' : original.at.toUTCString()}`,
    `Subject: ${oneLine(original.subject)}`,
    `To: ${original.to.map(addressText).join(', ')}`,
    ...leftOut.map((name) => `File not included, because it was too large to store: ${oneLine(name)}`),
  ]
  const body = [original.text, original.quotedText].filter((part) => part !== null && part !== '').join('\n\n')
  const forwarded = withoutOurLinks(`${head.join('\n')}\n\n${body}`)
  return written === null || written.trim() === '' ? forwarded : `${written.trim()}\n\n${forwarded}`
}

/** Removes the links of our mail from a text. */
function withoutOurLinks(text: string): string {
  return withoutLinkTokens(text).replaceAll(deadLink, removed)
}

function addressText({ email, name }: Address): string {
  return oneLine(name === null || name === '' ? email : `${name} <${email}>`)
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, lineMax)
}
