import { anyOf, sequence } from '@overture/ground/text/patterns.ts'
import type { BounceReason } from './bounce-reasons.ts'

/** The remaining words: about rules, protocols and the state of servers. */
export const serverWords: readonly [BounceReason, RegExp][] = [
  [
    'policyviolation',
    anyOf([
      /policy|polic(?:y|ies)|header error|(?:message|mail|e-?mail) not (?:allowed|accepted)/,
      /content (?:presents|is) a potential|security (?:issue|reasons|risk)/,
      /(?:attachment|file) (?:type )?(?:is )?(?:not (?:allowed|permitted)|blocked|prohibited)|denied by/,
      /multiple .{0,20}addresses in from.{0,1}$|disallowed|protection|you have violated/,
    ]),
  ],
  [
    'notcompliantrfc',
    anyOf([
      /rfc ?[25]\d{3}|not rfc|duplicate header|addresses in from|non-?compliant/,
      /missing (?:header|from|date|to)|without to:|malformed (?:header|message|address)|invalid header/,
      /bare (?:lf|cr|newline)|header .{0,30}(?:invalid|duplicate|multiple)|improper (?:use|header)/,
    ]),
  ],
  ['failedstarttls', /starttls|tls (?:is )?required|encryption (?:required|needed)|must issue a starttls/],
  [
    'securityerror',
    anyOf([
      /access denied|not authorized|unauthorized|authentication (?:required|failed|error)/,
      /permission denied|delivery not (?:authorized|allowed)|security/,
    ]),
  ],
  [
    'filtered',
    anyOf([
      /filtered/,
      sequence([
        /(?:user|recipient|customer|addressee) /,
        [/refuses|rejects|has refused|has blocked|blocked|does not (?:want|wish)/],
      ]),
      /refuses to receive|message (?:was )?rejected by (?:the )?(?:recipient|user)/,
      /account is protected by|has been rejected by (?:the )?(?:recipient|user|filter)/,
      /rejected by (?:a |an )?(?:remote mail server|user|recipient|filter|message filter)/,
      /because the recipient is (?:only )?accepting|recipient (?:is )?(?:only )?accept(?:s|ing)/,
      /refused by the (?:recipient|user)|domain.?filter|due to extended inactivity/,
      /is not accepting (?:any )?(?:mail|messages)/,
    ]),
  ],
  [
    'contenterror',
    anyOf([
      /forbidden (?:characters?|content|words?|headers?)/,
      /(?:illegal|invalid|prohibited) (?:characters?|content) in|media error|headers? too large/,
      /mime (?:error|parse)|message (?:could not be|can't be) (?:parsed|converted)/,
      /content (?:conversion|error)|unsupported (?:content|media)|too many (?:received|headers|parts)/,
      /8-?bit/,
    ]),
  ],
  [
    'expired',
    anyOf([
      /expired|timed? ?out|time-out|retry time(?:out)? (?:exceeded|not reached)|in the queue too long/,
      /too long in (?:the )?queue|giving up|gave up|undeliverable (?:for|after)/,
      sequence([
        /(?:could|can)not (?:be )?(?:deliver|send)(?:ed)? (?:message )?(?:for|within|after|in) /,
        /(?:the last )?\d/,
      ]),
      /not delivered within|not responding|did not accept our requests to connect|unable to connect/,
      /connection refused|delivery (?:time|attempts)|has been delayed|delivery temporarily suspended/,
      /no longer be retried|maximum (?:time|retry)|try again later.{0,40}$|could not connect/,
      /cannot connect/,
    ]),
  ],
  [
    'systemfull',
    /(?:system|disk|mail system|file ?system|server) (?:is )?(?:full|out of)|no space left|insufficient system (?:storage|resources)/,
  ],
  [
    'mailererror',
    anyOf([
      /procmail|child (?:status|process)|pipe to|mailer (?:error|said)/,
      /command (?:failed|died|failure|output)|exit (?:status|code)|error writing|couldn't create/,
      /cannot open mailbox|local delivery (?:failed|error)|x-unix; ?(?!77\b)/,
    ]),
  ],
  [
    'systemerror',
    anyOf([
      sequence([
        [/internal|local|system|server|configuration|ldap|database|lookup/],
        / (?:\w+ )?(?:error|failure|problem|misconfigur)/,
      ]),
      sequence([
        /(?:service|mail system|server|system) (?:is )?(?:currently |temporarily )?/,
        /(?:unavailable|not available|down|busy)/,
      ]),
      /can't (?:create|open|lock)|unable to contact ldap/,
      /temporar(?:y|ily) (?:failure|error|problem|unavailable|local)|resources|could not load/,
      /aliasing\/forwarding loop|mail for .{1,80} loops back|x-unix; ?77/,
    ]),
  ],
  [
    'syntaxerror',
    /syntax error|improper (?:sequence|command)|bad sequence|unrecognized command|command (?:not )?(?:unrecognized|recognized|implemented)/,
  ],
]
