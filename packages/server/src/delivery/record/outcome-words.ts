import { anyOf, sequence } from '@overture/ground/text/patterns.ts'

/** A limit of the recipient's mailbox, which must not hold the sender. */
export const recipientLimitText = anyOf(
  [
    /mailbox (?:is )?full/,
    /over ?quota/,
    /(?:user|recipient|mailbox)[^.]{0,40}(?:quota|storage)/,
    'is receiving mail',
    /insufficient (?:system )?storage/,
  ],
  'i',
)

/** A limit of the sender: the provider accepts nothing more from it for a while. */
export const sendingLimitText = anyOf(
  [
    /daily (?:user |account )?(?:sending|mail|message|e-?mail|submission|relay)s? ?(?:quota|limit)/,
    sequence([
      ['sending', 'send', 'outgoing', 'outbound', 'submission', 'hourly', 'daily', 'mail sending'],
      / (?:rate |message |mail |e-?mail )?(?:quota|limit)s? ?/,
      /(?:is |was |has been |have been )?(?:exceeded|reached)?/,
    ]),
    sequence([
      ['exceeded', 'reached', 'over'],
      /[^.]{0,60}/,
      [
        'sending',
        'outgoing',
        'outbound',
        /per[- ](?:day|hour|minute)/,
        /(?:messages|e-?mails) (?:a|an|per|\/) ?(?:day|hour|minute)/,
      ],
    ]),
    'message rate limit',
    'rate limit exceeded',
    'too many messages',
    /limit of (?:messages|e-?mails)/,
    /max(?:imum)? (?:number of )?(?:messages|e-?mails|recipients)[^.]{0,40}(?:exceeded|reached|per)/,
  ],
  'i',
)

export const greylistText = /gr[ae]y-?list/i

/** Servers that greylist without saying so answer `451 4.7.1 Try again later`. */
export const laterText = anyOf([/try again (?:later|in)/, /come back (?:later|in)/], 'i')

/** The server accepts mail only from authenticated clients. */
export const loginText = anyOf(
  [
    /authentication (?:is )?required/,
    /must (?:be )?authenticat/,
    /relay(?:ing)? (?:access )?(?:is )?(?:denied|not (?:permitted|allowed))/,
  ],
  'i',
)

/** Refused because of the content or the sender's reputation. */
export const blockText = anyOf(
  [
    'spam',
    /black-?list/,
    /block-?list/,
    /\b(?:dns|rh|s)?bl\b/,
    /\brbl\b/,
    'spamhaus',
    'barracuda',
    'reputation',
    /\bdmarc\b/,
    /\bdkim\b/,
    /\bspf\b/,
    /\bpolicy\b/,
    'unsolicited',
    'virus',
    'malware',
    'phish',
    'is blocked',
    'been blocked',
    /blocked (?:by|using|for)/,
    /content (?:rejected|denied)/,
    /message (?:content )?rejected/,
    'banned',
    'suspicious',
  ],
  'i',
)

/** A temporary refusal, because the mailbox is full. */
export const fullText = anyOf(
  [
    /mailbox (?:is )?full/,
    /over ?quota/,
    /quota (?:is )?exceeded/,
    /exceeded (?:its |the )?(?:storage|quota)/,
    /out of (?:storage|space)/,
    /insufficient (?:system |disk )?storage/,
    /too (?:large|big)/,
    /exceeds? (?:the )?(?:maximum )?(?:message )?size/,
  ],
  'i',
)

/** A permanent refusal, because the address doesn't work. */
export const hardText = anyOf(
  [
    sequence([
      ['user', 'recipient', 'mailbox', 'account', 'address', 'alias'],
      /[^.]{0,60}/,
      [
        'unknown',
        'not found',
        /does(?: not|n't) exist/,
        'not exist',
        'disabled',
        'inactive',
        'deactivated',
        'suspended',
        'unavailable',
        'invalid',
        'no longer',
        'not known',
        'not listed',
        'undeliverable',
      ],
    ]),
    sequence([
      ['unknown', 'no such', 'invalid', 'bad', /non-?existent/],
      / (?:local )?/,
      ['user', 'recipient', 'mailbox', 'account', 'address', 'destination', 'domain', 'host'],
    ]),
    'no mailbox',
    /(?:domain|host)[^.]{0,40}(?:not found|unknown|does(?: not|n't) exist)/,
    /unroutea?ble/,
    'user has moved',
    /no longer (?:works|with|at|employed|in use|active|valid)/,
    'does not accept mail',
    /null ?mx/,
    'not our customer',
  ],
  'i',
)
