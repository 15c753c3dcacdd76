import { anyOf, sequence } from '@overture/ground/text/patterns.ts'

const attributionVerbs = [
  /wrote|writes|said|says|schrieb(?: am)?|schreibt|geschrieben|a écrit|à écrit|écrit|ha escrito/,
  /escribi[oó]|escribe|escrigué|va escriure|ha scritto|scriveva|scrive|escreveu|schreef|geschreven/,
  /geschreven:|het volgende geschreven|skrev|skrev följande|skreiv|skrifaði|kirjoitti|napisał(?:\(a\)|a)?/,
  /pisze|napsal(?:\(a\)|a)?|napísal(?:\(a\)|a)?|napisa[ol](?:\(la\))?|написал(?:а|\(а\))?|пишет|пише/,
  /написав(?:\(ла\))?|написала|a scris|írta|ezt írta|yazdı|şunu yazdı|έγραψε|kirjutas|rakstīja|rašė|είπε/,
  /viết|đã viết|menulis|写道|写道|寫道|のメール|さんは書きました|が書きました|님이 작성|작성|כתב|כתבה|كتب|نوشت|wrote ----/,
]

/** `On …, … wrote:` in many languages, as one line with wraps joined. */
const worded: readonly RegExp[] = [
  sequence(
    [
      /^[-\s>*_]{0,8}(?=[^\n]{0,400}\d)[^\n]{2,400}[\s>)"”»,、，]/,
      attributionVerbs,
      /(?:\s(?:am|op|le|el|il|em|den|on|på|kl\.?|at|v)\s[^\n]{0,80})?/,
      /\s{0,3}(?:[:：∶](?: ?-{2,6})?|-{2,6}|\.{3})?\s{0,3}$/,
    ],
    'iu',
  ),
  sequence(
    [
      /^[^\n]{1,200}<[^<>\s]{1,200}@[^<>\s]{1,200}\s?>[^\n]{0,60}/,
      attributionVerbs,
      /[^\n]{0,100}[:：](?: ?-{2,6})?\s{0,3}$/,
    ],
    'iu',
  ),
  sequence([/^[^\n]{0,20}/, attributionVerbs, / [^\n]{0,12}\d[^\n]{0,60}:\s{0,3}$/], 'iu'),
  // Am 02.03.26 um 09:00 schrieb Name:
  sequence(
    [
      /^(?=[^\n]{0,80}\d[^\n]{1,60}\d[:.]\d{2})[^\n]{4,120}\d[:.]\d{2}(?: ?(?:uhr|h|uur))?,? /,
      [/schrieb|schreef|skrev|skreiv|escribió|escreveu|a écrit|ha scritto|wrote/],
      / [^\n!?]{1,120}[:：]\s*$/,
    ],
    'iu',
  ),
]
const wordedVerb = anyOf(attributionVerbs, 'iu')

/** Attributions without a verb. An address or the characters of the date identify them. */
const wordless: readonly RegExp[] = [
  // 2013/7/20 Name <address>, and the same with the address alone
  sequence(
    [
      /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T]\d{1,2}:\d{2}(?: GMT[+-]\d{1,2}:?\d{0,2})?)?,? /,
      /[^\n]{0,120}<\s?[^<>\s]{1,200}@[^<>\s]{1,200}\s?>:?\s*$/,
    ],
    'iu',
  ),
  /^(?:On|Le|Am|El|Il|Em|Op|Den|På) [^\n]{4,120}\d[^\n]{0,120}<[^<>\s]{1,200}@[^<>\s]{1,200}\s?>[^\n]{0,20}:?\s*$/iu,
  // 20 окт. 2016 г. 19:37 "Name" <address> …:
  /^\d{1,2}[. ]{1,2}[^\n\d]{2,12}[. ]{1,2}\d{4}[^\n]{0,160}<[^<>\s]{1,200}@[^<>\s]{1,200}\s?>[^\n]{0,40}:\s*$/iu,
  // Gmail in languages without a verb: …, 2 мар. 2026 г. в 09:00, Name <address>:
  /^[^\n]{0,120}\d{1,2}[:.]\d{2}[^\n]{0,120}<[^<>\s]{1,200}@[^<>\s]{1,200}\s?>\s?[:：]\s*$/u,
  // An address in brackets, a year and a time, in any order and language: Missatge de Name <address> del dia …:
  sequence(
    [
      /^(?=[^\n]{0,300}<[^<>\s]{1,200}@[^<>\s]{1,200}>)(?=[^\n]{0,300}(?:19|20)\d\d(?!\d))/,
      /(?=[^\n]{0,300}\d{1,2}[:.]\d{2}(?!\d))[^\n]{10,300}[:：]\s*$/,
    ],
    'u',
  ),
  /^在\s?\d[^\n]{4,200}(?:写道|寫道)?[:：]\s*$/u,
  /^\d{4}年\d{1,2}月\d{1,2}日[^\n]{0,160}(?:<[^<>\s]{1,200}>|さん)?[^\n]{0,20}[:：]\s*$/u,
]

/** Line beginnings after which the next lines are joined to see whether they form an attribution. */
const attributionStart = sequence(
  [
    /^[-\s>*_]{0,8}/,
    [
      sequence([
        [
          /on|le|am|el|il|em|op|den|på|dnia|w dniu|dne|dňa|v|kl|a|în|pe|tarihinde|στις|vào|pada|ngày/,
          /в|у|пн|вт|ср|чт|пт|сб|вс|mon|tue|wed|thu|fri|sat|sun|lun|mar|mer|jeu|ven|sam|dim|mo|di|mi/,
          /do|fr|sa|so/,
        ],
        /(?!\p{L})/u,
      ]),
      /\d{1,4}|["“„«]?[\p{L}.'-]{1,40}(?: [\p{L}.'"()-]{1,40}){0,5} ?["”]?\s?<|在|於|-{2,}/u,
    ],
  ],
  'iu',
)

export function isAttribution(joined: string): boolean {
  const line = joined.trim().replace(/<\s?mailto:[^<>]{0,200}</i, '<')
  if (line.length < 8 || line.length > 500) return false
  if (/[@年在]/.test(line) && wordless.some((pattern) => pattern.test(line))) return true
  // The cheap checks come first, because the patterns try the verb at every position.
  return /\d|@/.test(line) && wordedVerb.test(line) && worded.some((pattern) => pattern.test(line))
}

/** Whether a line in any language is an attribution: an address in brackets, a year and a time in any order, and a colon at the end. */
export function asAddressedAttribution(line: string): boolean {
  return (
    line.length <= 500 &&
    /[:：]$/.test(line) &&
    /[<(]\s?[^<>()\s]{1,200}@[^<>()\s]{1,200}\s?[>)]/.test(line) &&
    /(?<!\d)(?:19|20|25)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2}(?!\d)/.test(line) &&
    /\d{1,2}[:.]\d{2}(?!\d)/.test(line)
  )
}

/** A line with a whole date. Some programs write nothing else about the message that they quote. */
export const datedLine =
  /^(?=.{0,120}?(?:(?<!\d)(?:19|20|25)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2}(?!\d)))[^<>@\n?!]{6,120}[:：]\s*$/u

export function saysWrote(line: string): boolean {
  return wordedVerb.test(line)
}

export function mayBeginAttribution(line: string): boolean {
  return line.length <= 300 && attributionStart.test(line) && (/\d/.test(line) || /<\s*$|@/.test(line))
}

/** Help desks ask for replies above this line. The text below it may be theirs. */
export const replyLine =
  /^[ \t]{0,4}[#=]{2,10}-? ?please (?:reply|write|type|respond|answer)[^\n]{0,30} (?:above|over) (?:this|the) line[^\n]{0,40}$/iu
/** GroupWise: >>> Name <address> date >>> */
export const groupWise = /^>>> [^\n>]{1,120}(?:<[^<>\n]{1,200}> ?)?[^\n>]{0,40}\d[^\n>]{0,40}>>>\s*$/u

/** Lines after which everything is the quoted message. */
const dividers: readonly RegExp[] = [
  sequence(
    [
      /^[ \t>]{0,4}[-_=*]{2,40} ?/,
      [
        /original|forwarded|ursprüngliche|originalnachricht|weitergeleitete|urspr\.|message d'origine/,
        /(?:message|mail|courriel) original|message transféré|mensaje original|mensagem original/,
        /mensaje reenviado|messaggio originale|messaggio inoltrato|messaggio orig|oorspronkelijk/,
        /doorgestuurd|ursprungligt|vidarebefordrat|oprindelig|opprinnelig|videresendt/,
        /wiadomość oryginalna|oryginalna wiadomość|původní|pôvodná|исходное|пересылаемое|пересланное/,
        /оригинальное|начало переадрес|eredeti|mesaj original|orijinal|reply message|αρχικό/,
        /alkuperäinen|original-?nachricht|原始邮件|原始郵件|原邮件|原文|转发|轉寄|元のメッセージ|転送|원본|전달된|ההודעה המקורית/,
        /الرسالة الأصلية|antwort|reply|in reply/,
      ],
      /[^\n]{0,40}?[-_=*]{0,40}\s*$/,
    ],
    'iu',
  ),
  sequence(
    [
      /^[ \t]{0,4}/,
      [
        /Begin forwarded message|Anfang der weitergeleiteten (?:Nachricht|E-Mail)/,
        /Début du message (?:réexpédié|transféré)|Inicio del mensaje reenviado/,
        /Inizio messaggio inoltrato|Início da mensagem (?:re)?encaminhada|Vidarebefordrat brev/,
        /Videresendt melding|Begin doorgestuurd bericht|Początek przekazywanej wiadomości/,
        /Начало переадресованного сообщения|转发的邮件|転送されたメッセージ/,
      ],
      /\s?[:：]?\s*$/,
    ],
    'iu',
  ),
  replyLine,
  /^[ \t]{0,4}[-*]{2,10} ?(?:please )?(?:reply|write|type|respond|answer)[^\n]{0,30} (?:above|over) (?:this|the) line[^\n]{0,40}$/iu,
]

export function isDivider(line: string): boolean {
  return line.length <= 160 && dividers.some((pattern) => pattern.test(line))
}

// The words of a divider without its dashes, as some phones write them.
const bareDivider = sequence(
  [
    /^[ \t]{0,8}/,
    [
      /original message|ursprüngliche nachricht|message d['’]origine|mensaje original/,
      /mensagem original|messaggio originale|oorspronkelijk bericht|ursprungligt meddelande/,
      /oprindelig meddelelse|wiadomość oryginalna|исходное сообщение/,
    ],
    /\s{0,3}[:：]?[ \t]*$/,
  ],
  'iu',
)

/** Whether a line is a long rule of `_` or `-`, which divides if message headers follow it. */
export function isRule(line: string): boolean {
  return /^[ \t]*(?:[_\-=*~#–—─━═⎯][ \t]?){5,200}$/.test(line) || bareDivider.test(line)
}

const headerNames = [
  /from|sent|to|cc|bcc|date|subject|reply-to|importance|attachments?|sender|received|message-id|von/,
  /gesendet|an|kopie|datum|betreff|absender|antwort an|de|envoyé|à|a|objet|date d'envoi|expéditeur/,
  /destinataires?|enviado(?: el| em)?|para|asunto|assunto|fecha|data|da|inviato|oggetto|risposta/,
  /per conto|van|verzonden|aan|onderwerp|från|fra|skickat|sendt|till|til|ämne|emne|lähettäjä|lähetetty/,
  /vastaanottaja|aihe|päivä|od|wysłano|do|temat|odesláno|komu|předmět|odoslané|predmet|от|отправлено|дата/,
  /кому|тема|копия|від|надіслано|feladó|elküldve|címzett|tárgy|de la|trimis|către|subiect|kimden|gönderen/,
  /gönderildi|kime|konu|tarih|από|στάλθηκε|προς|θέμα|发件人|发送时间|收件人|抄送|主题|寄件者|寄件日期|收件者|主旨|日期|差出人|送信日時|送信者/,
  /宛先|件名|日時|보낸 사람|보낸 날짜|받는 사람|제목|날짜|מאת|נשלח|אל|נושא|من|إلى|الموضوع|التاريخ/,
]
const headerLine = sequence([/^[ \t>|*]{0,6}/, headerNames, /\*{0,2}\s?[:：]\*{0,2}(?:\s|$)[^\n]{0,400}$/], 'iu')
const fromLine = sequence(
  [
    /^[ \t>|*]{0,6}/,
    [
      /from|von|de|da|van|från|fra|lähettäjä|od|от|від|feladó|de la|kimden|gönderen|από|发件人|寄件者|差出人/,
      /보낸 사람|מאת|من|expéditeur|absender|sender/,
    ],
    /\*{0,2}\s?[:：]/,
  ],
  'iu',
)

export function isHeaderLine(line: string): boolean {
  return line.length <= 420 && headerLine.test(line)
}

export function isFromLine(line: string): boolean {
  return line.length <= 420 && fromLine.test(line)
}

/** Lines that programs and phones add below the written text. */
const deviceSignatures: readonly RegExp[] = [
  sequence(
    [
      /^\W{0,4}/,
      [
        /sent|from|get|envoyé|enviado|inviato|gesendet|von meinem|diese nachricht wurde von|verzonden/,
        /verstuurd|skickat|sendt|lähetetty|wysłan[eo]|odesláno|odoslané|отправлено|надіслано|gönderildi/,
        /στάλθηκε|trimis|küldve|dikirim|provenant|sänt|skickades|obtenir|téléchargez|obtener/,
        /holen sie sich|descarga|scarica|sent by|enviada?/,
      ],
      /(?!\p{L})[^\n]{0,30}?(?<!\p{L})/u,
      [
        /i-?phone\p{Ll}{0,4}|ipad\p{Ll}{0,4}|ipod|android|blackberry|samsung|galaxy|huawei|xiaomi|nokia/u,
        /htc|alcatel|motorola|pixel|mobile|mobil\w{0,12}|phone|telefon\w{0,8}|smartphone|tablet|cell/,
        /device|outlook|mail(?:box)?|yahoo|gmail|windows|airmail|spark|proton ?mail|tutanota/,
        /thunderbird|aol|handy|móvil|celular|téléphone|portable|ti-\d\d|mail\.ru|яндекс\S*|iphone'?a/,
        /айфон\S*|mail para|correo|e-?mail app|superhuman|front|shortwave|missive/,
      ],
      /(?!\p{L})[^\n]{0,120}$/u,
    ],
    'iu',
  ),
  /^\W{0,4}(?:從我的|从我的|發自我的|发自我的|来自我的|iPhoneから送信|나의|내)[^\n]{0,40}$/u,
  /^[^\n]{0,20}(?:から送信|에서 보냄)[^\n]{0,10}$/u,
  /^(?:由|从|從|自|通过|透過|使用|用)[^\n。，]{1,20}(?:发送|傳送|发出|寄出)。?$/u,
  /^\W{0,4}get \[?outlook for [^\n]{1,80}$/iu,
  /^\W{0,4}sent (?:with|using|via|from) (?:my )?[^\n.!?]{2,60}$/iu,
]

export function isDeviceSignature(line: string): boolean {
  return line.length <= 220 && deviceSignatures.some((pattern) => pattern.test(line))
}

/** `-- ` of RFC 3676, and its common typing errors. */
export function isSignatureMark(line: string): boolean {
  return /^[ \t]{0,2}(?:--|—|––|__)[ \t]{0,2}$/.test(line)
}

/** "wrote:" alone in a line, after the bracket of a wrapped address. */
export function endsAttribution(line: string | undefined): boolean {
  return line !== undefined && /^\s{0,3}>?\s?[\p{L}()]{3,20}(?: [\p{L}()]{2,12})?\s?:$/u.test(line)
}

/** Whether a line ends a sentence. The full stop of a date or an abbreviation does not. */
export function endsSentence(line: string): boolean {
  return /[.!?]$/.test(line.trim()) && !/\d\.$|\b(?:г|р|kl|uhr|nachm|vorm|a\.m|p\.m)\.$/i.test(line.trim())
}
