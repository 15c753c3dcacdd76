import { anyOf, sequence } from '@overture/ground/text/patterns.ts'
import type { BounceReason } from './bounce-reasons.ts'

/** Phrases of single servers that later rules would misread, and refusals because of the size. */
export const phraseWords: readonly [BounceReason, RegExp][] = [
  [
    'suspend',
    /(?:mailbox|account|user|address)[^.;]{0,60}(?:blocked|disabled|suspended|closed|frozen)[^.;]{0,20}inactiv/,
  ],
  [
    'filtered',
    anyOf([
      sequence([
        /\b(?:refused|rejected|declined|denied|blocked|turned away|not (?:accepted|delivered)) /,
        /(?:due to|because of|owing to|according to|by|per|under) (?:the |an? )?/,
        [
          /(?:recipient|user|addressee|customer|mailbox owner)(?:'s|s'|s)? (?:\w{1,12} ){0,2}/,
          /(?:\w{1,12} ){0,2}(?=(?:preferences?|settings?|rules?|filters?|wish|choice) of (?:the |this )?(?:recipient|user))/,
        ],
        /(?:preferences?|settings?|rules?|filters?|wish(?:es)?|choice|request|white-?list|block-?list)/,
      ]),
      sequence([
        /\b(?:preferences?|settings?|rules?|filters?) of (?:the |this |your )?/,
        [/recipient|user|addressee|customer|mailbox owner/],
      ]),
      sequence([
        /\b(?:recipient|user|addressee|customer|owner of (?:this|the) (?:mailbox|address)) /,
        /(?:\S{1,100} )?(?:has |have )?(?:chosen|decided|opted|asked|elected|requested|preferred)(?: not|,? that no)/,
      ]),
      sequence([
        /\b(?:recipient|user|addressee|customer) (?:\S{1,100} )?(?:has |have )?(?:blocked|banned|blacklisted|block-?listed) /,
        /(?:you|your|the sender|this sender|mail|e-?mail|messages|all)/,
      ]),
      sequence([
        /\b(?:recipient|user|addressee|customer)(?:'s|s'|s)? (?:\w{1,12} ){0,2}(?:filters?|rules?|settings?|preferences?) /,
        /(?:has |have |had )?(?:refused|rejected|blocked|declined|refuses?|rejects?|declines?)/,
      ]),
      /\b(?:you (?:are|were|have been)|your address (?:is|was|has been)) blocked by (?:the |this )?(?:recipient|user)/,
    ]),
  ],
  ['ratelimited', /gr[ea]y-?list|recipient(?:'s)? per ?hour|perhourlimit|message receive limit/],
  [
    'rejected',
    /groups\.google\.com\/support|from:? ?domain is invalid|purported responsible|you are not (?:a )?member|sending to\/from an address/,
  ],
  ['hostunknown', /account or domain may not exist|unrouteable mail domain/],
  [
    'userunknown',
    /recipient address rejected: access denied|recipient address rejected\.(?: |$)|#5\.1\.0 address rejected/,
  ],
  [
    'networkerror',
    anyOf([
      /name service error for [^:]{1,260}: (?!host not found)|host not found, try again/,
      /no mx found for|loop detected|all routes to destination blocked/,
      /address family mismatch|bad dns lookup|retrieve source address|network error on destination/,
      /failure in mx lookup/,
    ]),
  ],
  ['notaccept', /destination seems? to reject all mail/],
  [
    'ratelimited',
    anyOf([
      /(?:daily|hourly|user) (?:user )?sending (?:limit|quota)/,
      /reached (?:a|the|your) (?:daily |hourly )?limit for sending|exceeded the max (?:e-?mails|defers)/,
    ]),
  ],
  [
    'networkerror',
    /(?:server|host|gateway) (?:is |was )?(?:currently |temporarily )?(?:unavailable|unreachable|not (?:available|reachable)) or refus/,
  ],
  ['securityerror', /could not retrieve credentials/],
  ['policyviolation', /bounced by administrator/],
  ['mailererror', /x-unix; ?procmail/],
  [
    'systemerror',
    sequence([
      /(?:cannot|can't|unable to|could not) (?:update|open|create|lock|access) (?:the )?/,
      /(?:mailbox|maildir|output file)(?!.{0,200}(?:too large|quota|full))/,
    ]),
  ],
  [
    'notaccept',
    anyOf([
      /null ?mx|couldn't find a mail exchanger or ip address|smtp is not (?:supported|available) (?:on|at) this/,
      /system not accepting network messages|indicated no smtp service|(?:offers|has|provides) no smtp service/,
      sequence([
        [/domain|host|server|system|machine|site|\S\.[a-z]{2,15}>?/],
        / (?:\S{1,100} )?(?:does(?: not|n't)|never) (?:receive|accept)s? (?:any )?(?:e-?)?mails?(?! (?:from|with|due|because))/,
      ]),
      /(?:domain|host|server) (?:\S{1,100} )?(?:accepts?|takes?|receives?) no (?:e-?)?mail(?! from)/,
      /(?:that|which|it|\.[a-z]{2,15}) (?:accepts?|takes?) no (?:e-?)?mail(?! from)/,
    ]),
  ],
  [
    'mailboxfull',
    anyOf([
      sequence([
        [
          /mail ?box|mailfolder|mail folder|mail quota|mailbox quota|in-?box|account/,
          /user'?s? (?:mailbox|mailfolder|disk)|postfach|maildir|boite/,
        ],
        /[^.;]{0,50}/,
        [
          /\bfull\b|over ?quota|quota exceeded/,
          /exceeded (?:its|the|his|their)? ?(?:quota|storage|local limit|limit)|voll|pleine|llen[oa]/,
          /piena/,
        ],
      ]),
      /over ?quota|quota (?:is )?(?:exceeded|full|violation)|out of storage space/,
      /insufficient (?:disk|storage|mailbox)/,
      sequence([
        /(?:exceeds?|exceeded|exceeding) (?:the )?/,
        [/storage|mailbox|mail|disk|user|his|her|its|their|your|email/],
        /[\w ']{0,20}(?:quota|limit|size)/,
      ]),
      /exceed(?:s|ed) (?:the )?local limit|storage quota|mailbox size limit|disk quota/,
      /not enough (?:storage|disk|space)|mailbox_full|userisoverquota|is full: retry|full mailbox/,
      /no space left for this user|user over the quota|too many messages in (?:this )?(?:mailbox|folder)/,
      /box.{0,20}満杯|容量/,
    ]),
  ],
  [
    'exceedlimit',
    anyOf([
      /recipsizelimit|message (?:size )?(?:is )?too large for (?:this|the) recipient/,
      /size exceeds (?:the )?(?:fixed maximum|recipient)/,
      /message (?:header )?size exceeds (?:the )?(?:fixed )?maximum/,
    ]),
  ],
  [
    'mesgtoobig',
    anyOf([
      /message (?:size )?(?:is )?too (?:large|big)/,
      /(?:exceeds|exceeded|over) (?:the )?(?:maximum|max|allowed|fixed)[\w ]{0,20}(?:size|length)/,
      /size limit|message (?:size|length) (?:exceeds|exceeded)|mail size limit/,
      /maximum (?:message|allowed) size|message exceeds|file too big|body too (?:large|big)/,
    ]),
  ],
]
