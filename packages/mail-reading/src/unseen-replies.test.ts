import { describe, expect, test } from 'vitest'
import { inspectMessage } from './classify/inspect.ts'

/** Replies in the layouts of many mail programs, written down before the rules were tried on them. */
const reply = (body: string, type = 'text/plain') =>
  inspectMessage(
    Buffer.from(
      [
        'From: Ada <ada@there.test>',
        'To: Sender <sender@example.com>',
        'Subject: Re: Hello',
        'Date: Mon, 02 Mar 2026 10:00:00 +0100',
        'Message-ID: <in@there.test>',
        'In-Reply-To: <out@example.com>',
        'MIME-Version: 1.0',
        `Content-Type: ${type}; charset=utf-8`,
        'Content-Transfer-Encoding: 8bit',
        '',
        body,
      ].join('\r\n'),
    ),
  ).reply

const block = (...lines: string[]) => `${lines.join('\n')}\n\nHi Ada,\n\nshall we talk?\n\nBest\nSender`
const quoted = '\n> Hi Ada,\n>\n> shall we talk?\n>\n> Best\n> Sender\n'

const topPosted: [string, string, string?][] = [
  [
    'Outlook, English',
    block(
      'From: Sender <sender@example.com>',
      'Sent: Monday, March 2, 2026 9:00 AM',
      'To: Ada <ada@there.test>',
      'Subject: Hello',
    ),
  ],
  [
    'Outlook, German',
    block(
      'Von: Sender <sender@example.com> ',
      'Gesendet: Montag, 2. März 2026 09:00',
      'An: Ada <ada@there.test>',
      'Betreff: Hello',
    ),
  ],
  [
    'Outlook, French',
    block(
      'De : Sender <sender@example.com>',
      'Envoyé : lundi 2 mars 2026 09:00',
      'À : Ada <ada@there.test>',
      'Objet : Hello',
    ),
  ],
  [
    'Outlook, Spanish',
    block(
      'De: Sender <sender@example.com> ',
      'Enviado el: lunes, 2 de marzo de 2026 9:00',
      'Para: Ada <ada@there.test>',
      'Asunto: Hello',
    ),
  ],
  [
    'Outlook, Italian',
    block(
      'Da: Sender <sender@example.com> ',
      'Inviato: lunedì 2 marzo 2026 09:00',
      'A: Ada <ada@there.test>',
      'Oggetto: Hello',
    ),
  ],
  [
    'Outlook, Dutch',
    block(
      'Van: Sender <sender@example.com> ',
      'Verzonden: maandag 2 maart 2026 09:00',
      'Aan: Ada <ada@there.test>',
      'Onderwerp: Hello',
    ),
  ],
  [
    'Outlook, Polish',
    block(
      'From: Sender <sender@example.com> ',
      'Sent: poniedziałek, 2 marca 2026 09:00',
      'To: Ada <ada@there.test>',
      'Subject: Hello',
    ),
  ],
  [
    'Outlook, Polish words',
    block(
      'Od: Sender <sender@example.com> ',
      'Wysłane: poniedziałek, 2 marca 2026 09:00',
      'Do: Ada <ada@there.test>',
      'Temat: Hello',
    ),
  ],
  [
    'Outlook, Portuguese',
    block(
      'De: Sender <sender@example.com> ',
      'Enviada em: segunda-feira, 2 de março de 2026 09:00',
      'Para: Ada <ada@there.test>',
      'Assunto: Hello',
    ),
  ],
  [
    'Outlook, Danish',
    block(
      'Fra: Sender <sender@example.com> ',
      'Sendt: 2. marts 2026 09:00',
      'Til: Ada <ada@there.test>',
      'Emne: Hello',
    ),
  ],
  [
    'Outlook, Japanese',
    block(
      '差出人: Sender <sender@example.com>',
      '送信日時: 2026年3月2日 9:00',
      '宛先: Ada <ada@there.test>',
      '件名: Hello',
    ),
  ],
  [
    'Outlook, Chinese',
    block(
      '发件人: Sender <sender@example.com>',
      '发送时间: 2026年3月2日 9:00',
      '收件人: Ada <ada@there.test>',
      '主题: Hello',
    ),
  ],
  [
    'Outlook, Korean',
    block(
      '보낸 사람: Sender <sender@example.com>',
      '보낸 날짜: 2026년 3월 2일 월요일 오전 9:00',
      '받는 사람: Ada <ada@there.test>',
      '제목: Hello',
    ),
  ],
  [
    'Outlook, Czech',
    block(
      'Od: Sender <sender@example.com>',
      'Odesláno: pondělí 2. března 2026 9:00',
      'Komu: Ada <ada@there.test>',
      'Předmět: Hello',
    ),
  ],
  [
    'Outlook, Hungarian',
    block(
      'Feladó: Sender <sender@example.com>',
      'Küldve: 2026. március 2., hétfő 9:00',
      'Címzett: Ada <ada@there.test>',
      'Tárgy: Hello',
    ),
  ],
  [
    'Outlook, Turkish',
    block(
      'Kimden: Sender <sender@example.com>',
      'Gönderildi: 2 Mart 2026 Pazartesi 09:00',
      'Kime: Ada <ada@there.test>',
      'Konu: Hello',
    ),
  ],
  [
    'Outlook, original message',
    block(
      '-----Original Message-----',
      'From: Sender [mailto:sender@example.com]',
      'Sent: Monday, March 02, 2026 9:00 AM',
      'To: Ada',
      'Subject: Hello',
    ),
  ],
  [
    'Outlook for phones',
    block(
      '________________________________',
      'From: Sender <sender@example.com>',
      'Sent: Monday, March 2, 2026 9:00:00 AM',
      'To: Ada <ada@there.test>',
      'Subject: Hello',
    ),
  ],
  ['Gmail, English (UK)', `On Mon, 2 Mar 2026 at 09:00, Sender <sender@example.com> wrote:\n${quoted}`],
  [
    'Gmail, wrapped',
    `On Mon, Mar 2, 2026 at 9:00 AM Sender With A Rather Long Name And Title <\nsender@example.com> wrote:\n${quoted}`,
  ],
  ['Gmail, Catalan', `Missatge de Sender <sender@example.com> del dia dl., 2 de març 2026 a les 9:00:\n${quoted}`],
  ['Gmail, Norwegian', `man. 2. mar. 2026 kl. 09:00 skrev Sender <sender@example.com>:\n${quoted}`],
  ['Gmail, Finnish', `ma 2. maalisk. 2026 klo 9.00 Sender (sender@example.com) kirjoitti:\n${quoted}`],
  ['Gmail, Portuguese', `Sender <sender@example.com> escreveu (segunda, 2/03/2026 à(s) 09:00):\n${quoted}`],
  ['Gmail, Ukrainian', `пн, 2 бер. 2026 р. о 09:00 Sender <sender@example.com> пише:\n${quoted}`],
  ['Gmail, Croatian', `pon, 2. ožu 2026. u 09:00 Sender <sender@example.com> napisao je:\n${quoted}`],
  ['Gmail, Indonesian', `Pada tanggal Sen, 2 Mar 2026 pukul 09.00 Sender <sender@example.com> menulis:\n${quoted}`],
  ['Gmail, Chinese', `Sender <sender@example.com> 于2026年3月2日周一 09:00写道：\n${quoted}`],
  ['Gmail, Chinese (Taiwan)', `Sender <sender@example.com> 於 2026年3月2日 週一 上午9:00寫道：\n${quoted}`],
  ['Gmail, Japanese', `2026年3月2日(月) 9:00 Sender <sender@example.com>:\n${quoted}`],
  ['Apple Mail', `> On 2 Mar 2026, at 09:00, Sender <sender@example.com> wrote:\n> \n> Hi Ada,\n> \n> shall we talk?`],
  [
    'Apple Mail, German',
    `> Am 02.03.2026 um 09:00 schrieb Sender <sender@example.com>:\n> \n> Hi Ada,\n> shall we talk?`,
  ],
  [
    'Apple Mail, French',
    `> Le 2 mars 2026 à 09:00, Sender <sender@example.com> a écrit :\n> \n> Hi Ada,\n> shall we talk?`,
  ],
  [
    'Apple Mail, Italian',
    `> Il giorno 2 mar 2026, alle ore 09:00, Sender <sender@example.com> ha scritto:\n> \n> Hi Ada,`,
  ],
  [
    'Apple Mail, Dutch',
    `> Op 2 mrt. 2026 om 09:00 heeft Sender <sender@example.com> het volgende geschreven:\n> \n> Hi Ada,`,
  ],
  ['Apple Mail, Spanish', `> El 2 mar 2026, a las 9:00, Sender <sender@example.com> escribió:\n> \n> Hi Ada,`],
  [
    'Yahoo',
    `    On Monday, March 2, 2026 at 09:00:00 AM GMT+1, Sender <sender@example.com> wrote:  \n \n Hi Ada,\n\nshall we talk?`,
  ],
  [
    'Yahoo, German',
    `    Am Montag, 2. März 2026 um 09:00:00 MEZ hat Sender <sender@example.com> Folgendes geschrieben:  \n \n Hi Ada,`,
  ],
  ['Yahoo, French', `    Le lundi 2 mars 2026 à 09:00:00 UTC+1, Sender <sender@example.com> a écrit :  \n \n Hi Ada,`],
  [
    'Yahoo, Spanish',
    `    El lunes, 2 de marzo de 2026, 09:00:00 CET, Sender <sender@example.com> escribió:  \n \n Hi Ada,`,
  ],
  ['Thunderbird', `On 02/03/2026 09:00, Sender wrote:\n${quoted.slice(1)}`],
  ['Thunderbird, German', `Am 02.03.26 um 09:00 schrieb Sender:\n${quoted.slice(1)}`],
  ['Thunderbird, French', `Le 02/03/2026 à 09:00, Sender a écrit :\n${quoted.slice(1)}`],
  ['Thunderbird, Polish', `W dniu 2.03.2026 o 09:00, Sender pisze:\n${quoted.slice(1)}`],
  ['Thunderbird, Russian', `02.03.2026 09:00, Sender пишет:\n${quoted.slice(1)}`],
  ['mail.ru', `Понедельник, 2 марта 2026, 9:00 +03:00 от Sender <sender@example.com>:\n${quoted}`],
  ['Yandex', `02.03.2026, 09:00, "Sender" <sender@example.com>:\n${quoted}`],
  [
    'GMX',
    'Gesendet: Montag, 02. März 2026 um 09:00 Uhr\nVon: "Sender" <sender@example.com>\nAn: ada@there.test\n' +
      'Betreff: Hello\n\nHi Ada,\n\nshall we talk?',
  ],
  [
    'Zimbra',
    '----- Original Message -----\nFrom: "Sender" <sender@example.com>\nTo: "Ada" <ada@there.test>\nSent: ' +
      'Monday, March 2, 2026 9:00:00 AM\nSubject: Hello\n\nHi Ada,',
  ],
  [
    'Lotus Notes',
    `From:   Sender <sender@example.com>\nTo:     Ada <ada@there.test>\nDate:   02/03/2026 09:00\nSubject:        Hello\n\nHi Ada,`,
  ],
  ['Proton', `On Monday, March 2nd, 2026 at 9:00 AM, Sender <sender@example.com> wrote:\n${quoted}`],
  [
    'Outlook for Mac',
    'From: Sender <sender@example.com>\nDate: Monday, 2 March 2026 at 09:00\nTo: Ada <ada@there.test>\n' +
      'Subject: Hello\nHi Ada,\n\nshall we talk?',
  ],
  [
    'BlackBerry',
    block('  Original Message  ', 'From: Sender', 'Sent: Monday, March 2, 2026 09:00', 'To: Ada', 'Subject: Hello'),
  ],
  [
    'Samsung',
    '-------- Original message --------\nFrom: Sender <sender@example.com>\nDate: 02/03/2026 09:00 ' +
      '(GMT+01:00)\nTo: Ada <ada@there.test>\nSubject: Hello\n\nHi Ada,',
  ],
  [
    'Samsung, German',
    '-------- Ursprüngliche Nachricht --------\nVon: Sender <sender@example.com>\nDatum: 02.03.26 09:00 ' +
      '(GMT+01:00)\nAn: Ada <ada@there.test>\nBetreff: Hello\n\nHi Ada,',
  ],
  [
    'Samsung, French',
    "-------- Message d'origine --------\nDe : Sender <sender@example.com>\nDate : 02/03/2026 09:00 " +
      '(GMT+01:00)\nÀ : Ada <ada@there.test>\nObjet : Hello\n\nHi Ada,',
  ],
  ['Spark', `On 2 Mar 2026 at 09:00 +0100, Sender <sender@example.com>, wrote:\n${quoted}`],
  ['Roundcube', `Sender schrieb am 2026-03-02 09:00:\n${quoted.slice(1)}`],
  [
    'Zoho',
    `---- On Mon, 02 Mar 2026 09:00:00 +0100 Sender <sender@example.com> wrote ----\n\nHi Ada,\n\nshall we talk?`,
  ],
  ['Mailspring', `On Mar 2 2026, at 9:00 am, Sender <sender@example.com> wrote:\n${quoted}`],
  [
    'forwarded with a word',
    '---------- Forwarded message ---------\nFrom: Sender <sender@example.com>\nDate: Mon, 2 Mar 2026 at ' +
      '09:00\nSubject: Hello\nTo: Ada <ada@there.test>\n\nHi Ada,',
  ],
]

const own = 'Yes, Tuesday at 3 works for me.\n\nCould you send the price list before?\n\nBest regards,\nAda'

describe('a reply above the quoted message', () => {
  test.each(topPosted)('%s', (_, rest) => {
    expect(reply(`${own}\n\n${rest}`)?.text).toBe(own)
  })
})

describe('the signature is separated from the text', () => {
  test.each([
    'Sent from my iPhone',
    'Sent from my Galaxy',
    'Von meinem iPad gesendet',
    'Gesendet mit der GMX Mail App',
    'Envoyé de mon iPhone',
    "Envoyé à partir d'Outlook pour Android",
    'Enviado desde mi iPhone',
    'Enviado do meu iPhone',
    'Inviato da iPhone',
    'Verstuurd vanaf mijn iPhone',
    'Skickat från min iPhone',
    'Sendt fra min iPhone',
    'Lähetetty iPhonesta',
    'Wysłane z iPhone’a',
    'Отправлено с iPhone',
    'iPhoneから送信',
    '发自我的iPhone',
    'Get Outlook for Android<https://aka.ms/AAb9ysg>',
    'Sent with Proton Mail secure email.',
    '-- \nAda Lovelace\nHead of Engines\nThere Ltd | +44 20 7946 0000',
  ])('%s', (signature) => {
    const found = reply(
      `Yes, Tuesday.\n\n${signature}\n\nOn Mon, 2 Mar 2026 at 09:00, Sender <sender@example.com> wrote:\n${quoted}`,
    )
    expect(found?.text).toBe('Yes, Tuesday.')
    expect(found?.signature).toContain(signature.split('\n').at(-1))
  })
})

describe("a person's own text is kept", () => {
  test('below the quote', () => {
    const found = reply(
      `On 02/03/2026 09:00, Sender wrote:\n> Hi Ada,\n> shall we talk?\n\nYes, Tuesday at 3.\n\n-- \nAda`,
    )
    expect(found).toMatchObject({ text: 'Yes, Tuesday at 3.', signature: expect.stringContaining('Ada') })
  })
  test('between quoted lines', () => {
    const text = reply(
      'Hi,\n\nOn 02/03/2026 09:00, Sender wrote:\n> What does it cost you?\n\nAbout 500 a month.\n\n> And who decides?\n\nBob does.\n\nAda',
    )?.text
    for (const words of ['Hi,', 'About 500 a month.', 'Bob does.', 'Ada']) expect(text).toContain(words)
  })
  test("between quoted lines, in German, with Outlook's attribution", () => {
    const text = reply(
      'Am 02.03.26 um 09:00 schrieb Sender:\n> Passt Dienstag?\nJa, ab 15 Uhr.\n> Und der Preis?\nIst in Ordnung, danke.\n',
    )?.text
    for (const words of ['Ja, ab 15 Uhr.', 'Ist in Ordnung, danke.']) expect(text).toContain(words)
  })
  test.each([
    'From: what I hear, you are cheap.\nTo be honest I doubt it.',
    'The numbers:\n- 2025: 40 people\n- 2026: 60 people\n\nOn Tuesday we decide.',
    'My boss wrote:\nwe do not need this.\nSo no.',
    'Sent the contract yesterday from my phone, did you get it?',
    'Date: Tuesday, 3 pm\nPlace: our office\n\nOK?',
    'Price > 500 is too much, < 400 would be fine.',
    'Hello\n\n---\n\nSee the points above and below the line.\n\nBye',
    'We met on 2 March 2026 and Bob said: yes.',
    'Von mir aus gerne.\nAn welchem Tag?\nBetreff Preis: 500 ist ok.',
    '1) yes\n2) no\n3) 10:30, in the office',
    '*Bold words* and _others_\n\n___\nAda',
  ])('%s', (body) => {
    const found = reply(body)
    for (const word of body.match(/[\p{L}\p{N}]{3,}/gu) ?? [])
      expect(`${found?.text}\n${found?.signature}`).toContain(word)
    expect(found?.text.length).toBeGreaterThan(body.length / 2)
  })
})

const html: [string, string][] = [
  [
    'Gmail',
    '<div dir="ltr"><div>Yes, Tuesday.</div></div><br><div class="gmail_quote gmail_quote_container"><div ' +
      'dir="ltr" class="gmail_attr">On Mon, 2 Mar 2026 at 09:00, Sender &lt;<a href="mailto:sender@example.com">' +
      'sender@example.com</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px ' +
      '0.8ex"><div>shall we talk?</div></blockquote></div>',
  ],
  [
    'Outlook on the web',
    '<div class="elementToProof">Yes, Tuesday.</div><div id="appendonsend"></div><hr ' +
      'style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font ' +
      'face="Calibri"><b>Von:</b> Sender<br><b>Gesendet:</b> Montag, 2. März 2026 09:00<br><b>An:</b> Ada<br><b>' +
      'Betreff:</b> Hello</font></div><div>shall we talk?</div>',
  ],
  [
    'Outlook',
    '<div class="WordSection1"><p class="MsoNormal">Yes, Tuesday.<o:p></o:p></p><p class="MsoNormal"><o:p>' +
      '&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p ' +
      'class="MsoNormal"><b>From:</b> Sender &lt;sender@example.com&gt;<br><b>Sent:</b> Monday, March 2, 2026 ' +
      '9:00 AM<br><b>To:</b> Ada<br><b>Subject:</b> Hello</p></div><p class="MsoNormal">shall we talk?</p></div>',
  ],
  [
    'Yahoo',
    '<div class="ydp1yahoo-style-wrap"><div>Yes, Tuesday.</div></div><div id="ydp2yahoo_quoted_1" ' +
      'class="ydp2yahoo_quoted"><div>On Monday, March 2, 2026, 09:00, Sender &lt;sender@example.com&gt; ' +
      'wrote:</div><div>shall we talk?</div></div>',
  ],
  [
    'Apple Mail',
    '<div>Yes, Tuesday.</div><div><br><blockquote type="cite"><div>On 2. Mar 2026, at 09:00, Sender ' +
      '&lt;sender@example.com&gt; wrote:</div><br><div>shall we talk?</div></blockquote></div>',
  ],
  [
    'Apple on a phone',
    '<div dir="ltr">Yes, Tuesday.</div><div dir="ltr"><br><blockquote type="cite">Am 02.03.2026 um 09:00 ' +
      'schrieb Sender &lt;sender@example.com&gt;:<br><br></blockquote></div><blockquote type="cite"><div ' +
      'dir="ltr">shall we talk?</div></blockquote>',
  ],
  [
    'Proton',
    '<div>Yes, Tuesday.</div><div class="protonmail_quote">On Monday, March 2nd, 2026 at 9:00 AM, Sender ' +
      '&lt;sender@example.com&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">shall we ' +
      'talk?</blockquote></div>',
  ],
  [
    'Zoho',
    '<div>Yes, Tuesday.<br></div><div class="zmail_extra"><div id="Zm-_Id_-Sgn1">---- On Mon, 02 Mar 2026 ' +
      '09:00:00 +0100 <b>Sender &lt;sender@example.com&gt;</b> wrote ----</div><blockquote ' +
      'id="blockquote_zmail">shall we talk?</blockquote></div>',
  ],
]

describe('the reply in HTML from', () => {
  test.each(html)('%s', (_, body) => {
    const found = reply(`<html><body>${body}</body></html>`, 'text/html')
    expect(found?.text).toBe('Yes, Tuesday.')
    expect(found?.quoted).toContain('shall we talk?')
  })
})
