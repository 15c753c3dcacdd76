/** A server's refusal and the forms in which mail programs report it. Files of `samples/refusals` name a form with each refusal. */
export interface Refusal {
  to: string
  answer: string
  status: string
}

const postfixHead = ['F: MAILER-DAEMON@mx.example.com (Mail Delivery System)', 'S: Undelivered Mail Returned to Sender']
const eximHead = (to: string) => [
  'F: Mail Delivery System <Mailer-Daemon@mx.example.com>',
  'S: Mail delivery failed: returning message to sender',
  `H: X-Failed-Recipients: ${to}`,
]
const sendmailHead = [
  'F: Mail Delivery Subsystem <MAILER-DAEMON@mx.example.com>',
  'S: Returned mail: see transcript for details',
]

function postfix(command: string) {
  return ({ to, answer, status }: Refusal) => [
    ...postfixHead,
    `D: failed ${status} smtp; ${answer}`,
    `<${to}>: host mx.there.test[192.0.2.9] said: ${answer} (in reply to ${command})`,
  ]
}

function exim(moment: string) {
  return ({ to, answer }: Refusal) => [
    ...eximHead(to),
    'This message was created automatically by mail delivery software.',
    '',
    'A message that you sent could not be delivered to one or more of its',
    'recipients. This is a permanent error. The following address(es) failed:',
    '',
    `  ${to}`,
    ...(moment === ''
      ? [`    ${answer}`]
      : [
          '    host mx.there.test [192.0.2.9]',
          `    SMTP error from remote mail server after ${moment.replace('TO', `TO:<${to}>`)}:`,
          `    ${answer}`,
        ]),
  ]
}

function sendmail(lines: readonly string[], after: readonly string[] = []) {
  return ({ to, answer, status }: Refusal) => [
    ...sendmailHead,
    `D: failed ${status} SMTP; ${answer}`,
    '   ----- The following addresses had permanent fatal errors -----',
    `<${to}>`,
    `    (reason: ${answer})`,
    '',
    '   ----- Transcript of session follows -----',
    '... while talking to mx.there.test.:',
    ...lines.map((line) => line.replace('TO', `To:<${to}>`)),
    `<<< ${answer}`,
    ...after,
  ]
}

function qmail(verdict: string) {
  return ({ to, answer }: Refusal) => [
    'F: MAILER-DAEMON@mx.example.com',
    'S: failure notice',
    'Hi. This is the qmail-send program at mx.example.com.',
    "I'm afraid I wasn't able to deliver your message to the following addresses.",
    "This is a permanent error; I've given up. Sorry it didn't work out.",
    '',
    `<${to}>:`,
    verdict,
    `Remote host said: ${answer}`,
    'Giving up on 192.0.2.9.',
  ]
}

function gmail({ to, answer, status }: Refusal): string[] {
  return [
    'F: Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    'S: Delivery Status Notification (Failure)',
    `H: X-Failed-Recipients: ${to}`,
    'H: Auto-Submitted: auto-replied',
    `D: failed ${status} smtp; ${answer}`,
    '** Message not delivered **',
    '',
    `There was a problem delivering your message to ${to}. See the technical details below.`,
    '',
    'The response was:',
    '',
    answer,
  ]
}

function microsoft({ to, answer }: Refusal): string[] {
  return [
    'F: Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.com>',
    'S: Undeliverable: Hello',
    `D: failed 5.0.350 smtp;550 5.0.350 Remote server returned an error -> ${answer}`,
    `Delivery has failed to these recipients or groups: ${to}`,
  ]
}

function plain({ to, answer }: Refusal): string[] {
  return [
    'F: postmaster@mx.example.com',
    'S: Undeliverable mail',
    `Your message could not be delivered to <${to}>:`,
    '',
    answer,
  ]
}

function ownFinding({ to, answer, status }: Refusal): string[] {
  const words = answer.replace(/^[45]\.\d{1,3}\.\d{1,3} /, '')
  return [...postfixHead, `D: failed ${status} X-Postfix; ${words}`, `<${to}>: ${words}`]
}

/** The lines of a report by form, in the notation of `readReports`. */
export const refusalForms: Readonly<Record<string, (refusal: Refusal) => string[]>> = {
  rcpt: postfix('RCPT TO command'),
  mail: postfix('MAIL FROM command'),
  data: postfix('end of DATA command'),
  connect: postfix('EHLO command'),
  helo: postfix('HELO command'),
  none: ownFinding,
  'exim-rcpt': exim('RCPT TO'),
  'exim-data': exim('end of data'),
  'exim-none': exim(''),
  'sendmail-rcpt': sendmail(['>>> RCPT TO']),
  'sendmail-data': sendmail(['>>> DATA'], ['<<< 503 5.0.0 Need RCPT (recipient)']),
  'sendmail-dot': sendmail(['>>> DATA', '<<< 354 Go ahead', '>>> .']),
  qmail: qmail('192.0.2.9 does not like recipient.'),
  'qmail-mail': qmail('Connected to 192.0.2.9 but my name was rejected.'),
  'qmail-data': qmail('192.0.2.9 failed after I sent the message.'),
  gmail,
  m365: microsoft,
  plain,
}
