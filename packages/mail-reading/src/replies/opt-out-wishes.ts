import { anyOf, notBefore, optional, sequence } from '@overture/ground/text/patterns.ts'

/** English sentences in which the writer wishes or asks not to be written to. */
export const wishesRequests: readonly RegExp[] = [
  sequence(
    [
      /\b(?:i|we)(?:'d| would| want| wish| do| need|'m| am)?(?: like)?(?: not)? ?/,
      optional([/want|wish|like|prefer|ask|asking|request|requesting|need/]),
      /(?:ed|ing)? ?(?:to )(?:be )?/,
      [
        /unsubscribe[d]?|opt(?:ed)?[ -]?out/,
        /removed from (?:your|this|the|any) (?:\w+ ){0,3}(?:list|database|mailing|system|records|crm)/,
        /taken off/,
      ],
      /\b/,
    ],
    'i',
  ),
  sequence(
    [
      /\b(?:i|we) (?:do not|don't|dont|don’t|no longer|never) /,
      /(?:want|wish|care|need|agreed|consent)[^.!?]{0,20}(?:to )?/,
      [
        sequence([
          /(?:receiv\w{1,3}|get|getting) /,
          [
            /any |more |further |your |these |this |such |those |from you|unsolicited |marketing /,
            /commercial |sales |spam|e-?mails?\b|mails\b|messages|newsletters?|communications?|anything/,
          ],
        ]),
        /hear from you|be contacted|be e-?mailed|these e-?mails|your e-?mails/,
        /any (?:more )?(?:e-?mails|messages)/,
      ],
    ],
    'i',
  ),
  anyOf(
    [
      sequence([
        /\b(?:like|want|wish|prefer|need|ask(?:ed)?) (?:you )?to stop (?:receiving|getting|being sent) /,
        [/these|this|those|your|any|all|e-?mails?|mails?|messages|newsletters?/],
        /\b/,
      ]),
      /(?:^|[,.;:] ?)i (?:just )?want out[.! ]*$/,
    ],
    'i',
  ),
  sequence(
    [
      /\b(?:ask|asking|request|requesting|urge|beg)(?: that)?(?: you)?(?: kindly| please)? /,
      /(?:not to|do not|don't|to not|to stop|to refrain from) /,
      /(?:e-?mail|contact|writ|send|mail|messag|spam)\p{L}{0,4} (?:me|us|to me|to us)(?!\p{L})/u,
      notBefore([/ (?:before|until|till|on|at|about|during|this|today|in the)(?!\p{L})/u]),
    ],
    'iu',
  ),
  anyOf(
    [
      sequence([
        /\bwant (?:to get |to be |to come |out |me )?(?:off|out of)(?: of)? /,
        /(?:this|your|these|all|any)\b[^.!?]{0,20}(?:list|mail|database|system)/,
      ]),
      sequence([
        /\b(?:ask(?:ed|ing)?|told|tell(?:ing)?) you[^.!?]{0,20} to /,
        /(?:stop|unsubscribe|remove|take me off)\s*/,
        [/[.!,]|$|(?:me|us|my|e-?mailing|contacting|sending|writing)\b/],
      ]),
    ],
    'i',
  ),
  sequence(
    [
      /\b(?:appreciate|like|want|prefer|request|ask|wish)[^.!?]{0,15} (?:being|to be) /,
      /(?:removed|taken off|unsubscribed|deleted|excluded|dropped)\b/,
      notBefore([
        sequence([
          / (?:from )?(?:the |this )?/,
          [/cc|thread|conversation|loop|call|invite|meeting|discussion|waiting/],
        ]),
      ]),
    ],
    'i',
  ),
  anyOf(
    [
      sequence([
        /\b(?:make sure|ensure|see to it)[^.!?]{0,15} (?:i|we) (?:do not|don't|don’t|never|no longer) /,
        /(?:receive|get|hear)/,
      ]),
      sequence([
        /\b(?:pls|plz|please|kindly) (?:remove|delete|erase) from (?:your|the|this|any)[^.!?]{0,25}/,
        /(?:list|database|records|systems?|crm|mailing)/,
      ]),
    ],
    'i',
  ),
]
