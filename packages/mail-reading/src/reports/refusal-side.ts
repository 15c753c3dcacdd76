import { anyOf, sequence } from '@overture/ground/text/patterns.ts'

/** Names that a report can mention, in lower case: of the addresses it was sent back to, and of the failed ones. */
export interface Parties {
  ours: readonly string[]
  theirs: readonly string[]
}

export const nobody: Parties = { ours: [], theirs: [] }

/** How far around the matched words the rest of their sentence is searched. */
const reachChars = 160

/**
 * Whether the sentence around `at` is about the sender: our host, its greeting, our domain or address, or the target of a link
 * in the mail. Servers say "not found" about all of these with the same words as about a recipient.
 */
export function speaksOfSender(text: string, at: number, parties: Parties): boolean {
  const sentence = sentenceAround(text, at)
  if (senderForCertain.test(sentence)) return true
  if (senderVerified.test(text.slice(Math.max(0, at - reachChars), at + reachChars))) return true
  if (containsName(parties.theirs, sentence.replace(repliedTo, ''))) return false
  if (containsName(parties.ours, sentence)) return true
  return senderLikely.test(sentence) && !recipientNouns.test(sentence)
}

/** Whether the words of a refusal are about the sender and not about the recipient. */
export function speaksOfSenderAlone(text: string): boolean {
  return (senderForCertain.test(text) || senderLikely.test(text)) && !recipientNouns.test(text)
}

// A sentence ends at a full stop or at the code of the answer's next line. Full stops in names and addresses don't count.
const sentenceEnd = /[.!?;](?=\s|$)|[。！？；]|\s[245]\d\d[- ]|<<<|>>>/

function sentenceAround(text: string, at: number): string {
  const start =
    text
      .slice(Math.max(0, at - reachChars), at)
      .split(sentenceEnd)
      .at(-1) ?? ''
  return (
    start +
    text
      .slice(at, at + reachChars)
      .split(sentenceEnd, 1)
      .join('')
  )
}

// Names must match as a whole: `there.test` does not name `here.test`, and `x.com.test` does not name `x.com`. A host below a
// domain names the domain.
function containsName(names: readonly string[], sentence: string): boolean {
  return names.some((name) => {
    const at = name === '' ? -1 : sentence.indexOf(name)
    if (at === -1) return false
    return (
      !/[\p{L}\p{N}_-]/u.test(sentence[at - 1] ?? ' ') &&
      !/^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u.test(sentence.slice(at + name.length))
    )
  })
}

/** Callouts: the answer that they quote is about the sender, even some lines further on. */
const senderVerified = /\bsender verif|\bcall(?:out|back) (?:verif|setup|failed)|\bverification failed for\b/

/** The address that a server's answer is about, in front of the answer. */
const repliedTo = /^[^\p{L}\p{N}]{0,6}[^\s<>@]{1,100}@[^\s<>@]{1,200}?>?(?::|\.\.\.|,| -) /u

const ourNouns = [
  /host|hostname|domain|server|mailserver|ip|mx|mta|network|dns|spf|dkim|helo|ehlo|relay|provider|system/,
]

/** Phrases that are never used for a recipient. */
const senderForCertain = anyOf([
  /\b(?:helo|ehlo|lhlo)(?: \/ ?(?:helo|ehlo))? (?:command|name|argument|host|string|domain|identity|greeting|invalid)/,
  /\b(?:bad|invalid|unknown|unresolvable|fake|forged|your|in|wrong) (?:helo|ehlo)\b|\bhelo\/ehlo\b|\b(?:helo|ehlo)[- ]name/,
  /\b(?:helo|ehlo) \S{1,80}:? (?:host|name|domain|does|is|not|unknown)/,
  sequence([
    /\bsender(?:'s)? (?:e-?mail )?/,
    [/address|domain|host|mailbox|account|verif\w+|callout|callback|mx|name|id|<\S{1,200}>/],
  ]),
  /\b(?:domain|address|host|mailbox|mx|name)(?: name| part)? (?:of|in|for|from) (?:the |your |this )?(?:envelope )?sender/,
  /\benvelope[- ](?:sender|from)|\b(?:return|reverse)[- ]path\b(?!:)|\bmail from (?:has|address|domain|command)/,
  /\bdomain of mail from|\bfrom:? (?:header|address|domain|field|line)|\bin (?:the )?from(?::|\b)(?! which)/,
  /\b(?:mail|e-?mail|messages?) from (?:an? |the )?(?:unknown|invalid|non-?existent|unregistered|unresolvable) /,
  /\bclient (?:host|ip|address|name)|\bptr\b|\breverse[- ](?:dns|lookup|name|hostname)|\brdns\b/,
  sequence([
    /\byour (?:\w+ ){0,2}/,
    ourNouns,
    /\b(?:'s)?(?: name| part)?(?: \S{1,80})? (?:is|was|are|does|must|could not be|cannot be|has no|not|unknown|invalid)/,
  ]),
  /\b(?:sending|connecting|originating) (?:host|server|domain|ip|mta|client|system)(?! (?:said|answered))/,
  /\byou (?:announced|introduced|identified)|\b(?:announced|introduced|identified) (?:yourself|itself)/,
  /\bunknown (?:hosts|clients|servers|senders)\b/,
  /\bname was rejected|\bsender policy framework|\b(?:dkim|dmarc|spf)\b/,
  sequence([
    /\b(?:hyper)?(?:links?|urls?|uris?|web ?sites?)\b[^.;]{0,80}/,
    [/unknown|not (?:be )?found|not exist|non-?existent|not registered|unregistered|invalid|unresolvable/],
  ]),
  sequence([
    /(?:unknown|non-?existent|unregistered|invalid|unresolvable) (?:host|domain)s?(?: name)? (?:\S{1,80} )?(?:in|of) /,
    [/(?:the |your |this )?(?:body|text|mail|message|content|link|url|e-?mail)/],
  ]),
])

/** Words for the sender in the languages of servers. Beside a word for the recipient they prove nothing. */
const senderLikely = anyOf(
  [
    sequence([/\byour (?:\w+ ){0,2}/, ourNouns, /\b/]),
    /\bsenders?\b|\bcall(?:out|back)\b|\breputation\b|\bfrom address|\bmail from\b/,
    /absender|versender|expéditeur|expediteur|remitente|mittente|remetente|afzender/,
    /nadawc|odes[ií]latel|odosielate[lľ]|отправител|відправник|подател|пошиљалац|pošiljatelj|pošiljalec/,
    /gönder(?:en|ici)|avsändar|afsender|avsender|lähettäj|felad[óo]|\bküldő|expeditor|αποστολέ/,
    /送信元|送信者|送信側|差出人|発信元|发件人|發件人|寄件[人者]|发送[方者]|發送[方者]|来信人|보낸 ?사람|발신[자인]|송신/,
    /người gửi|pengirim|ผู้ส่ง|المرسل(?! إليه)|השולח|siuntėj|sūtītāj|saatja\b|remitent\b/,
    /\b(?:ihre?[rsm]?|eure?r?) (?:host|server|mailserver|rechner|domain|domäne|ip)/,
    /\bvotre (?:nom d.hôte|serveur|domaine|adresse ip|ip|machine|mta)|\b(?:suo|vostro|tuo) (?:server|dominio|host)/,
    /\bsu (?:servidor|dominio|host|ip)\b|\bseu (?:servidor|domínio|host|ip)\b|\b(?:uw|je) (?:server|mailserver|domein)/,
    /(?:helo|ehlo)\b|ваш(?:его|им|ому)? (?:сервер|домен|хост|ip)|您的(?:服务器|域名|ip)|貴(?:社|方)の?(?:サーバ|ドメイン)/,
  ],
  'u',
)

/** Words for the recipient. */
const recipientNouns = anyOf(
  [
    /\brecipients?\b|\baddressees?\b|\brcpt\b|destinat[aáeo]|destinataire|empfänger|ontvanger|geadresseerde/,
    /odbiorc|adresat|příjem|prijem|získ|получател|адресат|одержувач|получател|primatelj|prejemnik/,
    /alıcı|mottagar|modtager|mottaker|vastaanottaj|címzett|destinatar|παραλήπτ/,
    /宛先|受信者|受取人|收件[人者]|接收[方者]|받는 ?사람|수신[자인]|người nhận|penerima|ผู้รับ|المستلم|المرسل إليه|הנמען/,
  ],
  'u',
)
