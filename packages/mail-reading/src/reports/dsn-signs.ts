import { anyOf, optional, sequence } from '@overture/ground/text/patterns.ts'
import { findHeader } from '../mime/mime.ts'
import type { Mail } from '../mime/mail.ts'

const isLocalisedDaemon = anyOf(
  [
    /systemadministrator|administrateur (?:du )?syst[èe]me|administrador (?:del|do) sistema/,
    /amministratore (?:di|del) sistema|systeembeheerder|systemadministratör|administrator systemu/,
    /správce systému|rendszergazda|sistem yöneticisi|системный администратор|系统管理员|系統管理員|邮件系统|郵件系統/,
    /システム管理者|メール配信システム|시스템 관리자|메일 ?시스템|zustellsystem|livraison du courrier/,
    /sistema de (?:correo|entrega|e-?mail)|sistema di posta/,
  ],
  'i',
)

/**
 * Whether a mail server wrote this mail, which reports no bounce. It is neither a person's reply nor an automatic reply. A
 * postmaster counts as a person if only the address suggests a program.
 */
export function isServerNotice(mail: Mail): boolean {
  if (
    mail.root.type === 'multipart/report' &&
    mail.root.parameters.get('report-type')?.toLowerCase() === 'delivery-status'
  )
    return true
  const address = mail.from[0]?.address ?? findHeader(mail.root, 'from') ?? ''
  if (/^<?>?$/.test(address.replace(/\s+/g, '')) || onlyDaemons.test(address.trim())) return true
  if (!isFromServer(mail)) return false
  const submitted = findHeader(mail.root, 'auto-submitted') ?? ''
  return /^\s*auto-/i.test(submitted) || /^\s*<\s*>/.test(findHeader(mail.root, 'return-path') ?? '')
}

const onlyDaemons =
  /^<?(?:mailer-?_?daemon|mail-?daemon|maildaemon|double-bounce|mdaemon|microsoftexchange\w{0,40}|qmail-send)(?:[+@.-]|>?$)/i

/** Whether the message comes from a mail server, not from a person. */
export function isFromDaemon(mail: Mail): boolean {
  const raw = findHeader(mail.root, 'from') ?? ''
  const address = mail.from[0]?.address ?? raw
  const name = mail.from[0]?.name ?? raw
  if (isLocalisedDaemon.test(name)) return true
  // Mail from people has an address in `From`.
  if (/^<?>?$/.test(raw.replace(/\s+/g, ''))) return true
  return daemonAddress.test(address.trim()) || daemonName.test(name)
}

/** Whether only mail servers write from this address. */
export function isFromServer(mail: Mail): boolean {
  const address = mail.from[0]?.address ?? findHeader(mail.root, 'from') ?? ''
  return (
    serverAddress.test(address.trim()) ||
    /mailer.?daemon|mail delivery (?:sub)?system|postmaster/i.test(mail.from[0]?.name ?? '')
  )
}

// An empty address, as in <>, belongs to a server too.
const serverAddress = sequence(
  [
    /^<?/,
    optional([
      /mailer-?_?daemon|mail-?daemon|maildaemon|post_?master|poostmaster|double-bounce|mdaemon/,
      /microsoftexchange\w{0,40}|qmail-send|no-?reply@.{0,80}(?:dion|auone|amazonses)/,
    ]),
    /(?:[+@.-]|>?$)/,
  ],
  'i',
)
const daemonAddress = sequence(
  [
    /^<?/,
    [
      /mailer-?_?daemon|mail-?daemon|maildaemon|post_?master|poostmaster|double-bounce|bounces?/,
      /bounce-?mail|mail-?delivery|delivery|mdaemon|mailadmin|mail\.?system|mailsystem|exchange/,
      /microsoftexchange\w{0,40}|system-?administrator|sysadmin|smtp|mta|qmail-send|autoreply-bounce/,
      /returnedmail|mailerror|mail-error|no-?reply@.{0,80}(?:dion|auone|amazonses)/,
    ],
    /(?:[+@.-]|$)/,
  ],
  'i',
)
const daemonName = anyOf(
  [
    /mailer.?daemon|mail delivery|delivery (?:sub)?system|delivery (?:service|status|notification)/,
    /mail (?:system|administrator|server)|system administrator|postmaster|ndr administrator/,
    /microsoft outlook|content[- ]filter|returned mail|mail ?error|mailsubsystem|internet mail/,
    /message delivery|mail-?zustell|mailzustellung|почт|система доставки/,
  ],
  'i',
)

/** Whether a subject or a text says that a message was not delivered, in one of many languages. */
export function looksFailed(text: string): boolean {
  return failed.test(text.slice(0, 20_000).replace(/\s+/g, ' '))
}

const failed = anyOf(
  [
    /(?:have|has|had) given up|was aborted after|automatically rejected|could not be reached|could not be handed over/,
    /전달하지 못했|배달하지 못했|보내지 못했|aufgegeben|abgebrochen|a été abandonn|se ha abandonad/,
    /undeliver(?:ed|able)|not delivered/,
    /(?:could|can|can't|cannot|couldn't|wasn't|was|has|have)(?: ?not)? (?:yet )?(?:be |been )?deliver/,
    /unable to deliver|unable to send|delivery (?:has |to .{0,200} )?(?:failed|failure)/,
    /delivery status notification ?\(?(?:failure|delay|mail delivery)|failure notice|failure delivery/,
    /fail(?:ed|ure) (?:to deliver|of delivery|mail)|returned (?:mail|to sender|message)/,
    /returning (?:message|to|mail)|mail (?:delivery )?fail/,
    /message (?:delivery has failed|not sent|you sent blocked|could not be)|mail (?:could|was) not/,
    /non.?deliver|delivery (?:error|problem|delayed|report|notification|incomplete|unsuccessful)/,
    /(?:did|does) not (?:reach|like our)|wasn.?t able to deliver|was not able to deliver|error delivering/,
    /undelivered|permanent (?:fatal )?(?:error|failure)|fatal errors|transcript of session/,
    /rejected by (?:a )?(?:remote|the) (?:mail )?server|error has occurred while attempting to deliver/,
    /trouble delivering|error sending your (?:mail|message)|had delivery errors|address not found/,
    /message not delivered|message blocked|is delayed for more than|rejected (?:by|your)|user unknown/,
    /unknown user|no such user|invalid (?:final delivery userid|recipient|user)|mailbox (?:is )?full/,
    /storage quota exceeded|mail system error|failure reasons|recipient address rejected/,
    /address(?:es)? failed|postmaster notify|considered unsolicited|has stopped the following message/,
    /your message was rejected|mail_?error|no valid recipients|message could not|delivery attempts/,
    /the following address(?:es)? (?:had|failed)|delivery to the following|has not (?:yet )?been delivered/,
    /delayed mail|still being retried|warning: (?:message|could not)|\b550[ -]#?5\.\d/,
    /\b55\d .{0,40}(?:user|recipient|mailbox)|unzustellbar|לא ניתן למסירה|המסירה .{0,80}נכשלה/,
    /غير قابلة? للتسليم|فشل التسليم|تعذر (?:تسليم|إرسال|توصيل)|لم يتم (?:تسليم|توصيل)|nelivrab/,
    /livrarea .{0,80}(?:eșuat|esuat)|nu a putut fi livrat|не може да (?:се|бъде) (?:достав|изпрат)/,
    /доставката .{0,80}неуспеш|không (?:thể )?gửi được|không thể gửi|gửi không thành công|không gửi được/,
    /ส่งไม่ได้|ไม่สามารถ(?:ส่ง|นำส่ง)|การส่ง.{0,80}ล้มเหลว|ส่งไม่สำเร็จ/,
    /tidak (?:dapat |bisa |boleh )?(?:terkirim|dikirim|dihantar|disampaikan)/,
    /gagal (?:dikirim|mengirim|dihantar|terkirim)|pengiriman .{0,80}gagal/,
    /ne može (?:da )?se (?:isporuči|dostavi)|nije (?:moguće )?(?:isporučen|dostavljen|isporučiti|dostaviti)/,
    /isporuka .{0,80}nije uspjela|neisporuč|не може да се испоручи|испорука .{0,80}није успела/,
    /ni mogoče dostaviti|nedostavljiv|dostava .{0,80}ni uspela|doručenie .{0,80}zlyhalo/,
    /doručení .{0,80}(?:nezdařilo|nezdarilo|neúspěš)|nepristat|pristatyti .{0,80}nepavyko|nepiegād/,
    /neizdevās piegādāt|piegāde .{0,80}neizdevās|kohaletoimetamatu|kättetoimetamatu/,
    /(?:kohale|kätte) ?toimetamine .{0,80}(?:nurjus|ebaõnnestus)|no es pot lliurar|no s.ha pogut lliurar/,
    /el lliurament .{0,80}ha fallat|η παράδοση .{0,80}απέτυχε|δεν είναι δυνατή η παράδοση|μη παραδόσιμ/,
    /a kézbesítés .{0,80}(?:nem sikerült|sikertelen)|डिलीवर नहीं|वितरित नहीं|वितरण .{0,80}विफल/,
    /تحویل .{0,80}(?:نشد|ناموفق)|غیر ?قابل تحویل|ekki (?:hægt að afhenda|afhent)/,
    /ekki tókst að (?:afhenda|senda)|발송 ?실패|전송되지 못|전송(?:에|을) 실패|전달(?:되지|할 수)|배달 ?실패|보내지 못|送信に失敗|送信エラー/,
    /配信(?:に)?失敗|届きませんでした|届かなかった|不達|戻ってきました|宛先不明|(?:投递|投遞|发送|發送|传送|傳送|递送|遞送)(?:失败|失敗|错误|錯誤|不成功)|无法传递|被退回/,
    /退回(?:通知|邮件|郵件)|退件|livraison .{0,80}(?:échoué|impossible)|distribution .{0,80}(?:échoué|impossible)/,
    /remise .{0,60}(?:échoué|impossible)|(?:message|courriel|mail) (?:est )?(?:retourné|refusé)/,
    /entrega .{0,80}(?:ha fallado|falló|fallida|falhou|não foi possível)/,
    /(?:correo|mensaje|mail) .{0,40}no (?:pudo|ha podido) ser/,
    /consegna .{0,80}(?:fallit|non riuscit|impossibile)/,
    /messaggio .{0,60}non (?:è stato|può essere) (?:consegnat|recapitat|inviat)|aflevering .{0,80}mislukt/,
    /(?:niet|kon niet) (?:worden )?(?:afgeleverd|bezorgd|verzonden)|dostarczeni\p{L}{1,2} .{0,80}niemożliw/u,
    /nie zosta(?:ła|ło|ł) (?:dostarcz|wysłan|doręcz)|zwrot (?:wiadomości|poczty|listu)|niedoręcz/,
    /leveringen? .{0,80}(?:fejlede|feilet|mislykkedes|mislyktes)|leveransen? .{0,80}misslyckad/,
    /не удалось (?:отправить|доставить|выполнить)/,
    /(?:письмо|сообщение) .{0,60}не (?:может быть|было) (?:доставлен|отправлен)/,
    /возвра[щт]\p{L}{1,6} (?:письм|почт|сообщен)|невозможно доставить|не вдалося (?:доставити|надіслати)/u,
    /nicht zugestellt|zustellung .{0,60}(?:fehlgeschlagen|verzögert)/,
    /konnte nicht (?:zugestellt|übermittelt|gesendet)|nicht übermittelt|nachricht wurde nicht/,
    /zustellungsfehler|fehler bei der (?:nachrichten)?zustellung|bezorging .{0,80}mislukt/,
    /leverans\p{L}{0,3} .{0,80}misslyckades|det går inte att leverera/u,
    /lever(?:ing|ansen)\p{L}{0,2} .{0,80}mislyk|recapito non riuscito|não é possível entregar/u,
    /dostarczeni\p{L}{1,2} .{0,80}nie powiodło|doručení .{0,80}selhalo|nelze doručit/u,
    /toimitus .{0,80}epäonnistui|ei voi(?:da)? toimittaa|не удалось выполнить доставку|не удается доставить/,
    /non (?:remis|distribu|délivr|livr)/,
    /n'a pas (?:pu être|été) (?:remis|distribu|délivr|livr|transmis|envoy)/,
    /échec de (?:la )?(?:remise|livraison|distribution)|non remis/,
    /impossible (?:de remettre|d'acheminer|de livrer)|no (?:se )?(?:ha podido|pudo|puede) (?:ser )?entreg/,
    /no entregado|no se (?:ha )?(?:pudo|podido) (?:entregar|enviar)|error en la entrega/,
    /mensaje (?:no )?(?:rechazado|devuelto|no entregado)|devuelto|no se pudo entregar|non recapitabile/,
    /mancat[ao] (?:consegna|recapito)|impossibile (?:recapitare|consegnare)/,
    /non (?:è stato possibile|può essere) (?:recapit|consegn)|mancato recapito/,
    /não (?:foi )?(?:possível entregar|pôde ser entregue|entregue|pode ser entregue)|falha na entrega/,
    /mensagem (?:não entregue|devolvida)|onbestelbaar|niet (?:worden )?(?:bezorgd|afgeleverd)/,
    /kon niet worden|kan ikke leveres|kunne ikke leveres|ikke levert|ikke leveret|kan inte levereras/,
    /kunde inte levereras|olevererbar|ei voitu toimittaa|toimitus epäonnistui/,
    /nie (?:można|udało się|została?) (?:dostarczy|dostarczon)|niedostarcz|nedoručitel|nedoručen/,
    /kézbesíthetetlen|sikertelen kézbesítés|teslim edilemedi|iletilemedi|iletilmedi|не ?доставлен/,
    /недоставлен|не удалось доставить|ошибка доставки|не може бути доставлен|не вдалося доставити/,
    /αδύνατη η παράδοση|δεν (?:παραδόθηκε|ήταν δυνατή)|送信できません|配信(?:できません|不能|に失敗|エラー)|配送(?:できません|に失敗|不能)/,
    /配達(?:できません|不能)|メールエラー|エラーのため|失敗しました|届けることができません|お届けできません|退信|无法(?:投递|送达|发送)|未(?:送达|送達|送逹)/,
    /無法(?:傳遞|送達|投遞|傳送)|投递失败|发送失败|반송|배달(?:되지|할 수|하지)|전송(?:할 수|실패)|לא ניתן למסור|تعذر تسليم|لم يتم تسليم/,
    /グループにメッセージを投稿|contact(?:er|ed|ar|o)? .{0,80}(?:group|grupo|groupe|gruppe)|google groups/,
  ],
  'iu',
)

/** Whether the server will try again, so that this is no bounce. */
export function looksDelayed(subject: string, text: string): boolean {
  const start = text.slice(0, 8_000).replace(/\s+/g, ' ')
  if (
    /(?:permanent(?:ly)?|fatal|given up|giving up on|not going to try|no longer be retried|will not be retried|undeliverable)/i.test(
      start,
    ) &&
    !delayedSubject.test(subject)
  )
    return false
  return delayedSubject.test(subject) || delayedText.test(start)
}

const delayedSubject = anyOf(
  [
    /\bdelay(?:ed)?\b|^\s*warning:? (?:message|could not send|mail)|still being retried|verzögert/,
    /retard(?:é|ada|o)|ritard|vertraagd|försenad|forsinket|opóźnion|задерж|遅延|延迟|延遲/,
    /could not send message for past/,
  ],
  'i',
)
const delayedText = anyOf(
  [
    /this is a warning message only|is delayed for more than|only a temporary failure report/,
    /do not need to resend|has not yet been delivered|delivery attempts will continue/,
    sequence([
      /(?:message|delivery|it) will /,
      [/be retried|keep (?:being )?(?:tried|trying)|continue (?:to be )?(?:tried|retr)/],
    ]),
    /will (?:keep trying|retry|continue (?:trying|to try))|has been delayed|delay reason/,
    /is (?:still )?being retried|server will (?:keep|continue|retry)|wird (?:weiterhin )?versucht/,
    /no action is required on your part/,
    /temporary (?:problem|failure).{0,80}(?:will|gmail will) (?:retry|be retried)/,
  ],
  'i',
)
