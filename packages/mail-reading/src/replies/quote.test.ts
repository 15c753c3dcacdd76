import { describe, expect, test } from 'vitest'
import { inspectMessage } from '../classify/inspect.ts'
import { ownWords, splitReply } from './quote.ts'

const attributions = [
  'On Mon, 2 Mar 2026 at 09:00, Sender <sender@example.com> wrote:',
  'On Mar 2, 2026, at 9:00 AM, Sender <sender@example.com> wrote:',
  'Am Mo., 2. März 2026 um 09:00 Uhr schrieb Sender <sender@example.com>:',
  'Le lun. 2 mars 2026 à 09:00, Sender <sender@example.com> a écrit :',
  'El lun, 2 mar 2026 a las 9:00, Sender (<sender@example.com>) escribió:',
  'Il giorno lun 2 mar 2026 alle ore 09:00 Sender <sender@example.com> ha scritto:',
  'Op ma 2 mrt 2026 om 09:00 schreef Sender <sender@example.com>:',
  'Em seg., 2 de mar. de 2026 às 09:00, Sender <sender@example.com> escreveu:',
  'Den mån 2 mars 2026 kl 09:00 skrev Sender <sender@example.com>:',
  'pon., 2 mar 2026 o 09:00 Sender <sender@example.com> napisał(a):',
  'пн, 2 мар. 2026 г. в 09:00, Sender <sender@example.com>:',
  '2026年3月2日(月) 9:00 Sender <sender@example.com>:',
  'On Mon, 2 Mar 2026 at 09:00, A Sender With A Very Long Name\n<sender@example.com> wrote:',
]

describe('a reply above the quoted message', () => {
  test.each(attributions)('%s', (attribution) => {
    const { text, quoted } = splitReply(`Yes, let's talk.\nBest, Ada\n\n${attribution}\n\n> Hello\n> Shall we talk?\n`)
    expect(text).toBe("Yes, let's talk.\nBest, Ada")
    expect(quoted).toContain('> Shall we talk?')
  })

  test.each([
    '-----Original Message-----\nFrom: Sender\nSent: Monday\nTo: Ada\nSubject: Hello\n\nShall we talk?',
    '________________________________\nFrom: Sender <sender@example.com>\nSent: Monday, 2 March 2026 09:00\n' +
      'To: Ada\nSubject: Hello\n\nShall we talk?',
    'Von: Sender <sender@example.com>\nGesendet: Montag, 2. März 2026 09:00\nAn: Ada\nBetreff: Hello\n\nShall we talk?',
    'De : Sender\nEnvoyé : lundi 2 mars 2026 09:00\nÀ : Ada\nObjet : Hello\n\nShall we talk?',
    '发件人: Sender\n发送时间: 2026年3月2日\n收件人: Ada\n主题: Hello\n\nShall we talk?',
  ])("with Outlook's header block: %s", (block) => {
    expect(splitReply(`Sure, Tuesday.\n\n${block}`)).toMatchObject({ text: 'Sure, Tuesday.', signature: '' })
  })
})

describe("a person's own text is kept", () => {
  test('below the quoted message', () => {
    expect(
      splitReply('On Mon, 2 Mar 2026, Sender <sender@example.com> wrote:\n> Hello\n> Shall we?\n\nYes, on Tuesday.')
        .text,
    ).toBe('Yes, on Tuesday.')
  })

  test('between quoted lines', () => {
    const { text } = splitReply(
      'On Mon, 2 Mar 2026, Sender <sender@example.com> wrote:\n> First?\n\nYes.\n\n> Second?\n\nNo, because of the price.',
    )
    expect(text).toContain('Yes.')
    expect(text).toContain('No, because of the price.')
  })

  test('above and between quoted lines', () => {
    const reply = splitReply(
      'See below.\n\nOn Mon, 2 Mar 2026, Sender <sender@example.com> wrote:\n> First?\n\nYes.\n\n> Second?\n',
    )
    expect(ownWords(reply)).toMatch(/See below\.[^]*Yes\./)
  })

  test('when it contains dates and "wrote"', () => {
    const body = 'On this day I wrote something.\n\nOn 3 May we should meet, as I wrote.\nFrom: my side it is fine.'
    expect(splitReply(body).text).toBe(body)
  })

  test('when all of it is quoted', () => {
    expect(splitReply('> only this').text).toBe('> only this')
  })
})

describe('signatures', () => {
  test.each([
    '-- \nAda Lovelace\nEngines Ltd',
    'Sent from my iPhone',
    'Von meinem iPhone gesendet',
    'Envoyé de mon iPhone',
    'Get Outlook for iOS<https://aka.ms/x>',
  ])('%s', (signature) => {
    const split = splitReply(`Yes.\n\n${signature}`)
    expect(split.text).toBe('Yes.')
    expect(split.signature).toBe(signature.replace('-- ', '--'))
  })
})

test('a phone signature above only quoted text leaves an empty text', () => {
  const split = splitReply('Sent from my iPhone\n\n> On Mar 2, 2026, at 9:00 AM, Me <me@example.com> wrote:\n>\n> Hi')
  expect(split).toMatchObject({ text: '', signature: 'Sent from my iPhone' })
})

describe('HTML', () => {
  const html = (body: string) =>
    inspectMessage(
      Buffer.from(`From: ada@example.net\nSubject: Re: Hello\nContent-Type: text/html; charset=utf-8\n\n${body}`),
    ).reply

  test.each([
    [
      'Gmail',
      '<div dir="ltr">Yes, <b>Tuesday</b>.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">' +
        'On Mon, 2 Mar 2026, Sender &lt;s@example.com&gt; wrote:<br></div><blockquote class="gmail_quote">Shall ' +
        'we?</blockquote></div>',
    ],
    [
      'Outlook',
      '<p>Yes, Tuesday.</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Sender<br><b>' +
        'Sent:</b> Monday<br><b>Subject:</b> Hello</div><div>Shall we?</div>',
    ],
    [
      'Apple Mail',
      'Yes, Tuesday.<br><blockquote type="cite"><div>On 2 Mar 2026, at 09:00, Sender &lt;s@example.com&gt; ' +
        'wrote:</div><div>Shall we?</div></blockquote>',
    ],
    [
      'Thunderbird',
      '<p>Yes, Tuesday.</p><div class="moz-cite-prefix">On 02.03.26 09:00, Sender wrote:<br></div><blockquote ' +
        'type="cite">Shall we?</blockquote>',
    ],
  ])('from %s', (_, body) => {
    expect(html(body)).toMatchObject({ text: 'Yes, Tuesday.', quoted: expect.stringContaining('Shall we?') })
  })

  test('leaves out invisible text', () => {
    expect(
      html('<style>p{}</style><p>Yes &amp; no</p><script>alert(1)</script><div style="display:none">hidden</div>')
        ?.text,
    ).toBe('Yes & no')
  })
})
