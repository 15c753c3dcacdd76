import { headerOf } from './mime.ts'
import type { Mail } from './mail.ts'

/** The message comes from a mail server, not from a person. */
export function isFromDaemon(mail: Mail): boolean {
  const raw = headerOf(mail.root, 'from') ?? ''
  const address = mail.from[0]?.address ?? raw
  const name = mail.from[0]?.name ?? raw
  if (headerOf(mail.root, 'from') !== undefined && /^<?>?$/.test(raw.replace(/\s+/g, ''))) return true
  return daemonAddress.test(address.trim()) || daemonName.test(name)
}

/** The address is one that only mail servers write from. */
export function isFromServer(mail: Mail): boolean {
  const address = mail.from[0]?.address ?? headerOf(mail.root, 'from') ?? ''
  return (
    serverAddress.test(address.trim()) ||
    /mailer.?daemon|mail delivery (?:sub)?system|postmaster/i.test(mail.from[0]?.name ?? '')
  )
}

// An empty address, as in <>, is a server's too.
const serverAddress =
  /^<?(?:mailer-?_?daemon|mail-?daemon|maildaemon|post_?master|poostmaster|double-bounce|mdaemon|microsoftexchange\w{0,40}|qmail-send|no-?reply@.{0,80}(?:dion|auone|amazonses))?(?:[+@.-]|>?$)/i
const daemonAddress =
  /^<?(?:mailer-?_?daemon|mail-?daemon|maildaemon|post_?master|poostmaster|double-bounce|bounces?|bounce-?mail|mail-?delivery|delivery|mdaemon|mailadmin|mail\.?system|mailsystem|exchange|microsoftexchange\w{0,40}|system-?administrator|sysadmin|smtp|mta|qmail-send|autoreply-bounce|returnedmail|mailerror|mail-error|no-?reply@.{0,80}(?:dion|auone|amazonses))(?:[+@.-]|$)/i
const daemonName =
  /mailer.?daemon|mail delivery|delivery (?:sub)?system|delivery (?:service|status|notification)|mail (?:system|administrator|server)|system administrator|postmaster|ndr administrator|microsoft outlook|content[- ]filter|returned mail|mail ?error|mailsubsystem|internet mail|message delivery|mail-?zustell|mailzustellung|почт|система доставки/i

/** The words with which servers in many languages say that something was not delivered; for subjects and for texts. */
export function looksFailed(text: string): boolean {
  return failed.test(text.slice(0, 20_000).replace(/\s+/g, ' '))
}

const failed = new RegExp(
  [
    'undeliver(?:ed|able)',
    'not delivered',
    "(?:could|can|can't|cannot|couldn't|wasn't|was|has|have)(?: ?not)? (?:yet )?(?:be |been )?deliver",
    'unable to deliver',
    'unable to send',
    'delivery (?:has |to .{0,200} )?(?:failed|failure)',
    'delivery status notification ?\\(?(?:failure|delay|mail delivery)',
    'failure notice',
    'failure delivery',
    'fail(?:ed|ure) (?:to deliver|of delivery|mail)',
    'returned (?:mail|to sender|message)',
    'returning (?:message|to|mail)',
    'mail (?:delivery )?fail',
    'message (?:delivery has failed|not sent|you sent blocked|could not be)',
    'mail (?:could|was) not',
    'non.?deliver',
    'delivery (?:error|problem|delayed|report|notification|incomplete|unsuccessful)',
    '(?:did|does) not (?:reach|like our)',
    'wasn.?t able to deliver',
    'was not able to deliver',
    'error delivering',
    'undelivered',
    'permanent (?:fatal )?(?:error|failure)',
    'fatal errors',
    'transcript of session',
    'rejected by (?:a )?(?:remote|the) (?:mail )?server',
    'error has occurred while attempting to deliver',
    'trouble delivering',
    'error sending your (?:mail|message)',
    'had delivery errors',
    'address not found',
    'message not delivered',
    'message blocked',
    'is delayed for more than',
    'rejected (?:by|your)',
    'user unknown',
    'unknown user',
    'no such user',
    'invalid (?:final delivery userid|recipient|user)',
    'mailbox (?:is )?full',
    'storage quota exceeded',
    'mail system error',
    'failure reasons',
    'recipient address rejected',
    'address(?:es)? failed',
    'postmaster notify',
    'considered unsolicited',
    'message blocked',
    'mail_?error',
    'no valid recipients',
    'message could not',
    'delivery attempts',
    'the following address(?:es)? (?:had|failed)',
    'delivery to the following',
    'has not (?:yet )?been delivered',
    'delayed mail',
    'still being retried',
    'warning: (?:message|could not)',
    '\\b550[ -]#?5\\.\\d',
    '\\b55\\d .{0,40}(?:user|recipient|mailbox)',
    'unzustellbar',
    'nicht zugestellt',
    'zustellung .{0,60}(?:fehlgeschlagen|verzögert)',
    'konnte nicht (?:zugestellt|übermittelt|gesendet)',
    'nicht übermittelt',
    'nachricht wurde nicht',
    'zustellungsfehler',
    'fehler bei der (?:nachrichten)?zustellung',
    'bezorging .{0,80}mislukt',
    'leverans\\p{L}{0,3} .{0,80}misslyckades',
    'det går inte att leverera',
    'lever(?:ing|ansen)\\p{L}{0,2} .{0,80}mislyk',
    'recapito non riuscito',
    'não é possível entregar',
    'dostarczeni\\p{L}{1,2} .{0,80}nie powiodło',
    'doručení .{0,80}selhalo',
    'nelze doručit',
    'toimitus .{0,80}epäonnistui',
    'ei voi(?:da)? toimittaa',
    'не удалось выполнить доставку',
    'не удается доставить',
    'non (?:remis|distribu|délivr|livr)',
    "n'a pas (?:pu être|été) (?:remis|distribu|délivr|livr|transmis|envoy)",
    'échec de (?:la )?(?:remise|livraison|distribution)',
    'non remis',
    "impossible (?:de remettre|d'acheminer|de livrer)",
    'no (?:se )?(?:ha podido|pudo|puede) (?:ser )?entreg',
    'no entregado',
    'no se (?:ha )?(?:pudo|podido) (?:entregar|enviar)',
    'error en la entrega',
    'mensaje (?:no )?(?:rechazado|devuelto|no entregado)',
    'devuelto',
    'no se pudo entregar',
    'non recapitabile',
    'mancat[ao] (?:consegna|recapito)',
    'impossibile (?:recapitare|consegnare)',
    'non (?:è stato possibile|può essere) (?:recapit|consegn)',
    'mancato recapito',
    'não (?:foi )?(?:possível entregar|pôde ser entregue|entregue|pode ser entregue)',
    'falha na entrega',
    'mensagem (?:não entregue|devolvida)',
    'onbestelbaar',
    'niet (?:worden )?(?:bezorgd|afgeleverd)',
    'kon niet worden',
    'kan ikke leveres',
    'kunne ikke leveres',
    'ikke levert',
    'ikke leveret',
    'kan inte levereras',
    'kunde inte levereras',
    'olevererbar',
    'ei voitu toimittaa',
    'toimitus epäonnistui',
    'nie (?:można|udało się|została?) (?:dostarczy|dostarczon)',
    'niedostarcz',
    'nedoručitel',
    'nedoručen',
    'kézbesíthetetlen',
    'sikertelen kézbesítés',
    'teslim edilemedi',
    'iletilemedi',
    'iletilmedi',
    'не ?доставлен',
    'недоставлен',
    'не удалось доставить',
    'ошибка доставки',
    'не може бути доставлен',
    'не вдалося доставити',
    'αδύνατη η παράδοση',
    'δεν (?:παραδόθηκε|ήταν δυνατή)',
    '送信できません',
    '配信(?:できません|不能|に失敗|エラー)',
    '配送(?:できません|に失敗|不能)',
    '配達(?:できません|不能)',
    'メールエラー',
    'エラーのため',
    '失敗しました',
    '届けることができません',
    'お届けできません',
    '退信',
    '无法(?:投递|送达|发送)',
    '未(?:送达|送達|送逹)',
    '無法(?:傳遞|送達|投遞|傳送)',
    '投递失败',
    '发送失败',
    '반송',
    '배달(?:되지|할 수|하지)',
    '전송(?:할 수|실패)',
    'לא ניתן למסור',
    'تعذر تسليم',
    'لم يتم تسليم',
    'グループにメッセージを投稿',
    'contact(?:er|ed|ar|o)? .{0,80}(?:group|grupo|groupe|gruppe)',
    'google groups',
  ].join('|'),
  'iu',
)

/** Said to be tried again: no bounce. */
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

const delayedSubject =
  /\bdelay(?:ed)?\b|^\s*warning:? (?:message|could not send|mail)|still being retried|verzögert|retard(?:é|ada|o)|ritard|vertraagd|försenad|forsinket|opóźnion|задерж|遅延|延迟|延遲|could not send message for past/i
const delayedText =
  /this is a warning message only|is delayed for more than|only a temporary failure report|do not need to resend|has not yet been delivered|delivery attempts will continue|(?:message|delivery|it) will (?:be retried|keep (?:being )?(?:tried|trying)|continue (?:to be )?(?:tried|retr))|will (?:keep trying|retry|continue (?:trying|to try))|has been delayed|delay reason|is (?:still )?being retried|server will (?:keep|continue|retry)|wird (?:weiterhin )?versucht|no action is required on your part|temporary (?:problem|failure).{0,80}(?:will|gmail will) (?:retry|be retried)/i
