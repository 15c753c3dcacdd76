/** Why a message came back, in the names of libsisimai.org, which others can look up. */
export type BounceReason =
  | 'userunknown'
  | 'hostunknown'
  | 'hasmoved'
  | 'notaccept'
  | 'suspend'
  | 'mailboxfull'
  | 'filtered'
  | 'rejected'
  | 'blocked'
  | 'badreputation'
  | 'spamdetected'
  | 'virusdetected'
  | 'policyviolation'
  | 'securityerror'
  | 'authfailure'
  | 'requireptr'
  | 'norelaying'
  | 'notcompliantrfc'
  | 'contenterror'
  | 'mesgtoobig'
  | 'exceedlimit'
  | 'toomanyconn'
  | 'ratelimited'
  | 'expired'
  | 'networkerror'
  | 'systemerror'
  | 'systemfull'
  | 'mailererror'
  | 'syntaxerror'
  | 'failedstarttls'
  | 'onhold'
  | 'undefined'

/** In order: the first that matches decides. Patterns are plain alternatives, so that time stays linear. */
export const bounceWords: readonly [BounceReason, RegExp][] = [
  [
    'suspend',
    /(?:mailbox|account|user|address)[^.;]{0,60}(?:blocked|disabled|suspended|closed|frozen)[^.;]{0,20}inactiv/,
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
    /host not found, try again|no mx found for|loop detected|all routes to destination blocked|address family mismatch|bad dns lookup|retrieve source address|network error on destination|failure in mx lookup/,
  ],
  ['notaccept', /destination seems? to reject all mail/],
  [
    'ratelimited',
    /(?:daily|hourly|user) (?:user )?sending (?:limit|quota)|reached (?:a|the|your) (?:daily |hourly )?limit for sending|exceeded the max (?:e-?mails|defers)/,
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
    /(?:cannot|can't|unable to|could not) (?:update|open|create|lock|access) (?:the )?(?:mailbox|maildir|output file)(?!.{0,200}(?:too large|quota|full))/,
  ],
  [
    'notaccept',
    /null ?mx|does(?: not|n't) (?:receive|accept) (?:e-?mail|mail)|(?:domain|host) does not accept (?:e-?)?mail|couldn't find a mail exchanger or ip address|nullmx|smtp is not (?:supported|available) (?:on|at) this/,
  ],
  [
    'mailboxfull',
    /(?:mail ?box|mailfolder|mail folder|mail quota|mailbox quota|in-?box|account|user'?s? (?:mailbox|mailfolder|disk)|postfach|maildir|boite)[^.;]{0,50}(?:\bfull\b|over ?quota|quota exceeded|exceeded (?:its|the|his|their)? ?(?:quota|storage|local limit|limit)|voll|pleine|llen[oa]|piena)|over ?quota|quota (?:is )?(?:exceeded|full|violation)|out of storage space|insufficient (?:disk|storage|mailbox)|(?:exceeds?|exceeded|exceeding) (?:the )?(?:storage|mailbox|mail|disk|user|his|her|its|their|your|email)[\w ']{0,20}(?:quota|limit|size)|exceed(?:s|ed) (?:the )?local limit|storage quota|mailbox size limit|disk quota|not enough (?:storage|disk|space)|mailbox_full|userisoverquota|is full: retry|full mailbox|no space left for this user|user over the quota|too many messages in (?:this )?(?:mailbox|folder)|box.{0,20}満杯|容量/,
  ],
  [
    'exceedlimit',
    /recipsizelimit|message (?:size )?(?:is )?too large for (?:this|the) recipient|size exceeds (?:the )?(?:fixed maximum|recipient)|message (?:header )?size exceeds (?:the )?(?:fixed )?maximum/,
  ],
  [
    'mesgtoobig',
    /message (?:size )?(?:is )?too (?:large|big)|(?:exceeds|exceeded|over) (?:the )?(?:maximum|max|allowed|fixed)[\w ]{0,20}(?:size|length)|size limit|message (?:size|length) (?:exceeds|exceeded)|mail size limit|maximum (?:message|allowed) size|message exceeds|file too big|body too (?:large|big)/,
  ],
  [
    'norelaying',
    /relay(?:ing)? (?:access )?(?:denied|not (?:permitted|allowed)|prohibited|is prohibited)|unable to relay|not configured to relay|we do not relay|no relaying|relaying denied|not permitted to relay|open relay(?: not|s? prohibited)|not an open relay|relay not permitted|not a gateway|that domain isn't in my list of allowed rcpthosts|insecure mail relay|mail server requires authentication|authentication (?:is )?required (?:for|to) relay|cannot relay/,
  ],
  ['virusdetected', /virus|malware|infected|trojan|worm detected|phishing (?:detected|attempt)/],
  [
    'authfailure',
    /dmarc|\bdkim\b[^.]{0,60}(?:fail|not pass|invalid|required|check)|\bspf\b[^.]{0,60}(?:fail|hard ?fail|not pass|record|check|violation|softfail)|bad spf|unauthenticated (?:e-?mail|message|mail)|multiple authentication checks failed|sender (?:authentication|policy framework)|not authenticated|authentication[- ](?:check|result)s? fail|fails? (?:authentication|spf|dkim)|message is not (?:authenticated|signed)|domainkeys/,
  ],
  [
    'requireptr',
    /\bptr\b|reverse (?:dns|lookup|hostname|mapping|domain)|rdns|unverif[iy]e?able (?:sending )?ips?|no reverse|cannot (?:find|resolve) your (?:reverse|hostname|ip)|client host(?:name)? (?:rejected: )?cannot find|hostname .{0,60}not (?:found|match)|fix reverse|generic (?:ptr|rdns)|ip address .{0,40}does not resolve/,
  ],
  [
    'toomanyconn',
    /too many (?:concurrent |simultaneous )?(?:smtp )?(?:connections|sessions|recipients|rcpt)|connection (?:rate )?limit|concurrent connection|max(?:imum)? (?:number of )?connections|too many (?:messages|mails) (?:in|per) (?:one|this) session/,
  ],
  [
    'badreputation',
    /unusual rate of unsolicited(?!.{0,200}(?:temporar|rate limit))|(?:low|poor|bad) reputation|reputation|sender ?score|unexpected volume or user complaints.*giv|\[tss0/,
  ],
  [
    'ratelimited',
    /rate ?limit|too many (?:e-?mails?|messages)|too (?:fast|quickly|frequent)|throttl|exceeded (?:the |your )?(?:hourly|daily|sending|message rate|rate)|unusual rate|try again later.{0,40}rate|receiving mail (?:too quickly|at a rate)|mail (?:rate|volume) (?:limit|exceed)/,
  ],
  [
    'spamdetected',
    /\bspam\b(?!haus|cop)(?!\w)|unsolicited|bulk (?:e-?)?mail|\bube\b|junk ?mail|message (?:content )?(?:rejected|refused).{0,30}(?:content|spam|ube)|content[- ]?(?:filter|rejected)|message content rejected|looks like spam|classified as|blacklisted (?:url|link)|uribl|surbl|considered (?:unsolicited|spam)|spam (?:score|detected|classification|filter|message)|block(?:ed)? (?:by|due).{0,20}spam|profile of a spam/,
  ],
  [
    'blocked',
    /block ?list|blacklist(?!ed url|ed link)|black list|blocked (?:using|by|for|at|due|-|because|from|list)|\bdnsbl|\brbl\b|spamhaus|spamcop|sorbs|barracudacentral|proofpoint.{0,30}(?:lookup|block)|banned|sending ip|client host|access denied\.\.\.|connection (?:refused|rejected) by (?:policy|your)|your (?:ip|host|network|server|domain)[\w ]{0,30}(?:blocked|listed|banned|rejected|denied)|not accepting connections|we do not accept (?:e?-?mail|connections) from|refused to talk to me|(?:part of )?their network is on our block|s3140|s3150|please use (?:the|your) (?:smtp|mail)(?: ?server)?|open relay|weren't sent|no access from mail server|you cannot send e-?mail to yourself|host (?:is )?(?:blocked|not allowed)|ip (?:address )?(?:is )?(?:blocked|not allowed|blacklisted|listed|banned|rejected)|(?:mail|e-?mail|connections?|messages?|accepting|accept) (?:\w+ ){0,3}from (?:your|this|the|dynamic|unknown) (?:ip|host|network|server|domain|system)|(?:bad|invalid|dynamic|your|remote|originating|unknown|source|generic) (?:sender |sending )?ip\b|spammer|(?:no|without|missing) (?:valid )?reverse|messages from .{1,60} (?:temporarily deferred|were not accepted)|connections not accepted/,
  ],
  [
    'mailboxfull',
    /\bquota\b(?!.{0,40}(?:per (?:hour|day)|hourly|daily))(?<!(?:daily|hourly|sending|rate) quota)|maximum allowed storage|space has been used up|\bstorage (?:limit|allocation)|mailbox (?:space|storage)/,
  ],
  [
    'hasmoved',
    /has moved|recipient no longer on (?:this )?server|not our (?:user|customer)|(?:has|have) (?:been )?(?:changed|moved) (?:to|e-?mail|address|his|her|their)|user not local; please try|address has changed|new (?:e-?mail )?address is|mailbox (?:has )?moved|replaced (?:by|with) a new/,
  ],
  [
    'suspend',
    /(?:account|mailbox|user|recipient|address|e-?mail|box)[\w\s(),'"@.<>-]{0,60}(?:disabled|suspended|inactive|deactivated|discontinued|closed|terminated|expired\b(?! message)|locked|blocked for inactivity|frozen|not active|no longer (?:active|in use|available|valid|accept))|disabled (?:recipient|account|mailbox|user)|inactive (?:user|account|recipient|mailbox)|(?:user|recipient|account) (?:is )?(?:suspended|disabled|inactive|locked)|mailbox (?:is )?(?:disabled|unavailable or access denied|currently suspended|frozen|inactive)|deactivated|boite du destinataire archivee|invalid\/inactive|mailbox not accepting|archived recipient|domain (?:is |has been )?(?:temporarily )?(?:disabled|suspended|deactivated|inactive|locked)|(?:recipient|mailbox|user|account)[^.;]{0,60}(?:temporarily|currently) (?:inactive|unavailable for|closed|blocked|suspended)|suspend(?:ed|s)? (?:the |this |his |its )?(?:service|account|mailbox)/,
  ],
  [
    'hostunknown',
    /host (?:name )?(?:is )?unknown|unknown host|host not found(?!, try again)|(?:no such|unknown|unrouteable|unroutable|invalid|illegal|bad) (?:host\/?)?(?:host|domain|destination (?:system|domain|host))|illegal host\/domain|domain (?:name )?(?:is )?(?:not found|not exist|does not exist|unknown|invalid|not reachable|must exist)|nxdomain|couldn't find any host|no (?:mx|a|mail) record|name or service not known|domain is not reachable|domain .{1,100} (?:couldn't be found|could not be found|wasn't found|was not found)|all relevant mx records point|bad destination system|name service error.{0,80}(?:not found(?!, try)|type=)|dns (?:error|lookup).{0,60}(?:not found|nxdomain|does not exist)|mail server for .{1,80} (?:not found|could not be found)|account or domain may not exist|unable to find (?:the )?(?:domain|host)|recipient(?:'s)? (?:address )?(?:has|had) .{0,20}(?:unknown|invalid) domain|server for .{1,80} cannot be found|\b553 \S{1,200}\.[a-z]{2,10} does not exist/,
  ],
  [
    'networkerror',
    /host not found, try again|lost connection|connection (?:reset|lost|closed|dropped|broken|aborted)|conversation .{0,60}timed out while|network (?:error|is unreachable|unreachable)|host (?:is )?unreachable|no route to host|mail (?:is )?loop|routing loop|too many hops|hop count|loops back to myself|name server (?:error|timeout|failure)|host name lookup failure|temporary (?:name|dns|lookup)|dns error|wasn't able to establish an smtp connection|dns lookup failure|protocol error|bad greeting|name service error/,
  ],
  [
    'rejected',
    /sender (?:address |domain |e?-?mail )?(?:was |is |has been )?(?:rejected|refused|denied|not (?:allowed|accepted|permitted|authorized)|verify failed|unknown|invalid)|(?:domain of )?sender (?:address|domain) .{0,200}(?:does not exist|not found|not resolve|invalid)|mail ?from (?:was )?(?:rejected|refused|not)|invalid (?:sender|from)|from: ?domain is invalid|rejected mail from|sender was rejected|does not exist e21|backscatter|\bbatv\b|bounce address tag|(?:empty|null|blank|<>) (?:envelope |return )?(?:sender|path|reverse)|(?:sender|mail from|from address)[^.;]{0,40}(?:pre-?approved|not verified|not owned|does not match|mismatch|fully[- ]qualified)|fully[- ]qualified (?:e-?mail |sender )?address|not pre-?approved|not accept(?:ing)? (?:mail|email|messages) from (?:you|this sender|sender)|you are (?:not (?:a member|allowed|permitted|authorized)|sending to\/from)|sender is not (?:authorized|allowed|permitted)|not (?:a )?(?:registered gateway user|allowed to (?:send|post))|domain (?:name )?(?:is )?(?:not allowed|denied)|purported responsible address|permissions? to post|does(?: not|n't) have permission|restricted|not authorized to send|only accepts? (?:mail|messages) from|group .{0,80}(?:may not exist|not exist|you may not have permission)|submission .{0,30}refused|blacklisted"/,
  ],
  [
    'userunknown',
    /(?:user|recipient|mailbox|account|address|addressee|alias|login|userid|name|destinataire|utente|benutzer|usuario|empfänger|destinatario|adresse|customer|local.?part|rcpt|mail-?box)(?: name| id| address|\(s\))?[\w\s:;,'"@.<>()[\]=*+/-]{0,80}(?:unknown|not? (?:been )?found|not? exist|n't exist|does not exist|doesn't exist|not? (?:be )?(?:recognized|known|valid|listed|registered|local|present)|invalid|undeliverable|unavailable|unbekannt|inconnue?|sconosciut[oa]|desconocid[oa]|nicht (?:gefunden|bekannt|vorhanden)|n'existe pas|inexistant|no existe|non esiste|inexistente|is not a (?:valid|known)|couldn't be found|could not be found|wasn't found|isn't found|not found|no longer (?:exists|here|works|with|employed))|(?:unknown|no such|invalid|non-?existent|nonexistent|bad|illegal|unrecognized|undeliverable|unrouteable|unroutable|no valid|not a valid|not a known|unknown local|incorrect|no matching|unbekannter?) (?:or illegal |local |final |delivery |e-?mail |destination |mail )*(?:user|recipient|mailbox|mail ?box|account|address|addressee|alias|person|name|userid|delivery userid|local.?part|here|virtual|rcpt|empfänger|destinataire)|no (?:mailbox|account|user|mail ?box|one|recipient)s? (?:here|by|with|for|named|found)|there is no (?:such )?(?:user|one|mailbox|account)|unknown user|user unknown|recipientnotfound|recipnotfound|adr\.recip(?:ient)?notfound|does not exist here|doesn't have an? (?:account|mailbox|[\w.]{1,40} account)|not listed in (?:public )?(?:name|domino|the)|adresse destinataire invalide|delivery to the following recipients? failed\.?$|unbekannte (?:adresse|empfänger)|usernotfound|5\.1\.1 |user doesn't|address not found|address rejected\.?$|mail receiving disabled|wasn't found at|isn't on our|he or she no longer|not our customer|has been disabled or discontinued|invalid destination|(?:mailbox|user) unavailable|not_found|宛先|見つかりません|不存在|не найден|не существует|nie istnieje|bestaat niet|findes ikke|finns inte/,
  ],
  [
    'policyviolation',
    /policy|polic(?:y|ies)|header error|(?:message|mail|e-?mail) not (?:allowed|accepted)|content (?:presents|is) a potential|security (?:issue|reasons|risk)|(?:attachment|file) (?:type )?(?:is )?(?:not (?:allowed|permitted)|blocked|prohibited)|denied by|multiple .{0,20}addresses in from.{0,1}$|disallowed|protection|you have violated/,
  ],
  [
    'notcompliantrfc',
    /rfc ?[25]\d{3}|not rfc|duplicate header|addresses in from|non-?compliant|missing (?:header|from|date|to)|without to:|malformed (?:header|message|address)|invalid header|bare (?:lf|cr|newline)|header .{0,30}(?:invalid|duplicate|multiple)|improper (?:use|header)/,
  ],
  ['failedstarttls', /starttls|tls (?:is )?required|encryption (?:required|needed)|must issue a starttls/],
  [
    'securityerror',
    /access denied|not authorized|unauthorized|authentication (?:required|failed|error)|permission denied|delivery not (?:authorized|allowed)|security/,
  ],
  [
    'filtered',
    /filtered|(?:user|recipient|customer|addressee) (?:refuses|rejects|has refused|has blocked|blocked|does not (?:want|wish))|refuses to receive|message (?:was )?rejected by (?:the )?(?:recipient|user)|account is protected by|has been rejected by (?:the )?(?:recipient|user|filter)|rejected by (?:a |an )?(?:remote mail server|user|recipient|filter|message filter)|because the recipient is (?:only )?accepting|recipient (?:is )?(?:only )?accept(?:s|ing)|refused by the (?:recipient|user)|domain.?filter|due to extended inactivity|is not accepting (?:any )?(?:mail|messages)/,
  ],
  [
    'contenterror',
    /forbidden (?:characters?|content|words?|headers?)|(?:illegal|invalid|prohibited) (?:characters?|content) in|media error|headers? too large|mime (?:error|parse)|message (?:could not be|can't be) (?:parsed|converted)|content (?:conversion|error)|unsupported (?:content|media)|too many (?:received|headers|parts)|8-?bit/,
  ],
  [
    'expired',
    /expired|timed? ?out|time-out|retry time(?:out)? (?:exceeded|not reached)|in the queue too long|too long in (?:the )?queue|giving up|gave up|undeliverable (?:for|after)|(?:could|can)not (?:be )?(?:deliver|send)(?:ed)? (?:message )?(?:for|within|after|in) (?:the last )?\d|not delivered within|not responding|did not accept our requests to connect|unable to connect|connection refused|delivery (?:time|attempts)|has been delayed|delivery temporarily suspended|no longer be retried|maximum (?:time|retry)|try again later.{0,40}$|could not connect|cannot connect/,
  ],
  [
    'systemfull',
    /(?:system|disk|mail system|file ?system|server) (?:is )?(?:full|out of)|no space left|insufficient system (?:storage|resources)/,
  ],
  [
    'mailererror',
    /procmail|child (?:status|process)|pipe to|mailer (?:error|said)|command (?:failed|died|failure|output)|exit (?:status|code)|error writing|couldn't create|cannot open mailbox|local delivery (?:failed|error)|x-unix; ?(?!77\b)/,
  ],
  [
    'systemerror',
    /(?:internal|local|system|server|configuration|ldap|database|lookup) (?:\w+ )?(?:error|failure|problem|misconfigur)|(?:service|mail system|server|system) (?:is )?(?:currently |temporarily )?(?:unavailable|not available|down|busy)|can't (?:create|open|lock)|unable to contact ldap|temporar(?:y|ily) (?:failure|error|problem|unavailable|local)|resources|could not load|aliasing\/forwarding loop|mail for .{1,80} loops back|x-unix; ?77/,
  ],
  [
    'syntaxerror',
    /syntax error|improper (?:sequence|command)|bad sequence|unrecognized command|command (?:not )?(?:unrecognized|recognized|implemented)/,
  ],
  ['blocked', /\brejected\b|\brefused\b|\bblocked\b|\bdenied\b/],
  ['onhold', /on hold/],
]
