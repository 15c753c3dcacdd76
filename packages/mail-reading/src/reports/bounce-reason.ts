import { anyOf, sequence } from '@overture/ground/text/patterns.ts'
import type { SmtpPhase } from './bounce-codes.ts'
import { bounceWordsLocal } from './bounce-words-local.ts'
import { bounceWords } from './bounce-words.ts'
import type { BounceReason } from './bounce-reasons.ts'
import { speaksOfSender, speaksOfSenderAlone } from './refusal-side.ts'
import type { Parties } from './refusal-side.ts'

export type { BounceReason } from './bounce-reasons.ts'

export type BounceType = 'hard' | 'soft' | 'block' | 'delayed'

interface ReasonInput {
  /** The answer of the refusing server, and the text that the reporting server adds. */
  text: string
  status: string | null
  smtpCode: number | null
  phase: SmtpPhase | null
  /** The names of the sender and of the recipient, which the text may mention. */
  parties: Parties
}

const textCharsMax = 6_000
/** The line that sendmail adds to every refusal. */
const sendmailVerdict = '554 5.0.0 service unavailable'

/** Decides by the words first, because codes are often wrong, then by the enhanced status, then by the SMTP code. */
export function findBounceReason(input: ReasonInput): BounceReason {
  const text = input.text.slice(0, textCharsMax).toLowerCase().replace(/\s+/g, ' ').replaceAll(sendmailVerdict, '')
  const found = wordsIn(text)
  if (found === null) return reasonOfStatus(input.status) ?? reasonOfCode(input, text)
  const { reason, at } = found
  if (aboutSomebody.has(reason) && refusesSender(input, text, found)) return 'rejected'
  if (reason === 'userunknown') return unknownUser(input, text)
  if (reason === 'refused') return reasonOfRefusal(input, text, at)
  return reason === 'rejected' && input.status?.startsWith('5.1.1') === true ? 'userunknown' : reason
}

/** Reasons that blame the recipient's address or domain, unless the text speaks of the sender. */
const aboutSomebody: ReadonlySet<FoundReason> = new Set(['userunknown', 'hostunknown', 'notaccept'])

function refusesSender(input: ReasonInput, text: string, { reason, at }: FoundWords): boolean {
  const { status, phase } = input
  if (status !== null && /^[45]\.1\.[78]$/.test(status)) return true
  if (phase === 'mail' || (phase === 'connect' && reason !== 'notaccept')) return true
  // A server that accepted the recipient knows its domain, and a policy status is never about a missing domain.
  if (reason !== 'userunknown' && (phase === 'data' || phase === 'text' || /^[45]\.7\./.test(status ?? ''))) return true
  return speaksOfSender(text, at, input.parties)
}

// A refusal that gives no reason in words. A status about the address gives the reason.
function reasonOfRefusal(input: ReasonInput, text: string, at: number): BounceReason {
  const ofAddress = /^5\.1\.(?:[0123]|10)$/.test(input.status ?? '') && ofRecipient.test(text)
  if (!ofAddress || input.phase === 'mail' || speaksOfSender(text, at, input.parties)) return 'blocked'
  return reasonOfStatus(input.status) ?? 'blocked'
}

// RFC 5321: 450 means a mailbox that exists but is busy or locked. A failed lookup says nothing about the mailbox either.
function isOutage({ status, smtpCode }: ReasonInput, text: string): boolean {
  const transient = status === null ? smtpCode !== null && smtpCode < 500 : status.startsWith('4')
  return transient && (onlyUnavailable(text) || outageWords.test(text))
}

const outageWords =
  /\b(?:look-?up|table|database|directory|ldap|map|backend|service)\b[^.;]{0,40}(?:fail|unavailable|not available|error|timed? ?out)/

function onlyUnavailable(text: string): boolean {
  return (
    /unavailable/.test(text) &&
    !/unknown|no such|(?:not?|n't) (?:be )?(?:found|exist|known|valid)|does not exist|invalid/.test(text)
  )
}

/**
 * The consequence of a reason for the recipient. Source: docs/delivery.md, "Retries, bounces, breakers". A disabled mailbox
 * (RFC 3463, X.2.1) exists and may come back, so it is hard only if the words say that it is closed permanently.
 */
export function bounceType(reason: BounceReason, status: string | null, text: string): Exclude<BounceType, 'delayed'> {
  const transient = status?.startsWith('4') === true
  if (reason === 'userunknown' || reason === 'hasmoved') return 'hard'
  if (reason === 'hostunknown' || reason === 'notaccept') return transient ? 'soft' : 'hard'
  if (reason === 'suspend') return !transient && closedForGood.test(text.slice(0, 6_000)) ? 'hard' : 'soft'
  return blocks.has(reason) ? 'block' : 'soft'
}

const closedForGood = anyOf(
  [
    /discontinued|terminated|deleted|permanently|account (?:is |was |has been )?closed/,
    /mailbox (?:is |was |has been )?closed|no longer (?:active|in use|valid|exists?|available)|has left/,
  ],
  'i',
)
const blocks: ReadonlySet<BounceReason> = new Set([
  'filtered',
  'rejected',
  'blocked',
  'badreputation',
  'spamdetected',
  'virusdetected',
  'policyviolation',
  'securityerror',
  'authfailure',
  'requireptr',
  'norelaying',
  'notcompliantrfc',
  'contenterror',
  'failedstarttls',
])

/** The standard status of a reason (RFC 3463), for reports without a status. */
export function statusFor(reason: BounceReason, permanent: boolean): string {
  return `${permanent ? 5 : 4}.${subjectAndDetail[reason] ?? '0.0'}`
}

const subjectAndDetail: Partial<Record<BounceReason, string>> = {
  userunknown: '1.1',
  hostunknown: '1.2',
  hasmoved: '1.6',
  notaccept: '3.2',
  suspend: '2.1',
  mailboxfull: '2.2',
  filtered: '2.0',
  rejected: '1.8',
  blocked: '7.1',
  badreputation: '7.1',
  spamdetected: '7.1',
  virusdetected: '7.1',
  policyviolation: '7.1',
  securityerror: '7.0',
  authfailure: '7.26',
  requireptr: '7.25',
  norelaying: '7.1',
  notcompliantrfc: '5.0',
  contenterror: '6.0',
  mesgtoobig: '3.4',
  exceedlimit: '2.3',
  toomanyconn: '3.2',
  ratelimited: '7.28',
  expired: '4.7',
  networkerror: '4.1',
  systemerror: '3.0',
  systemfull: '3.1',
  mailererror: '3.0',
  syntaxerror: '5.2',
  failedstarttls: '7.10',
}

// A refusal after the message's text may be a filter's wording for "not you". Then the address is not suppressed, unless the
// status or the words clearly say that the user is unknown.
function unknownUser(input: ReasonInput, text: string): BounceReason {
  const { status, phase } = input
  if (isOutage(input, text)) return 'systemerror'
  if (status !== null && /^[45]\.1\.(?:[013]|10|11|35[01])$/.test(status)) return 'userunknown'
  if (status === '5.2.1' && phase !== 'rcpt' && onlyUnavailable(text)) return 'suspend'
  return phase === 'text' && !noAccount.test(text) ? 'filtered' : 'userunknown'
}

/** Yahoo checks the account only after the message's text. */
const noAccount = /doesn't have an? (?:[\w.]{1,40} )?account|there is no account/

type FoundReason = BounceReason | 'refused'

interface FoundWords {
  reason: FoundReason
  /** Where the words end. Their subject may be in an earlier line. */
  at: number
}

function wordsIn(text: string): FoundWords | null {
  const straight = text.replaceAll('’', "'")
  return firstMatch(bounceWords, text) ?? firstMatch(bounceWordsLocal, straight) ?? firstMatch(lastWords, text)
}

const lastWords: readonly [FoundReason, RegExp][] = [
  ['refused', /\brejected\b|\brefused\b|\bblocked\b|\bdenied\b/],
  ['onhold', /on hold/],
]

function firstMatch(table: readonly [FoundReason, RegExp][], text: string): FoundWords | null {
  for (const [reason, pattern] of table) {
    const match = pattern.exec(text)
    if (match !== null) return { reason, at: Math.max(0, match.index + match[0].length - 1) }
  }
  return null
}

const byStatus: readonly [RegExp, BounceReason][] = [
  [/^5\.1\.[13]$/, 'userunknown'],
  [/^4\.1\.[13]$/, 'systemerror'],
  [/^[45]\.1\.2$/, 'hostunknown'],
  [/^5\.1\.6$/, 'hasmoved'],
  [/^[45]\.1\.[78]$/, 'rejected'],
  [/^5\.1\.10$/, 'notaccept'],
  [/^5\.1\.0$/, 'userunknown'],
  [/^5\.2\.0$/, 'filtered'],
  [/^4\.2\.[01]$/, 'systemerror'],
  [/^5\.2\.1$/, 'suspend'],
  [/^[45]\.2\.2$/, 'mailboxfull'],
  [/^[45]\.2\.3$/, 'exceedlimit'],
  [/^[45]\.3\.1$/, 'systemfull'],
  [/^5\.3\.2$/, 'notaccept'],
  [/^[45]\.3\.4$/, 'mesgtoobig'],
  [/^[45]\.3\.\d+$/, 'systemerror'],
  [/^[45]\.4\.[17]$/, 'expired'],
  [/^4\.4\.[02]$/, 'networkerror'],
  [/^5\.4\.4$/, 'hostunknown'],
  [/^[45]\.4\.(?:310|312|317)$/, 'hostunknown'],
  [/^[45]\.4\.\d+$/, 'networkerror'],
  [/^[45]\.5\.3$/, 'toomanyconn'],
  [/^[45]\.5\.2$/, 'syntaxerror'],
  [/^[45]\.6\.\d+$/, 'contenterror'],
  [/^5\.7\.13$/, 'suspend'],
  [/^[45]\.7\.25$/, 'requireptr'],
  [/^[45]\.7\.(?:20|21|22|23|24|26|27|509)$/, 'authfailure'],
  [/^5\.7\.(?:6[0-4]\d|51[0-3])$/, 'blocked'],
  [/^[45]\.7\.28$/, 'ratelimited'],
  [/^[45]\.7\.\d+$/, 'securityerror'],
]

function reasonOfStatus(status: string | null): BounceReason | null {
  return status === null ? null : (byStatus.find(([pattern]) => pattern.test(status))?.[1] ?? null)
}

// For refusals at RCPT in words that no rule knows: whether the words are about the sender or the recipient.
const ofSender = sequence([
  /\b/,
  [
    /senders?|from:|from your|your (?!recipient|e-?mail was not delivered)|ips?|hostname|client/,
    /connect\w*|access|(?:dis)?allow\w*|verif\w+|authentica\w+|permi(?:t|ssion)\w*|expéditeur/,
    /absender|remitente|mittente|remetente/,
  ],
  /\b/,
])
const ofRecipient =
  /\b(?:user|recipient|mailbox|address|account|alias|rcpt|destinat\w+|empf\w+|utilisateur|usuario|utente|benutzer|postfach)\b/

const answerCharsMax = 300

// A notice mentions many names, so only the answer that it quotes counts.
function answerIn(text: string, smtpCode: number | null): string {
  const at = smtpCode === null ? -1 : text.search(new RegExp(`(?<!\\d)${smtpCode}(?!\\d)`))
  return at === -1 ? text.slice(0, answerCharsMax) : text.slice(at, at + answerCharsMax)
}

function reasonOfCode({ smtpCode, phase, status }: ReasonInput, text: string): BounceReason {
  const answer = answerIn(text, smtpCode)
  const ofUs = speaksOfSenderAlone(answer)
  if (smtpCode === 552) return 'mailboxfull'
  if (smtpCode === 556) return 'notaccept'
  if (smtpCode === 551) return 'hasmoved'
  if (smtpCode === 550 && phase === 'rcpt')
    return ofUs || (ofSender.test(answer) && !ofRecipient.test(answer)) ? 'filtered' : 'userunknown'
  if (ofUs && smtpCode !== null && smtpCode >= 500) return 'rejected'
  // A filter refused the content or the sender, without words.
  if (smtpCode !== null && smtpCode >= 550 && (phase === 'data' || phase === 'text')) return 'policyviolation'
  if (smtpCode !== null && smtpCode >= 550 && phase === 'connect') return 'blocked'
  if (smtpCode === 421 || smtpCode === 451) return 'systemerror'
  return status === null && smtpCode === null ? 'onhold' : 'undefined'
}
