import { anyOf, repeated, sequence } from '@overture/ground/text/patterns.ts'
import type { BounceReason } from './bounce-reasons.ts'

/** Words about the recipient and about the path to its server. */
export const recipientWords: readonly [BounceReason, RegExp][] = [
  [
    'mailboxfull',
    anyOf([
      /\bquota\b(?!.{0,40}(?:per (?:hour|day)|hourly|daily))(?<!(?:daily|hourly|sending|rate) quota)/,
      /maximum allowed storage|space has been used up|\bstorage (?:limit|allocation)/,
      /mailbox (?:space|storage)/,
    ]),
  ],
  [
    'hasmoved',
    anyOf([
      /has moved|recipient no longer on (?:this )?server|not our (?:user|customer)/,
      /(?:has|have) (?:been )?(?:changed|moved) (?:to|e-?mail|address|his|her|their)/,
      /user not local; please try|address has changed|new (?:e-?mail )?address is|mailbox (?:has )?moved/,
      /replaced (?:by|with) a new/,
    ]),
  ],
  [
    'suspend',
    anyOf([
      sequence([
        /(?:account|mailbox|user|recipient|address|e-?mail|box)[\w\s(),'"@.<>-]{0,60}/,
        [
          /disabled|suspended|inactive|deactivated|discontinued|closed|terminated|expired\b(?! message)/,
          /locked|blocked for inactivity|frozen|not active/,
          /no longer (?:active|in use|available|valid|accept)/,
        ],
      ]),
      /disabled (?:recipient|account|mailbox|user)|inactive (?:user|account|recipient|mailbox)/,
      /(?:user|recipient|account) (?:is )?(?:suspended|disabled|inactive|locked)/,
      /mailbox (?:is )?(?:disabled|unavailable or access denied|currently suspended|frozen|inactive)/,
      /deactivated|boite du destinataire archivee|invalid\/inactive|mailbox not accepting/,
      /archived recipient/,
      /domain (?:is |has been )?(?:temporarily )?(?:disabled|suspended|deactivated|inactive|locked)/,
      sequence([
        /(?:recipient|mailbox|user|account)[^.;]{0,60}(?:temporarily|currently) /,
        /(?:inactive|unavailable for|closed|blocked|suspended)/,
      ]),
      /suspend(?:ed|s)? (?:the |this |his |its )?(?:service|account|mailbox)/,
    ]),
  ],
  [
    'hostunknown',
    anyOf([
      /host (?:name )?(?:is )?unknown|unknown host|host not found(?!, try again)/,
      sequence([
        [/no such|unknown|unrouteable|unroutable|invalid|illegal|bad/],
        / (?:host\/?)?(?:host|domain|destination (?:system|domain|host))/,
      ]),
      /illegal host\/domain/,
      sequence([
        /domain (?:name )?(?:is )?/,
        [/not found|not exist|does not exist|unknown|invalid|not reachable|must exist/],
      ]),
      /(?:domain|host)(?: name)?:? \S{1,200} (?:is |was )?(?:not found|not exist|does not exist|doesn't exist|unknown)/,
      /nxdomain|couldn't find any host|no (?:mx|a|mail) record|name or service not known/,
      /domain is not reachable/,
      /domain .{1,100} (?:couldn't be found|could not be found|wasn't found|was not found)/,
      /all relevant mx records point|bad destination system/,
      /name service error.{0,80}not found(?!, try)/,
      /dns (?:error|lookup).{0,60}(?:not found|nxdomain|does not exist)/,
      /mail server for .{1,80} (?:not found|could not be found)|account or domain may not exist/,
      /unable to find (?:the )?(?:domain|host)/,
      /recipient(?:'s)? (?:address )?(?:has|had) .{0,20}(?:unknown|invalid) domain/,
      /server for .{1,80} cannot be found|\b553 \S{1,200}\.[a-z]{2,10} does not exist/,
    ]),
  ],
  [
    'networkerror',
    anyOf([
      /host not found, try again|lost connection|connection (?:reset|lost|closed|dropped|broken|aborted)/,
      /conversation .{0,60}timed out while|network (?:error|is unreachable|unreachable)/,
      /host (?:is )?unreachable|no route to host|mail (?:is )?loop|routing loop|too many hops|hop count/,
      /loops back to myself|name server (?:error|timeout|failure)|host name lookup failure/,
      /temporary (?:name|dns|lookup)|dns error|wasn't able to establish an smtp connection/,
      /dns lookup failure|protocol error|bad greeting|name service error/,
    ]),
  ],
  [
    'rejected',
    anyOf([
      sequence([
        /sender (?:address |domain |e?-?mail )?(?:was |is |has been )?/,
        [/rejected|refused|denied|not (?:allowed|accepted|permitted|authorized)|verify failed|unknown/, /invalid/],
      ]),
      /(?:domain of )?sender (?:address|domain) .{0,200}(?:does not exist|not found|not resolve|invalid)/,
      /mail ?from (?:was )?(?:rejected|refused|not)|invalid (?:sender|from)|from: ?domain is invalid/,
      /rejected mail from|sender was rejected|does not exist e21|backscatter|\bbatv\b|bounce address tag/,
      /(?:empty|null|blank|<>) (?:envelope |return )?(?:sender|path|reverse)/,
      sequence([
        /(?:sender|mail from|from address)[^.;]{0,40}/,
        [/pre-?approved|not verified|not owned|does not match|mismatch|fully[- ]qualified/],
      ]),
      /fully[- ]qualified (?:e-?mail |sender )?address|not pre-?approved/,
      /not accept(?:ing)? (?:mail|email|messages) from (?:you|this sender|sender)/,
      /you are (?:not (?:a member|allowed|permitted|authorized)|sending to\/from)/,
      /sender is not (?:authorized|allowed|permitted)/,
      /not (?:a )?(?:registered gateway user|allowed to (?:send|post))/,
      /domain (?:name )?(?:is )?(?:not allowed|denied)|purported responsible address|permissions? to post/,
      /does(?: not|n't) have permission|restricted|not authorized to send/,
      /only accepts? (?:mail|messages) from/,
      /group .{0,80}(?:may not exist|not exist|you may not have permission)|submission .{0,30}refused/,
      /blacklisted"/,
    ]),
  ],
  [
    'userunknown',
    anyOf([
      sequence([
        [
          /user|recipient|mailbox|account|address|addressee|alias|login|userid|name|person|destinataire|utente/,
          /benutzer|usuario|empfänger|destinatario|adresse|customer|local.?part|rcpt|mail[ -]?box/,
        ],
        /(?: name| id| address|\(s\))?[\w\s:;,'"@.<>()[\]=*+/-]{0,80}/,
        [
          /unknown|not? (?:been )?found|not? exist|n't exist|does not exist|doesn't exist/,
          /not? (?:be )?(?:recognized|known|valid|listed|registered|local|present)|invalid|undeliverable/,
          /unbekannt|inconnue?|sconosciut[oa]|desconocid[oa]/,
          /nicht (?:gefunden|bekannt|vorhanden)|n'existe pas|inexistant|no existe|non esiste|inexistente/,
          /is not a (?:valid|known)|couldn't be found|could not be found|wasn't found|isn't found/,
          /not found|no longer (?:exists|here|works|with|employed)/,
        ],
      ]),
      sequence([
        [
          /unknown|no such|invalid|non-?existent|nonexistent|bad|illegal|unrecognized|undeliverable/,
          /unrouteable|unroutable|no valid|not a valid|not a known|unknown local|incorrect|no matching/,
          /unbekannter?/,
        ],
        / /,
        repeated([/or illegal |local |final |delivery |e-?mail |destination |mail /], '*'),
        [
          /user|recipient|mailbox|mail ?box|account|address(?! error \d)|addressee|alias|person|name|userid/,
          /delivery userid|local.?part|here|virtual|rcpt|empfänger|destinataire/,
        ],
      ]),
      /no (?:mailbox|account|user|mail ?box|one|recipient)s? (?:here|by|with|for|named|found)/,
      /\b(?:nobody|no one|no person) (?:of|by|with) (?:that|this) name/,
      /there is no (?:such )?(?:user|one|mailbox|account)|unknown user|user unknown|recipientnotfound/,
      /recipnotfound|adr\.recip(?:ient)?notfound|does not exist here/,
      /does(?: not|n't) have an? (?:account|mailbox|[\w.]{1,40} account)/,
      /(?:not|isn't|wasn't) (?:found |listed )?in (?:our|the|this) (?:\w{1,20} )?(?:directory|address ?book)/,
      /not listed in (?:public )?(?:name|domino|the)|adresse destinataire invalide/,
      /delivery to the following recipients? failed\.?$|unbekannte (?:adresse|empfänger)|usernotfound/,
      /5\.1\.1 |user doesn't|address not found|address rejected\.?$|mail receiving disabled/,
      /wasn't found at|isn't on our|he or she no longer|not our customer/,
      /has been disabled or discontinued|invalid destination|not_found/,
      /(?:mailbox|user|recipient|account|address)(?: \S{1,100})? (?:is |was |currently |temporarily )*(?:unavailable|not available)/,
    ]),
  ],
]
