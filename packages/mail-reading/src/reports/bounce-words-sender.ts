import { anyOf, sequence } from '@overture/ground/text/patterns.ts'
import type { BounceReason } from './bounce-reasons.ts'

/** Words about the sender and about the content. */
export const senderWords: readonly [BounceReason, RegExp][] = [
  [
    'norelaying',
    anyOf([
      /relay(?:ing)? (?:access )?(?:denied|not (?:permitted|allowed)|prohibited|is prohibited)/,
      /unable to relay|not configured to relay|we do not relay|no relaying|relaying denied/,
      /not permitted to relay|open relay(?: not|s? prohibited)|not an open relay|relay not permitted/,
      /not a gateway|that domain isn't in my list of allowed rcpthosts|insecure mail relay/,
      /mail server requires authentication|authentication (?:is )?required (?:for|to) relay|cannot relay/,
    ]),
  ],
  ['virusdetected', /virus|malware|infected|trojan|worm detected|phishing (?:detected|attempt)/],
  [
    'authfailure',
    anyOf([
      /dmarc|\bdkim\b[^.]{0,60}(?:fail|not pass|invalid|required|check)/,
      /\bspf\b[^.]{0,60}(?:fail|hard ?fail|not pass|record|check|violation|softfail)|bad spf/,
      /unauthenticated (?:e-?mail|message|mail)|multiple authentication checks failed/,
      /sender (?:authentication|policy framework)|not authenticated/,
      /authentication[- ](?:check|result)s? fail|fails? (?:authentication|spf|dkim)/,
      /message is not (?:authenticated|signed)|domainkeys/,
    ]),
  ],
  [
    'requireptr',
    anyOf([
      /\bptr\b|reverse (?:dns|lookup|hostname|mapping|domain)|rdns|unverif[iy]e?able (?:sending )?ips?/,
      /no reverse|cannot (?:find|resolve) your (?:reverse|hostname|ip)/,
      /client host(?:name)? (?:rejected: )?cannot find|hostname .{0,60}not (?:found|match)|fix reverse/,
      /generic (?:ptr|rdns)|ip address .{0,40}does not resolve/,
    ]),
  ],
  [
    'toomanyconn',
    anyOf([
      /too many (?:concurrent |simultaneous )?(?:smtp )?(?:connections|sessions|recipients|rcpt)/,
      /connection (?:rate )?limit|concurrent connection|max(?:imum)? (?:number of )?connections/,
      /too many (?:messages|mails) (?:in|per) (?:one|this) session/,
    ]),
  ],
  [
    'badreputation',
    anyOf([
      /unusual rate of unsolicited(?!.{0,200}(?:temporar|rate limit))|(?:low|poor|bad) reputation/,
      /reputation|sender ?score|unexpected volume or user complaints.*giv|\[tss0/,
    ]),
  ],
  [
    'ratelimited',
    anyOf([
      /rate ?limit|too many (?:e-?mails?|messages)|too (?:fast|quickly|frequent)|throttl/,
      /exceeded (?:the |your )?(?:hourly|daily|sending|message rate|rate)|unusual rate/,
      /try again later.{0,40}rate|receiving mail (?:too quickly|at a rate)/,
      /mail (?:rate|volume) (?:limit|exceed)/,
    ]),
  ],
  [
    'spamdetected',
    anyOf([
      /\bspam\b(?!haus|cop)(?!\w)|unsolicited|bulk (?:e-?)?mail|\bube\b|junk ?mail/,
      /message (?:content )?(?:rejected|refused).{0,30}(?:content|spam|ube)/,
      /content[- ]?(?:filter|rejected)|message content rejected|looks like spam|classified as/,
      /blacklisted (?:url|link)|uribl|surbl|considered (?:unsolicited|spam)/,
      /spam (?:score|detected|classification|filter|message)|block(?:ed)? (?:by|due).{0,20}spam/,
      /profile of a spam/,
    ]),
  ],
  [
    'blocked',
    anyOf([
      /block ?list|blacklist(?!ed url|ed link)|black list/,
      /blocked (?:using|by|for|at|due|-|because|from|list)|\bdnsbl|\brbl\b|spamhaus|spamcop|sorbs/,
      /barracudacentral|proofpoint.{0,30}(?:lookup|block)|banned|sending ip|client host/,
      /access denied\.\.\.|connection (?:refused|rejected) by (?:policy|your)/,
      /your (?:ip|host|network|server|domain)[\w ]{0,30}(?:blocked|listed|banned|rejected|denied)/,
      /not accepting connections|we do not accept (?:e?-?mail|connections) from|refused to talk to me/,
      /(?:part of )?their network is on our block|s3140|s3150/,
      /please use (?:the|your) (?:smtp|mail)(?: ?server)?|open relay|weren't sent/,
      /no access from mail server|you cannot send e-?mail to yourself/,
      /host (?:is )?(?:blocked|not allowed)/,
      /ip (?:address )?(?:is )?(?:blocked|not allowed|blacklisted|listed|banned|rejected)/,
      sequence([
        /(?:mail|e-?mail|connections?|messages?|accepting|accept) (?:\w+ ){0,3}from /,
        /(?:your|this|the|dynamic|unknown) (?:ip|host|network|server|domain|system)/,
      ]),
      /(?:bad|invalid|dynamic|your|remote|originating|unknown|source|generic) (?:sender |sending )?ip\b/,
      /spammer|(?:no|without|missing) (?:valid )?reverse/,
      /messages from .{1,60} (?:temporarily deferred|were not accepted)|connections not accepted/,
    ]),
  ],
]
