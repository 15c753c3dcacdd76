import { describe, expect, test } from 'vitest'
import { inspectMessage } from './classify/inspect.ts'

/** Reports in the words of many servers. Each was written down from the server's format before the rules were tried on it. */
interface Sample {
  name: string
  from?: string
  subject: string
  /** Field lines of `message/delivery-status` for the recipient. If absent, the report has only text. */
  fields?: string[]
  text: string[]
  headers?: string[]
  type: 'hard' | 'soft' | 'block' | 'delayed'
  recipient?: string | null
  status?: string
}

const who = 'ada@there.test'
const failed = (status: string, diagnostic: string, action = 'failed') => [
  `Final-Recipient: rfc822;${who}`,
  `Action: ${action}`,
  `Status: ${status}`,
  `Diagnostic-Code: ${diagnostic}`,
]

function raw({ from = 'Mail Delivery System <MAILER-DAEMON@mx.test>', subject, fields, text, headers = [] }: Sample) {
  const encoded = `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`
  const head = [
    `From: ${from}`,
    'To: sender@example.com',
    `Subject: ${encoded}`,
    'Date: Mon, 02 Mar 2026 09:00:00 +0000',
    'Message-ID: <report@mx.test>',
    'MIME-Version: 1.0',
    ...headers,
  ]
  const plain = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', ...text]
  if (fields === undefined) return Buffer.from([...head, ...plain].join('\r\n'))
  return Buffer.from(
    [
      ...head,
      'Content-Type: multipart/report; report-type=delivery-status; boundary="=_x"',
      '',
      '--=_x',
      ...plain,
      '--=_x',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns;mx.test',
      '',
      ...fields,
      '',
      '--=_x',
      'Content-Type: message/rfc822',
      '',
      'From: sender@example.com',
      `To: ${who}`,
      'Message-ID: <out@example.com>',
      'Subject: Hello',
      '',
      'Hi',
      '--=_x--',
    ].join('\r\n'),
  )
}

const outlook = 'Microsoft Outlook <postmaster@there.test>'
const exchange = 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@there.test>'

const samples: Sample[] = [
  {
    name: 'Microsoft 365, not found',
    from: exchange,
    subject: 'Undeliverable: Hello',
    text: ["Your message to ada@there.test couldn't be delivered.", "ada wasn't found at there.test."],
    fields: failed(
      '5.1.10',
      'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@there.test not found by SMTP address lookup',
    ),
    type: 'hard',
    status: '5.1.10',
  },
  {
    name: 'Microsoft 365, edge blocking',
    from: exchange,
    subject: 'Undeliverable: Hello',
    text: ['Your message wasn’t delivered to anyone because it was blocked.'],
    fields: failed(
      '5.4.1',
      'smtp;550 5.4.1 Recipient address rejected: Access denied. [AM6EUR05FT047.eop-eur05.prod.protection.test]',
    ),
    type: 'hard',
    status: '5.4.1',
  },
  {
    name: 'Microsoft 365, group closed to strangers',
    from: exchange,
    subject: 'Undeliverable: Hello',
    text: ["The group sales only accepts messages from people in its organization, and your email address isn't."],
    fields: failed(
      '5.7.133',
      'smtp;550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery ' +
        'restriction check failed because the sender was not authenticated when sending to this group',
    ),
    type: 'block',
    status: '5.7.133',
  },
  {
    name: 'Microsoft 365, mailbox full',
    from: exchange,
    subject: 'Undeliverable: Hello',
    text: ["The recipient's mailbox is full and can't accept messages now."],
    fields: failed(
      '5.2.2',
      'smtp;554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded',
    ),
    type: 'soft',
    status: '5.2.2',
  },
  {
    name: 'Microsoft 365, transport rule',
    from: exchange,
    subject: 'Undeliverable: Hello',
    text: ['A custom mail flow rule created by an admin at there.test has blocked your message.'],
    fields: failed(
      '5.7.1',
      'smtp;550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy',
    ),
    type: 'block',
  },
  {
    name: 'Microsoft 365, DMARC',
    from: exchange,
    subject: 'Undeliverable: Hello',
    text: ['Your message was rejected.'],
    fields: failed(
      '5.7.509',
      'smtp;550 5.7.509 Access denied, sending domain EXAMPLE.COM does not pass DMARC verification and has a DMARC policy of reject.',
    ),
    type: 'block',
  },
  {
    name: 'Microsoft 365, vague outer status',
    from: exchange,
    subject: 'Undeliverable: Hello',
    text: ["Your message to ada@there.test couldn't be delivered."],
    fields: failed(
      '5.0.350',
      'smtp;550 5.0.350 Remote server returned an error -> 550 5.1.1 <ada@there.test>: Email address could not ' +
        'be found, or was misspelled (G8)',
    ),
    type: 'hard',
    status: '5.1.1',
  },
  {
    name: 'Microsoft 365, gave up',
    from: exchange,
    subject: 'Undeliverable: Hello',
    text: ["Couldn't connect to the destination email system after many tries."],
    fields: failed(
      '5.4.300',
      'smtp;550 5.4.300 Message expired -> 451 4.4.0 Primary target IP address responded with: "421 4.4.2 ' +
        'Connection dropped due to SocketError."',
    ),
    type: 'soft',
  },
  {
    name: 'Microsoft 365, no such domain',
    from: exchange,
    subject: 'Undeliverable: Hello',
    text: ["Your message couldn't be delivered because the domain couldn't be found."],
    fields: failed('5.4.310', 'smtp;550 5.4.310 DNS domain there.test does not exist [Message=InfoDomainNonexistent]'),
    type: 'hard',
  },
  {
    name: 'Exchange, delayed',
    from: outlook,
    subject: 'Delivery delayed: Hello',
    text: [
      'Delivery to these recipients or groups has been delayed.',
      "This message hasn't been delivered yet. Delivery will continue to be attempted.",
      'The server will keep trying to deliver this message for the next 1 days, 19 hours and 58 minutes.',
    ],
    fields: [`Final-recipient: RFC822; ${who}`, 'Action: delayed', 'Status: 4.4.7', 'X-Display-Name: Ada'],
    type: 'delayed',
  },
  {
    name: 'Exchange, German words alone',
    from: outlook,
    subject: 'Unzustellbar: Hallo',
    text: [
      'Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Gruppen:',
      '',
      'ada@there.test',
      'Die eingegebene E-Mail-Adresse konnte nicht gefunden werden. Überprüfen Sie die E-Mail-Adresse des Empfängers.',
      '',
      'Diagnoseinformationen für Administratoren:',
      'Generierender Server: mx.there.test',
      'ada@there.test',
      'mx.there.test #550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##',
    ],
    type: 'hard',
    status: '5.1.1',
  },
  {
    name: 'Exchange, French words alone',
    from: outlook,
    subject: 'Non remis : Bonjour',
    text: [
      'Échec de la remise pour ces destinataires ou groupes :',
      '',
      'ada@there.test',
      "La boîte aux lettres du destinataire est pleine et ne peut pas accepter de messages pour l'instant.",
      '',
      'Informations de diagnostic pour les administrateurs :',
      '#554 5.2.2 mailbox full ##',
    ],
    type: 'soft',
    status: '5.2.2',
  },
  {
    name: 'Exchange, Spanish words without any code',
    from: outlook,
    subject: 'No se puede entregar: Hola',
    text: [
      'No se pudo entregar el mensaje a estos destinatarios o grupos:',
      '',
      'ada@there.test',
      'No se encontró la dirección de correo electrónico que ha especificado. Compruebe la dirección e intente enviar el mensaje de nuevo.',
    ],
    type: 'hard',
  },
  {
    name: 'Exchange, Italian words without any code',
    from: outlook,
    subject: 'Non recapitabile: Ciao',
    text: [
      'Recapito non riuscito per i seguenti destinatari o gruppi:',
      '',
      'ada@there.test',
      "Impossibile trovare l'indirizzo di posta elettronica immesso.",
    ],
    type: 'hard',
  },
  {
    name: 'Exchange, Portuguese',
    from: outlook,
    subject: 'Não é possível entregar: Olá',
    text: [
      'Falha na entrega para estes destinatários ou grupos:',
      '',
      'ada@there.test',
      'O endereço de email inserido não foi encontrado.',
      '#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##',
    ],
    type: 'hard',
  },
  {
    name: 'Exchange, Dutch',
    from: outlook,
    subject: 'Onbestelbaar: Hallo',
    text: [
      'Bezorging aan deze geadresseerden of groepen is mislukt:',
      '',
      'ada@there.test',
      'Het ingevoerde e-mailadres kan niet worden gevonden.',
    ],
    type: 'hard',
  },
  {
    name: 'Exchange, Polish',
    from: outlook,
    subject: 'Nie można dostarczyć: Witam',
    text: [
      'Dostarczenie wiadomości do następujących adresatów lub grup nie powiodło się:',
      '',
      'ada@there.test',
      'Nie można odnaleźć wprowadzonego adresu e-mail.',
    ],
    type: 'hard',
  },
  {
    name: 'Exchange, Japanese',
    from: outlook,
    subject: '配信不能: こんにちは',
    text: [
      '次の受信者またはグループへの配信に失敗しました:',
      '',
      'ada@there.test',
      '入力した電子メール アドレスが見つかりませんでした。',
      '#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##',
    ],
    type: 'hard',
  },
  {
    name: 'Exchange, Chinese',
    from: outlook,
    subject: '无法送达: 您好',
    text: ['向这些收件人或组发送邮件失败:', '', 'ada@there.test', '找不到你输入的电子邮件地址。'],
    type: 'hard',
  },
  {
    name: 'Exchange, Swedish, full',
    from: outlook,
    subject: 'Det går inte att leverera: Hej',
    text: [
      'Leverans till följande mottagare eller grupper misslyckades:',
      '',
      'ada@there.test',
      'Mottagarens postlåda är full och kan inte ta emot meddelanden just nu.',
    ],
    type: 'soft',
  },
  {
    name: 'Exchange, Russian',
    from: outlook,
    subject: 'Недоставленное: Здравствуйте',
    text: [
      'Не удалось выполнить доставку следующим получателям или группам:',
      '',
      'ada@there.test',
      'Не удалось найти указанный адрес электронной почты.',
    ],
    type: 'hard',
  },
  {
    name: 'Gmail, address not found',
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.test>',
    subject: 'Delivery Status Notification (Failure)',
    headers: [`X-Failed-Recipients: ${who}`, 'Auto-Submitted: auto-replied'],
    text: [
      '** Address not found **',
      '',
      "Your message wasn't delivered to ada@there.test because the address couldn't be found, or is unable to receive mail.",
    ],
    fields: failed(
      '5.1.1',
      'smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try\n 550-5.1.1 ' +
        "double-checking the recipient's email address for typos or\n 550 5.1.1 unnecessary spaces.",
    ),
    type: 'hard',
    status: '5.1.1',
  },
  {
    name: 'Gmail, domain without records',
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.test>',
    subject: 'Delivery Status Notification (Failure)',
    text: [
      '** Address not found **',
      '',
      "Your message wasn't delivered to ada@there.test because the domain there.test couldn't be found.",
    ],
    fields: failed(
      '4.0.0',
      "smtp; DNS Error: DNS type 'mx' lookup of there.test responded with code NXDOMAIN Domain name not found: there.test",
    ),
    // A name server may be wrong for a day, so only a status of class 5 makes it hard.
    type: 'soft',
  },
  {
    name: 'Gmail, over quota after days',
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.test>',
    subject: 'Delivery Status Notification (Failure)',
    text: [
      '** Recipient inbox full **',
      '',
      "Your message couldn't be delivered to ada@there.test. Their inbox is full.",
    ],
    fields: failed('4.2.2', 'smtp; 452-4.2.2 The recipient’s inbox is out of storage space. 452 4.2.2 OverQuotaTemp'),
    type: 'soft',
    status: '4.2.2',
  },
  {
    name: 'Gmail, incomplete',
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.test>',
    subject: 'Delivery Status Notification (Delay)',
    text: [
      '** Delivery incomplete **',
      '',
      'There was a temporary problem delivering your message to ada@there.test. Gmail will retry for 47 more hours.',
    ],
    fields: [
      `Final-Recipient: rfc822; ${who}`,
      'Action: delayed',
      'Status: 4.4.1',
      'Diagnostic-Code: smtp; The recipient server did not accept our requests to connect.',
      'Will-Retry-Until: Wed, 04 Mar 2026 09:00:00 -0800 (PST)',
    ],
    type: 'delayed',
  },
  {
    name: 'Gmail, refused as unsolicited',
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.test>',
    subject: 'Delivery Status Notification (Failure)',
    text: ['** Message blocked **', '', 'Your message to ada@there.test has been blocked.'],
    fields: failed(
      '5.7.1',
      'smtp; 550-5.7.1 [192.0.2.1 12] Our system has detected that this message is likely unsolicited mail. 550 ' +
        '5.7.1 To reduce the amount of spam, this message has been blocked.',
    ),
    type: 'block',
  },
  {
    name: 'Yahoo, no mailbox',
    from: 'MAILER-DAEMON@yahoo.test',
    subject: 'Failure Notice',
    text: [
      'Sorry, we were unable to deliver your message to the following address.',
      '',
      '<ada@there.test>:',
      '552 1 Requested mail action aborted, mailbox not found [RCPT_TO]',
      '',
      '--- Below this line is a copy of the message.',
    ],
    type: 'hard',
  },
  {
    name: 'Yahoo, deferred for complaints',
    from: 'MAILER-DAEMON@yahoo.test',
    subject: 'Failure Notice',
    text: ['Sorry, we were unable to deliver your message to the following address.'],
    fields: failed(
      '4.7.0',
      'smtp; 421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1',
    ),
    type: 'block',
  },
  {
    name: 'qmail, no mailbox here',
    from: 'MAILER-DAEMON@mx.test',
    subject: 'failure notice',
    text: [
      'Hi. This is the qmail-send program at mx.test.',
      "I'm afraid I wasn't able to deliver your message to the following addresses.",
      "This is a permanent error; I've given up. Sorry it didn't work out.",
      '',
      '<ada@there.test>:',
      'Sorry, no mailbox here by that name. (#5.1.1)',
      '',
      '--- Below this line is a copy of the message.',
      '',
      'Return-Path: <sender@example.com>',
    ],
    type: 'hard',
    status: '5.1.1',
  },
  {
    name: 'qmail, no host',
    from: 'MAILER-DAEMON@mx.test',
    subject: 'failure notice',
    text: [
      'Hi. This is the qmail-send program at mx.test.',
      '',
      '<ada@there.test>:',
      "Sorry, I couldn't find any host named there.test. (#5.1.2)",
      '',
      '--- Below this line is a copy of the message.',
    ],
    type: 'hard',
    status: '5.1.2',
  },
  {
    name: 'qmail with vpopmail, over quota',
    from: 'MAILER-DAEMON@mx.test',
    subject: 'failure notice',
    text: ['<ada@there.test>:', 'user is over quota', '', '--- Below this line is a copy of the message.'],
    type: 'soft',
  },
  {
    name: 'qmail, queue time over',
    from: 'MAILER-DAEMON@mx.test',
    subject: 'failure notice',
    text: [
      '<ada@there.test>:',
      '192.0.2.7 failed after I sent the message.',
      'Remote host said: 451 temporarily unable to process your email',
      "I'm not going to try again; this message has been in the queue too long.",
    ],
    type: 'soft',
  },
  {
    name: 'Domino',
    from: 'postmaster@there.test',
    subject: 'DELIVERY FAILURE: User ada (ada@there.test) not listed in Domino Directory',
    text: [
      'Your message',
      '',
      '  Subject: Hello',
      '',
      'was not delivered to:',
      '',
      '  ada@there.test',
      '',
      'because:',
      '',
      '  User ada (ada@there.test) not listed in Domino Directory',
    ],
    type: 'hard',
  },
  {
    name: 'GroupWise',
    from: 'Mailer-Daemon@gw.there.test',
    subject: 'Message status - undeliverable',
    text: [
      'The message that you sent was undeliverable to the following:',
      '\tada (user not found)',
      '',
      'Possibly truncated original message follows:',
      '',
      'To: ada@there.test',
    ],
    type: 'hard',
  },
  {
    name: 'Postfix, local',
    subject: 'Undelivered Mail Returned to Sender',
    text: ['<ada@there.test>: unknown user: "ada"'],
    fields: failed('5.1.1', 'x-postfix; unknown user: "ada"'),
    type: 'hard',
  },
  {
    name: 'Postfix, no server replies',
    subject: 'Undelivered Mail Returned to Sender',
    text: ['<ada@there.test>: connect to mx.there.test[192.0.2.9]:25: Connection timed out'],
    fields: failed('4.4.1', 'X-Postfix; connect to mx.there.test[192.0.2.9]:25: Connection timed out'),
    type: 'soft',
    status: '4.4.1',
  },
  {
    name: 'Postfix, no host',
    subject: 'Undelivered Mail Returned to Sender',
    text: [
      '<ada@there.test>: Host or domain name not found. Name service error for name=there.test type=AAAA: Host not found',
    ],
    fields: failed(
      '5.4.4',
      'X-Postfix; Host or domain name not found. Name service error for name=there.test type=AAAA: Host not found',
    ),
    type: 'hard',
  },
  {
    name: 'Exim, unrouteable',
    subject: 'Mail delivery failed: returning message to sender',
    headers: [`X-Failed-Recipients: ${who}`, 'Auto-Submitted: auto-replied'],
    text: [
      'This message was created automatically by mail delivery software.',
      '',
      'A message that you sent could not be delivered to one or more of its',
      'recipients. This is a permanent error. The following address(es) failed:',
      '',
      '  ada@there.test',
      '    Unrouteable address',
    ],
    type: 'hard',
  },
  {
    name: 'Exim, full for days',
    subject: 'Mail delivery failed: returning message to sender',
    headers: [`X-Failed-Recipients: ${who}`],
    text: [
      'The following address(es) failed:',
      '',
      '  ada@there.test',
      '    (ultimately generated from info@there.test)',
      '    mailbox is full (MTA-imposed quota exceeded while writing to file /var/mail/ada):',
      '    retry timeout exceeded',
    ],
    type: 'soft',
  },
  {
    name: 'Exim, warning',
    subject: 'Warning: message 1rgXyz-0001ab-2C delayed 24 hours',
    headers: ['Auto-Submitted: auto-replied'],
    text: [
      'This message was created automatically by mail delivery software.',
      'A message that you sent has not yet been delivered to one or more of its',
      'recipients after more than 24 hours on the queue on mx.test.',
      '',
      'The message identifier is:     1rgXyz-0001ab-2C',
      '',
      'The address to which the message has not yet been delivered is:',
      '',
      '  ada@there.test',
      '    Delay reason: host mx.there.test [192.0.2.9] refused connection',
      '',
      'No action is required on your part. Delivery attempts will continue for',
      'some time.',
    ],
    type: 'delayed',
  },
  {
    name: 'Sendmail, transcript',
    subject: 'Returned mail: see transcript for details',
    text: [
      'The original message was received at Mon, 2 Mar 2026 09:00:00 GMT',
      '',
      '   ----- The following addresses had permanent fatal errors -----',
      '<ada@there.test>',
      '    (reason: 550 5.1.1 <ada@there.test>... User unknown)',
      '',
      '   ----- Transcript of session follows -----',
      '... while talking to mx.there.test.:',
      '>>> DATA',
      '<<< 550 5.1.1 <ada@there.test>... User unknown',
      '550 5.1.1 <ada@there.test>... User unknown',
      '<<< 503 5.0.0 Need RCPT (recipient)',
    ],
    type: 'hard',
    status: '5.1.1',
  },
  {
    name: 'Sendmail, warning',
    subject: 'Warning: could not send message for past 4 hours',
    text: [
      '    **********************************************',
      '    **      THIS IS A WARNING MESSAGE ONLY      **',
      '    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **',
      '    **********************************************',
      '',
      '   ----- Transcript of session follows -----',
      '<ada@there.test>... Deferred: Connection timed out with mx.there.test.',
      'Warning: message still undelivered after 4 hours',
      'Will keep trying until message is 5 days old',
    ],
    type: 'delayed',
  },
  {
    name: 'MailEnable, no domain',
    from: 'Postmaster <postmaster@mx.test>',
    subject: 'Message Delivery Failure',
    text: [
      'MailEnable: Message Delivery Failure.',
      '',
      'The following recipient(s) could not be reached:',
      '',
      'Recipient: [SMTP:ada@there.test]',
      'Reason: The message could not be delivered because the domain name (there.test) does not appear to be registered.',
    ],
    type: 'hard',
  },
  {
    name: 'hMailServer',
    from: 'mailer-daemon@mx.test',
    subject: 'Message undeliverable: Hello',
    text: [
      'Your message did not reach some or all of the intended recipients.',
      '',
      '   Sent: Mon, 2 Mar 2026 09:00:00 +0000',
      '   Subject: Hello',
      '',
      'The following recipient(s) could not be reached:',
      '',
      'ada@there.test',
      '   Error Type: SMTP',
      '   Remote server (192.0.2.9) issued an error.',
      '   hMailServer sent: RCPT TO:<ada@there.test>',
      '   Remote server replied: 550 5.1.1 <ada@there.test>: no such user here',
      '',
      'hMailServer',
    ],
    type: 'hard',
    status: '5.1.1',
  },
  {
    name: 'Amazon SES',
    from: 'MAILER-DAEMON@eu-west-1.amazonses.test',
    subject: 'Delivery Status Notification (Failure)',
    text: ['An error occurred while trying to deliver the mail to the following recipients:', 'ada@there.test'],
    fields: failed('5.1.1', 'smtp; 550 5.1.1 user unknown'),
    type: 'hard',
  },
  {
    name: 'Mimecast, recipient',
    subject: 'Undelivered Mail Returned to Sender',
    text: [
      '<ada@there.test>: host eu-smtp-inbound-1.mimecast.test[192.0.2.20] said: 550',
      '    Invalid Recipient - https://community.mimecast.test/docs/DOC-1369#550 [x1] (in reply to RCPT TO command)',
    ],
    fields: failed('5.0.0', 'smtp; 550 Invalid Recipient - https://community.mimecast.test/docs/DOC-1369#550 [x1]'),
    type: 'hard',
  },
  {
    name: 'Mimecast, sender',
    subject: 'Undelivered Mail Returned to Sender',
    text: ['<ada@there.test>: host said: 550 Rejected by header based manually Blocked Senders'],
    fields: failed(
      '5.0.0',
      'smtp; 550 Rejected by header based manually Blocked Senders - https://community.mimecast.test/docs/DOC-1369#550',
    ),
    type: 'block',
  },
  {
    name: 'Proofpoint, listed',
    subject: 'Undelivered Mail Returned to Sender',
    text: ['Sorry.'],
    fields: failed('5.0.0', 'smtp; 554 Blocked - see https://ipcheck.proofpoint.test/?ip=192.0.2.1'),
    type: 'block',
  },
  {
    name: 'Barracuda, permanent for a recipient',
    subject: '**Message you sent blocked by our bulk email filter**',
    text: [
      'Your message to: ada@there.test',
      'was blocked by our Spam Firewall. The email you sent with the following subject has NOT BEEN DELIVERED:',
      '',
      'Subject: Hello',
    ],
    type: 'block',
  },
  {
    name: 'Barracuda, unknown user',
    subject: 'Undelivered Mail Returned to Sender',
    text: ['Sorry.'],
    fields: failed(
      '5.0.0',
      'smtp; 550 permanent failure for one or more recipients (ada@there.test:550 5.1.1 No such user)',
    ),
    type: 'hard',
  },
  {
    name: 'Cisco',
    from: 'Mail Delivery System <MAILER-DAEMON@ironport.test>',
    subject: 'Delivery Status Notification (Failure)',
    text: [
      'The following message to <ada@there.test> was undeliverable.',
      'The reason for the problem:',
      "5.1.0 - Unknown address error 550-'Requested action not taken: mailbox unavailable'",
    ],
    type: 'hard',
  },
  {
    name: 'Courier',
    from: 'Courier mail server at mx.test <@>',
    subject: 'NOTICE: mail delivery status.',
    text: [
      'This is a delivery status notification from mx.test,',
      'running the Courier mail server, version 0.68.',
      '',
      '                           UNDELIVERABLE MAIL',
      '',
      'Your message to the following recipients cannot be delivered:',
      '',
      '<ada@there.test>:',
      '    mx.there.test [192.0.2.9]:',
      '>>> RCPT TO:<ada@there.test>',
      '<<< 550 User unknown.',
    ],
    type: 'hard',
  },
  {
    name: 'MDaemon',
    from: 'MDaemon@mx.test',
    subject: 'Permanent Delivery Failure',
    text: [
      'The attached message had PERMANENT fatal delivery errors!',
      '',
      'After one or more unsuccessful delivery attempts the attached message has been',
      'removed from the mail queue on this server.',
      '',
      'THIS MESSAGE HAS NOT BEEN DELIVERED!',
      '',
      'Failed address: ada@there.test',
      '',
      '--- Session Transcript ---',
      ' Mon 2026-03-02 09:00:00: --> RCPT To:<ada@there.test>',
      ' Mon 2026-03-02 09:00:00: <-- 550 5.1.1 Recipient unknown <ada@there.test>',
    ],
    type: 'hard',
  },
  {
    name: '1&1 and GMX',
    from: '"Mail Delivery System" <mailer-daemon@kundenserver.test>',
    subject: 'Mail delivery failed: returning message to sender',
    text: [
      'This message was created automatically by mail delivery software.',
      '',
      'A message that you sent could not be delivered to one or more of',
      'its recipients. This is a permanent error. The following address',
      'failed:',
      '',
      'ada@there.test:',
      'SMTP error from remote server for RCPT TO command, host: mx.there.test (192.0.2.9) reason: 550 5.1.1 <ada@there.test>:',
      ' Recipient address rejected: User unknown in virtual mailbox table',
      '',
      '--- The header of the original message is following. ---',
      '',
      'Received: from example.com',
    ],
    type: 'hard',
    status: '5.1.1',
  },
  {
    name: 'smail at a German provider',
    from: 'MAILER-DAEMON@t-online.test',
    subject: 'Mail could not be delivered',
    text: [
      '|------------------------- Message log follows: -------------------------|',
      ' no valid recipients were found for this message',
      '|------------------------- Failed addresses follow: ---------------------|',
      ' <ada@there.test> ... unknown user',
      '|------------------------- Message text follows: ------------------------|',
      'Received: by mx.test',
    ],
    type: 'hard',
  },
  {
    name: 'iCloud, full',
    subject: 'Undelivered Mail Returned to Sender',
    text: [
      '<ada@there.test>: host mx01.mail.icloud.test said: 552 5.2.2 <ada@there.test>: user is over quota (in reply to RCPT TO command)',
    ],
    fields: failed('5.2.2', 'smtp; 552 5.2.2 <ada@there.test>: user is over quota'),
    type: 'soft',
  },
  {
    name: 'Mail.ru, no user',
    subject: 'Undelivered Mail Returned to Sender',
    text: ['<ada@there.test>: host mx said: 550 (in reply to RCPT TO command)'],
    fields: failed(
      '5.0.0',
      'smtp; 550 Message was not accepted -- invalid mailbox. Local mailbox ada@there.test is unavailable: user not found',
    ),
    type: 'hard',
  },
  {
    name: 'Yandex, no user in a policy status',
    subject: 'Недоставленное сообщение',
    from: 'mailer-daemon@yandex.test',
    text: [
      'Это письмо отправлено почтовым сервером yandex.test.',
      'К сожалению, мы вынуждены сообщить Вам о том, что Ваше письмо не может быть отправлено одному или нескольким адресатам.',
      '',
      '<ada@there.test>: host mx.there.test said: 550 5.1.1 No such user! (in reply to RCPT TO command)',
    ],
    type: 'hard',
    status: '5.1.1',
  },
  {
    name: 'QQ, in Chinese',
    from: 'PostMaster@qq.test',
    subject: '系统退信',
    text: [
      '抱歉，您的邮件被退回来了……',
      '',
      '收件人：ada@there.test',
      '退信原因：收件人邮件地址（ada@there.test）不存在，邮件无法送达。',
    ],
    type: 'hard',
  },
  {
    name: 'Haraka',
    from: 'MAILER-DAEMON@mx.test',
    subject: 'failed email',
    text: [
      "I'm afraid I wasn't able to deliver your message to the following addresses.",
      "This is a permanent error; I've given up.",
      '',
      'Intended Recipients: <ada@there.test>',
      'Failure Reason: 554 5.7.1 Your IP 192.0.2.1 is on our deny list',
    ],
    type: 'block',
  },
  {
    name: 'PowerMTA, too big',
    subject: 'Delivery report',
    from: 'PowerMTA <postmaster@mx.test>',
    text: [
      'Hello, this is the mail server on mx.test.',
      'Delivery failed for the following recipients: <ada@there.test>',
    ],
    fields: failed('5.3.4', 'smtp;552 5.3.4 Message size exceeds fixed maximum message size'),
    type: 'soft',
    status: '5.3.4',
  },
  {
    name: 'OpenSMTPD, expired',
    from: 'Mailer Daemon <MAILER-DAEMON@mx.test>',
    subject: 'Delivery status notification: error',
    text: [
      '    Hi!',
      '',
      '    This is the MAILER-DAEMON, please DO NOT REPLY to this email.',
      '',
      '    An error has occurred while attempting to deliver a message for',
      '    the following list of recipients:',
      '',
      'ada@there.test: Envelope expired',
      '',
      '    Below is a copy of the original message:',
    ],
    type: 'soft',
  },
  {
    name: 'moved',
    subject: 'Undelivered Mail Returned to Sender',
    text: ['Sorry.'],
    fields: failed('5.1.6', 'smtp; 551 5.1.6 User not local; please try <ada.l@elsewhere.test>'),
    type: 'hard',
    status: '5.1.6',
  },
  {
    name: 'null MX',
    subject: 'Undelivered Mail Returned to Sender',
    text: ['<ada@there.test>: Domain there.test does not accept mail (nullMX)'],
    fields: failed('5.1.0', 'X-Postfix; Domain there.test does not accept mail (nullMX)'),
    type: 'hard',
  },
  {
    name: 'greylisted to the end',
    subject: 'Undelivered Mail Returned to Sender',
    text: ['Sorry.'],
    fields: failed(
      '4.7.1',
      'smtp; 450 4.7.1 <ada@there.test>: Recipient address rejected: Greylisted, see http://postgrey.test/help',
    ),
    type: 'soft',
  },
  {
    name: 'a listed address, Spamhaus',
    subject: 'Undelivered Mail Returned to Sender',
    text: ['Sorry.'],
    fields: failed(
      '5.7.1',
      'smtp; 550 5.7.1 Service unavailable, Client host [192.0.2.1] blocked using Spamhaus. To request removal ' +
        'from this list see https://www.spamhaus.test/query/ip/192.0.2.1 (AS3130).',
    ),
    type: 'block',
  },
  {
    name: 'relaying',
    subject: 'Undelivered Mail Returned to Sender',
    text: ['Sorry.'],
    fields: failed('5.7.1', 'smtp; 554 5.7.1 <ada@there.test>: Relay access denied'),
    type: 'block',
  },
  {
    name: 'a filter of contents after the data',
    subject: 'Undelivered Mail Returned to Sender',
    text: [
      '<ada@there.test>: host mx said: 554 5.6.0 Message contains prohibited content (in reply to end of DATA command)',
    ],
    fields: failed('5.6.0', 'smtp; 554 5.6.0 Message contains prohibited content'),
    type: 'block',
  },
]

describe('delivery reports in the format of', () => {
  test.each(samples)('$name', (sample) => {
    const { kind, bounces } = inspectMessage(raw(sample))
    expect(kind).toBe('bounce')
    expect(bounces).toMatchObject([
      {
        type: sample.type,
        recipient: sample.recipient === undefined ? who : sample.recipient,
        ...(sample.status !== undefined && { status: sample.status }),
      },
    ])
  })
})

describe("OpenSMTPD's own errors", () => {
  test.each([
    ['Invalid domain name', 'hard'],
    ['Domain does not exist', 'hard'],
    ['No MX found for domain', 'soft'],
    ['Network error on destination MXs', 'soft'],
    ['All routes to destination blocked', 'soft'],
    ['Loop detected', 'soft'],
    ['Destination seem to reject all mails', 'hard'],
    ['Could not retrieve credentials', 'block'],
    ['550 5.1.1 <ada@there.test>: User unknown', 'hard'],
    ['552 5.2.2 Mailbox full', 'soft'],
  ] as const)('%s', (said, type) => {
    const { kind, bounces } = inspectMessage(
      raw({
        name: '',
        from: 'Mailer Daemon <MAILER-DAEMON@mx.test>',
        subject: 'Delivery status notification: error',
        text: [
          '    An error has occurred while attempting to deliver a message for',
          '    the following list of recipients:',
          '',
          `ada@there.test: ${said}`,
          '',
          '    Below is a copy of the original message:',
        ],
        type,
      }),
    )
    expect({ kind, bounces }).toMatchObject({ kind: 'bounce', bounces: [{ recipient: who, type }] })
  })
})

describe('mail that only resembles a delivery report', () => {
  const letters: [string, string, string, string[]][] = [
    [
      'a parcel',
      'Parcel Delivery Service <delivery@parcels.test>',
      'Delivery failed: your parcel could not be delivered',
      ['Dear Ada,', 'we could not deliver your parcel today. Choose a new day: https://parcels.test/x'],
    ],
    [
      'a person whose mail came back',
      'Ada <ada@there.test>',
      'Undeliverable: my last mail',
      ['Hi, my mail to bob@there.test came back as undeliverable, so I write to you again. Did you get it?', '', 'Ada'],
    ],
    [
      'a moderated list',
      'list-bounces@lists.test',
      'Your message to news awaits moderator approval',
      ['Your mail to \'news\' with the subject "Hello" is being held until the list moderator can review it.'],
    ],
    [
      'a quota warning',
      'Mail Administrator <postmaster@example.com>',
      'Your mailbox is almost full',
      ['Your mailbox has reached 90 % of its quota. Please delete old messages.'],
    ],
    [
      'an expired card',
      'Billing <billing@service.test>',
      'Payment failed: action required',
      ['We were unable to charge your card. The invoice could not be paid.'],
    ],
  ]
  test.each(letters)('%s', (_, from, subject, text) => {
    expect(inspectMessage(raw({ name: '', from, subject, text, type: 'hard' })).kind).not.toBe('bounce')
  })
})
