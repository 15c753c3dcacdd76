import { describe, expect, test } from 'vitest'
import { inspectMessage } from './classify/inspect.ts'
import { optOutTokens } from './replies/opt-out-subject.ts'

/** Mail in the formats of providers and mail programs. The people and the texts are invented. */
const read = (headers: readonly string[], body: string | Buffer = '') => {
  const head = ['From: Ada <ada@there.test>', 'Date: Mon, 02 Mar 2026 09:00:00 +0100', ...headers, '', ''].join('\n')
  return inspectMessage(Buffer.concat([Buffer.from(head), Buffer.from(body)]))
}
const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')
const thread = ['Subject: Re: Hi', 'In-Reply-To: <m@out.test>']
const plain = 'Content-Type: text/plain; charset=utf-8'

test.each([
  [['Subject: unsubscribe', plain], 'Diese Nachricht wurde von Gmail erzeugt.'],
  [['Subject: [EXTERNAL] RE: Unsubscribe', 'Auto-Submitted: auto-generated', plain], '自動送信'],
  [['Subject: unsubscribe acc.live.cmp.led.stp.AAAAAAAAAAAAAAAA', plain], '-- \nAda\nExample Ltd'],
  [['Subject: Fwd: AW: unsubscribe', plain], ''],
  [['Subject: Abmeldung', 'X-Apple-Unsubscribe: true', plain], 'Gesendet'],
  [['Subject: Externe E-Mail: unsubscribe', plain], 'Genereret automatisk.'],
  [['Subject: =?utf-8?Q?=E2=9A=A0=EF=B8=8F?= "unsubscribe".', plain], 'Genereret automatisk.'],
  [['Subject: unsubscribe%20acc.live.cmp.led.stp.AAAAAAAAAAAAAAAA', plain], 'Automatisch erzeugt.'],
  [['Subject: unsubscribe+acc.live.cmp.led.stp.AAAAAAAAAAAAAAAA', plain], 'Automatisch erzeugt.'],
  [['Subject: unsubscribe <acc.live.cmp.led.stp.AAAAAAAAAAAAAAAA>', plain], 'Automatisch erzeugt.'],
])("a message from our opt-out header's mailto is an opt-out: %j", (headers, body) => {
  expect(read(headers, body)).toMatchObject({ kind: 'unsubscribe', rule: 'opt_out_by_mail_program' })
})

const ourToken = `l${'A'.repeat(30)}.${'b'.repeat(16)}c-d_`
test.each([
  `unsubscribe ${ourToken}.`,
  `unsubscribe <${ourToken}>`,
  `unsubscribe%20${ourToken.replace('.', '%2E')}`,
  `unsubscribe_${ourToken}`,
  `unsubscribe-${ourToken}`,
  `RE: [EXT] unsubscribe ${ourToken.slice(0, 40)}\n ${ourToken.slice(40)}`,
  `?subject=unsubscribe%20${ourToken}`,
])('the token of our mailto is found in the subject %j', (subject) => {
  expect(optOutTokens(subject, [])).toContain(ourToken)
})

test.each([
  ['How can we unsubscribe our office from our current tool? We want yours.', 'reply'],
  ['How do I unsubscribe our people from the old plan? Then we buy.', 'reply'],
  ['How do we opt out of the existing contract? Yours is better.', 'reply'],
  ['How do I unsubscribe?', 'unsubscribe'],
  ['How do we unsubscribe our team from your list?', 'unsubscribe'],
  ['Please unsubscribe our team from the old tool, then we talk.', 'reply'],
  ['Please unsubscribe our team.', 'unsubscribe'],
  ['Please unsubscribe ada@there.test', 'unsubscribe'],
  ['Please unsubscribe this email.', 'unsubscribe'],
  ['Kindly unsubscribe our accounts from the trial, we want the paid plan.', 'reply'],
  ['Pas intéressé, merci de me désinscrire.', 'unsubscribe'],
])('a question about unsubscribing from another product is a reply: %s', (body, kind) => {
  expect(read([...thread, plain], body).kind).toBe(kind)
})

const moved = ['Auto-Submitted: auto-generated', 'X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent']
test.each([
  ['Great, call me on Thursday at 9.', 'reply'],
  ['Ja, gerne. Bis Freitag!', 'reply'],
  ['No budget this year, sorry.', 'reply'],
  ['I am out of the office until 9 March. This is an automated reply.', 'auto_reply'],
])('a message forwarded by an Exchange rule is read by its text: %s', (body, kind) => {
  expect(read([...thread, ...moved, plain], body).kind).toBe(kind)
})

test('a message that a rule moved is read by its text, whatever else Exchange marks it with', () => {
  const marks = ['X-Auto-Response-Suppress: DR, OOF, AutoReply', 'Return-Path: <>']
  expect(read([...thread, ...moved, ...marks, plain], 'Sure, call me on Monday.').kind).toBe('reply')
})

test.each([
  ['Tornerò il 16/03/2026.\n\nNota: questa è una risposta automatica al messaggio "Hi".', '2026-03-16'],
  ['Ik keer terug op 16-03-2026.\n\nDit is een automatisch antwoord op uw bericht.', '2026-03-16'],
  ['Dies ist eine automatische Rückmeldung.', null],
  ['Esta é uma resposta automática à sua mensagem.', null],
  ['To jest automatyczna odpowiedź.', null],
  ['Dies ist eine Abwesenheitsnotiz.', null],
  ['Hierbei handelt es sich um eine automatische Antwort.', null],
  ["Il s'agit d'une réponse automatique.", null],
  ['Se trata de una respuesta automática.', null],
  ['Si tratta di una risposta automatica.', null],
  ['Trata-se de uma resposta automática.', null],
  ['Esta mensagem é automática.', null],
  ['Diese automatisch erstellte E-Mail-Benachrichtigung dient der Bestätigung.', null],
  ['Nachrichten werden von diesem System automatisch versendet.', null],
])('a note in a thread that says it is automatic is an automatic reply: %s', (body, awayUntil) => {
  expect(read([...thread, plain], body)).toMatchObject({ kind: 'auto_reply', awayUntil })
})

test.each([
  'Ist das eine automatische Antwort?',
  'Is this automatic? I would like to talk.',
  'Nein, das war keine automatische Antwort.',
  'Die Angebote werden bei uns automatisch erstellt. Was kostet Ihr Werkzeug?',
  'Wir suchen etwas, das automatisch erstellte Rechnungen versendet.',
  'Bitte nicht antworten, ich rufe Sie morgen an.',
  'Das Angebot ist automatisch generiert? Bitte von Hand.',
  'Le rapport est généré automatiquement chez vous ? Intéressant.',
])('a person who writes about automatic mail is read as a reply: %s', (body) =>
  expect(read([...thread, plain], body).kind).toBe('reply'),
)

test.each([
  ['I am away until 6 March. As of 1 June 2026 we have a new name.', '2026-03-06'],
  ['I will be back on 9 March. Bob can help until 30 April.', '2026-03-09'],
  ['Ich bin bis zum 6. März im Urlaub.\n\nBesuchen Sie uns vom 4. bis 7. Mai auf der Messe.', '2026-03-06'],
  ["Je suis absent jusqu'au 6 mars 2026. Notre salon : du 10 au 12 juin 2026.", '2026-03-06'],
  ['Out until 6 March, back on 9 March.', '2026-03-09'],
  ['I will return on Monday 9 March and Kim covers until 30 April.', '2026-03-09'],
  ['Ich bin am 9. März zurück und Kim vertritt mich bis 30. April.', '2026-03-09'],
  ['I am in hospital and back from 4 March until 20 March.', '2026-03-20'],
  ['Out of office from 2 March to 6 March. Promotion valid until 30 April.', '2026-03-06'],
  ['Bin am 9. März wieder da. Unser Angebot gilt bis 30.4.2026.', '2026-03-09'],
  ['Our spring offer runs until 30 April.\n\nI am out of the office until 6 March.', '2026-03-06'],
])('awayUntil is the date of the absence, not a later one: %s', (body, awayUntil) => {
  expect(read(['Subject: Automatic reply: Hi', plain], body)).toMatchObject({ awayUntil })
})

test.each([
  ['Your message\n\nTo: Ada\nSubject: Hi\n\nwas read on Monday, 2 March 2026 10:00:00.', 'other'],
  ['Ihre Nachricht an Ada wurde am Montag, 2. März 2026 um 10:00 gelesen.', 'other'],
  ['Votre message "Hi" a été lu le 2 mars 2026.', 'other'],
  ['Ihre Nachricht an Ada wurde gelesen am 02.03.2026 10:00.', 'other'],
  ['This is a receipt for the mail you sent to <ada@there.test> at 02/03/2026 10:00.', 'other'],
  ['El mensaje\n\nPara: Ada\n\nfue leído el 2/3/2026 10:00.', 'other'],
  ['Il messaggio\n\nA: Ada\n\nè stato letto il 02/03/2026 10:00.', 'other'],
  ['Din besked blev læst den 02-03-2026 10:00.', 'other'],
  ['Your message was read by 5 colleagues and we like it.', 'reply'],
  ['Il tuo messaggio è stato letto da 3 colleghi, ci piace.', 'reply'],
  ['Your mail was read by all of us with interest. Call me?', 'reply'],
])('a read receipt in plain text is not a reply: %s', (body, kind) => {
  expect(read([...thread, plain], body).kind).toBe(kind)
})

describe('signed and encrypted mail', () => {
  const pgp = '-----BEGIN PGP MESSAGE-----\n\nabcd\n-----END PGP MESSAGE-----'
  test.each([
    [['Content-Type: application/pkcs7-mime; smime-type=enveloped-data'], 'AAAA'],
    [
      ['Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b'],
      `--b\nContent-Type: application/octet-stream\n\n${pgp}\n--b--`,
    ],
    [[plain], pgp],
  ])('an encrypted reply has the rule encrypted: %j', (headers, body) => {
    const found = read([...thread, ...headers], body)
    expect(found).toMatchObject({ kind: 'reply', rule: 'encrypted' })
    expect(found.reply?.text).toContain('encrypted')
  })

  test('a signed reply keeps its text and loses the PGP lines', () => {
    const signed =
      '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nYes, Friday.\n- - tea\n' +
      '-----BEGIN PGP SIGNATURE-----\n\nabcd\n-----END PGP SIGNATURE-----'
    expect(read([...thread, plain], signed).reply?.text).toBe('Yes, Friday.\n- tea')
  })
})

const base64 = 'Content-Transfer-Encoding: base64'
const encode = (text: string) => Buffer.from(text).toString('base64')
test.each([
  ['one bad byte', [plain], Buffer.concat([Buffer.from('Schöne Größe '), hex('FC')]), 'Schöne Größe \ufffd'],
  [
    'a cut letter',
    ['Content-Type: text/html; charset=utf-8'],
    Buffer.concat([Buffer.from('<p>До сре'), hex('D0')]),
    'До сре\ufffd',
  ],
  ['Latin-1 under the name of UTF-8', [plain], hex('66 FC 72'), 'für'],
  [
    'a footer below base64',
    [plain, base64],
    `${encode('Schöne Grüße und bis bald!')}\n----\nList footer: x@lists.test`,
    'Schöne Grüße und bis bald!',
  ],
  [
    'a banner above base64',
    [plain, base64],
    `External mail: take care!\n\n${encode('Schöne Grüße und bis bald!')}`,
    'Schöne Grüße und bis bald!',
  ],
  ['two padded pieces', [plain, base64], `${encode('Schön, bis dann.')}\n${encode(' Ada')}`, 'Schön, bis dann. Ada'],
  ['plain text under base64', [plain, base64], 'Yes, that works for me!', 'Yes, that works for me!'],
  [
    'meta charset',
    ['Content-Type: text/html'],
    Buffer.concat([Buffer.from('<meta charset="windows-1251"><p>'), hex('CF F0 E8 E2 E5 F2')]),
    'Привет',
  ],
  [
    'a meta behind one in a comment',
    ['Content-Type: text/html'],
    Buffer.concat([
      Buffer.from('<!-- <meta charset="koi8-r"> --><meta charset="windows-1251"><p>'),
      hex('CF F0 E8 E2 E5 F2'),
    ]),
    'Привет',
  ],
  [
    'the encoding of XML',
    ['Content-Type: text/html'],
    Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1251"?><p>'), hex('C4 E0')]),
    'Да',
  ],
  [
    'a header over meta',
    ['Content-Type: text/html; charset=iso-8859-1'],
    Buffer.concat([Buffer.from('<meta charset="windows-1251"><p>f'), hex('FC')]),
    'fü',
  ],
  ['Korean beyond KS X 1001', ['Content-Type: text/plain; charset=euc-kr'], hex('8C 63'), '똠'],
  ['cp949', ['Content-Type: text/plain; charset=cp949'], hex('BE C8 B3 E7'), '안녕'],
  ['cp936', ['Content-Type: text/plain; charset=cp936'], hex('C4 E3'), '你'],
  ['cp-936', ['Content-Type: text/plain; charset=cp-936'], hex('D0 BB D0 BB'), '谢谢'],
  ['8859-2', ['Content-Type: text/plain; charset=8859-2'], hex('F8 ED 6B'), 'řík'],
  ['cp950', ['Content-Type: text/plain; charset=cp950'], hex('A7 41'), '你'],
  ['HZ', ['Content-Type: text/plain; charset=hz-gb-2312'], '~{<:~} yes', '己 yes'],
  ['utf-7', ['Content-Type: text/plain; charset=utf-7'], 'Gr+APw-n', 'Grün'],
  ['cp850', ['Content-Type: text/plain; charset=cp850'], hex('81'), 'ü'],
  ['a name that objects have', ['Content-Type: text/plain; charset=__proto__'], 'Yes, Friday.', 'Yes, Friday.'],
  ['another one', ['Content-Type: text/plain; charset=constructor'], 'Yes, Friday.', 'Yes, Friday.'],
])('letters are read: %s', (_, headers, body, text) => {
  expect(read([...thread, ...headers], body).reply?.text).toBe(text)
})

test.each([
  ['=?utf-8?Q?Gr=C3=BC=C3=9Fe?= an =?utf-8?B?w6Q=?= Müller', 'Grüße an ä Müller'],
  ['=?utf-8?Q?K=C3=B6nnen_wir???=', 'Können wir??'],
  ['=?utf-8?Q?Wann?_Und_wo?=', 'Wann?_Und_wo'.replaceAll('_', ' ')],
  ['=?utf-8?Q?Gr=C3=BC=C3?=', 'Grü\ufffd'],
])('the subject %s is decoded', (subject, expected) => {
  expect(read([`Subject: ${subject}`, plain], 'Ok').headers.subject).toBe(expected)
})
