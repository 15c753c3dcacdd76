import { anyOf, before, notBefore, optional, repeated, sequence } from '@overture/ground/text/patterns.ts'

/** Excludes requests that only postpone, such as "until" or "next week". */
const notForGood =
  /(?! (?:until|before|till|next|this week|on|at|the|a|an|after|in (?:the|q|a)|unless|for (?:now|the|a))\b)/

/** English sentences that ask not to be written to. Each names the writer or the writing, so that talk about opt-outs does not match. */
export const englishRequests: readonly RegExp[] = [
  /\bcease and desist\b/i,
  sequence(
    [
      /\b/,
      [/unsubscribe|remove|delete|erase|exclude|strike|drop|take|scrub|purge|opt/],
      / /,
      [
        sequence([
          /(?:[\w.+-]{1,64}@[\w.-]{1,200}|me|us|my|our|this|the) ?/,
          optional([/e-?mail|mail|address|name|contact|details|data|information|info|account|company|inbox|id/]),
          /(?: ?(?:e-?mail|address|details))?/,
        ]),
      ],
      / ?(?:,? ?please)? ?(?:from|off|out of|out)\b /,
      notBefore([
        sequence([
          /(?:the |this |your )?/,
          [
            /hook|market|shelf|table|context|equation|picture|wait|guest|short|attendee|invit|booking/,
            /b?cc|thread|conversation|meeting|invite|copy|loop|discussion|call|project|chain/,
          ],
        ]),
      ]),
    ],
    'i',
  ),
  sequence(
    [
      /\b/,
      [
        /please|kindly|must|want you to|need you to|ask you to|could you|can you|would you/,
        /request(?:ing)? (?:you )?to/,
      ],
      /\b[^.!?]{0,25}\b(?:unsubscribe|remove|delete|opt)[ -]?(?:out )?/,
      [/me|us|my (?:e-?mail|address|details|data)|this (?:e-?mail )?address/],
      /\b(?! from (?:the |this )?(?:cc|thread|conversation|loop|call|invite|meeting|discussion))/,
    ],
    'i',
  ),
  sequence(
    [
      /^(?:hi|hello|hey|please|and|so|but|just|,|\s)*(?:unsubscribe|remove|opt out) /,
      /(?:me|us|my e-?mail|this (?:e-?mail )?address)\b/,
      notBefore([/ from (?:the |this )?(?:cc|thread|conversation|loop|call|invite|meeting)/]),
    ],
    'i',
  ),
  sequence(
    [
      /(?:^(?:hi|hello|hey|please|so|just|,|\s){0,10}|\b(?:please|kindly) )unsubscribe /,
      [
        sequence([
          /(?:all of )?our (?:whole |entire )?/,
          /(?:team|company|office|organi[sz]ation|staff|domain|firm|address(?:es)?|e-?mails?|accounts?|inbox(?:es)?)/,
        ]),
        /[\w.+-]{1,64}@[\w.-]{1,200}\w/,
        /this (?:e-?mail|address|account|inbox|mailbox)(?: address)?/,
      ],
      before([/[\s.!,]{0,5}$/, / from (?:your|this|these|all|any|the (?:mailing |e-?mail )?list)\b/]),
    ],
    'i',
  ),
  sequence(
    [
      /\bhow (?:do|can|to|could) (?:i|we)? ?(?:unsubscribe|opt out|get off (?:this|your) list|stop (?:these|receiving|getting))/,
      // Excludes requests about another company's product, which the writer wants to replace.
      notBefore([
        sequence([
          /[^.!?]{0,60}\b(?:old|current|existing|previous|present|former|other|another|their)(?: \w{1,20}){0,2}/,
          / (?:plan|tool|product|service|provider|vendor|subscription|contract|supplier|system|software|platform|crm)s?\b/,
        ]),
      ]),
    ],
    'i',
  ),
  sequence(
    [
      /\b(?:stop|quit|cease|refrain from) /,
      [
        sequence([
          /(?:with )?/,
          [
            /e-?mailing|mailing|contacting|messaging|spamming|writing(?: to)?|bothering|harassing/,
            /soliciting|pestering/,
          ],
          before([/(?: to)? (?:me|us|my|our|this|these|here|again|now|immediately|please|people)\b|\s*[,;.!]/, /\s*$/]),
        ]),
        sequence([
          /sending(?: me| us)? ?/,
          [/any|more|these|those|this|your|further|such|unsolicited|spam|e-?mails?|mails?|messages/, /newsletters?/],
          /\b/,
        ]),
        sequence([
          /(?:with )?/,
          [/these|those|this|your|all|the|any|further|more|such|unsolicited/],
          /(?: \w+){0,2} /,
          [/e-?mails?|mails?|messages|spam|communications?|correspondence|solicitations?|newsletters?/],
        ]),
      ],
      /\b(?! (?:by|at 1|at 2|over))/,
    ],
    'i',
  ),
  /\b(?:lose|forget|discard|destroy|bin) (?:my|this|our) (?:e-?mail|contact|mail|address|number|data|details)/i,
  sequence(
    [
      /\b(?:do not|don't|dont|don’t|never|no longer) (?:ever )?/,
      [/contact|e-?mail|mail|write(?: to)?|message|spam|bother|solicit|send (?:me|us)|reach out to/, /approach/],
      / ?(?:me|us|any|this|again|anymore|further)\b/,
      notBefore([
        sequence([
          / (?:by|via|over|through|per) (?:the )?(?:tele|mobile )?/,
          /(?:phone|post|text|sms|fax|whatsapp|linkedin|skype)/,
        ]),
      ]),
      /(?! (?:until|before|till|next|this week|on|at|the|a|an|after|in (?:the|q))\b)/,
    ],
    'i',
  ),
  sequence(
    [
      /\b/,
      [
        sequence([
          /no (?:more|further) /,
          [/e-?mails?|mails?|messages|contact|communications?|correspondence|spam|follow[- ]?ups?/],
          /(?: please)?/,
        ]),
      ],
      /[\s.!]*$/,
    ],
    'i',
  ),
  sequence(
    [
      /\btake (?:me|us|my (?:name|e-?mail|address)) off(?: of)?/,
      [
        /\s*[.!,]|\s*$/,
        / (?:your|this|these|any|all)\b(?! (?:cc|thread|conversation|call|meeting|invite))/,
        sequence([
          / the /,
          [/e-?mail|mail|mailing|distribution|contact|marketing|newsletter|campaign|sales|list/, /database/],
          /\b/,
        ]),
      ],
    ],
    'i',
  ),
  // The same requests with nouns, infinitives and in the passive.
  anyOf(
    [
      sequence([
        /\b(?:discontinue|cease|end|halt) (?:all |any |further |the )*/,
        [/sending|contact|communications?|e-?mails?|e-?mailing|correspondence|mailings?/],
        /\b/,
      ]),
      sequence([
        /\b(?:delete|erase|destroy) (?:all )?(?:of )?my (?:personal )?/,
        /(?:data|details|information|records?)\b/,
      ]),
      /\b(?:do[- ]not[- ](?:contact|e-?mail|call)|suppression|opt-?out|block) ?list\b/,
    ],
    'i',
  ),
  sequence(
    [
      /\b(?:do not|don't|dont|don’t|never) (?:ever )?send (?:me|us) /,
      /(?:any |these |your |such |unsolicited |marketing |sales )*/,
      /(?:e-?mails?|mails|messages|newsletters?|spam|advertis\w+)\s*/,
      /(?:[.!,;]|$|please|thanks|again|any ?more)/,
    ],
    'i',
  ),
  anyOf(
    [
      sequence([
        /\bmark (?:me|us|my \w+) (?:down )?as (?:a )?["']?/,
        [/do[- ]not[- ](?:contact|e-?mail|mail)|unsubscribed|opted[- ]out/],
      ]),
      sequence([
        /\b(?:please|kindly|and|to) (?:blacklist|suppress) /,
        [/me|us|my (?:e-?mail|address|domain)|our (?:e-?mail|address|domain)/],
        /\b/,
      ]),
      sequence([
        /^\W*(?:please |kindly )?remove (?:all )?(?:of )?(?:my|our) (?:personal )?/,
        /(?:data|details|information|records?)(?=\s*(?:[.!,;]|$|please|now|immediately|at once|from your))/,
      ]),
    ],
    'i',
  ),
  sequence(
    [
      /\b(?:do not|don't|dont|don’t|never|stop|quit) (?:ever )?/,
      [/follow(?:ing)?[- ]?up|reach(?:ing)? out|get(?:ting)? in touch|ping(?:ing)?|chas(?:e|ing)/, /pester(?:ing)?/],
      /(?: with| to)?(?: me| us)? ?(?:again|any ?more|further|ever|$)/,
      notForGood,
    ],
    'i',
  ),
  sequence(
    [
      /\b(?:don't|do not|dont|don’t|never|no longer|stop) (?:ever |you |please |dare )?/,
      /(?:send|contact|e-?mail|mail|write|message|spam)(?:ing)? (?:to )?(?:me |us |this |here )?/,
      repeated([/address |anything |any |more |another |these |your |e-?mails? |mails? |messages? /], '{0,3}'),
      /(?:any ?more|again|ever|any further)\b/,
      notForGood,
    ],
    'i',
  ),
  anyOf(
    [
      sequence([
        /\b(?:delete|erase|remove) (?:my|our) /,
        [
          /contacts?(?: details| information| info| data)?|e-?mail(?: address)?|address|name|number/,
          /info(?:rmation)?/,
        ],
        /(?=\s*(?:[.!,;]|$|please|thanks|from (?:your|the) (?!cc|thread)))/,
      ]),
      sequence([
        /\bcancel (?:my |our |this )?subscription (?:to|from|for) (?:these|your|this|all)[^.!?]{0,15}/,
        /(?:e-?mails?|mails?|messages?|lists?|newsletters?)/,
      ]),
      /\b(?:you are|you're|stop) spamming\b|^this is (?:just |pure )?spam[.!]*$/,
      sequence([
        /^(?:no|thanks|please|sorry|we|i|,|\s)*(?:don't|do not|dont|don’t) want (?:to (?:receive|get) )?/,
        repeated([/any |your |these |more |further |other |additional |such /], '{1,3}'),
        /(?:e-?mails?|mails|messages|spam|newsletters?)\b/,
      ]),
    ],
    'i',
  ),
  sequence(
    [
      /\b(?:removing|deleting|taking|unsubscribing|dropping|erasing) /,
      [/me|us|my (?:e-?mail|address|name|details|data|contact)[\w ]{0,20}/],
      /(?: ?,? ?please)? (?:from|off)\b/,
      notBefore([/ (?:the |this )?(?:cc|thread|conversation|loop|call|invite|meeting|discussion|waiting)/]),
    ],
    'i',
  ),
]
