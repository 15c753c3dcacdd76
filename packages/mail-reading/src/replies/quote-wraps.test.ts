import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitReply } from './quote.ts'

/** Gmail wraps its attribution after 78 columns, also within the address. Other programs wrap it at any space. */
const name = 'Wilhelmina Sandersson-Oyelaran'
const address = 'wilhelmina.sandersson@campaigns.example.com'
const who = `${name} <${address}>`
const attributions: Readonly<Record<string, string>> = {
  English: `On Mon, Mar 2, 2026 at 9:00 AM ${who} wrote:`,
  German: `Am Mo., 2. März 2026 um 09:00 Uhr schrieb ${who}:`,
  French: `Le lun. 2 mars 2026 à 09:00, ${who} a écrit :`,
  Spanish: `El lun, 2 mar 2026 a las 9:00, ${name} (<${address}>) escribió:`,
  Italian: `Il giorno lun 2 mar 2026 alle ore 09:00 ${who} ha scritto:`,
  Dutch: `Op ma 2 mrt 2026 om 09:00 schreef ${who}:`,
  'Portuguese of Brazil': `Em seg., 2 de mar. de 2026 às 09:00, ${who} escreveu:`,
  'Portuguese of Portugal': `${who} escreveu (segunda, 2/03/2026 à(s) 09:00):`,
  Swedish: `Den mån 2 mars 2026 kl 09:00 skrev ${who}:`,
  Danish: `Den man. 2. mar. 2026 kl. 09.00 skrev ${who}:`,
  Norwegian: `man. 2. mars 2026 kl. 09:00 skrev ${who}:`,
  Finnish: `ma 2. maalisk. 2026 klo 9.00 ${name} (${address}) kirjoitti:`,
  Polish: `pon., 2 mar 2026 o 09:00 ${who} napisał(a):`,
  Czech: `po 2. 3. 2026 v 9:00 odesílatel ${who} napsal:`,
  Slovak: `po 2. 3. 2026 o 9:00 ${who} napísal(a):`,
  Hungarian: `${who} ezt írta (időpont: 2026. márc. 2., H, 9:00):`,
  Romanian: `În lun., 2 mar. 2026 la 09:00, ${who} a scris:`,
  Russian: `пн, 2 мар. 2026 г. в 09:00, ${who}:`,
  Ukrainian: `пн, 2 бер. 2026 р. о 09:00 ${who} пише:`,
  Bulgarian: `На пн, 2.03.2026 г. в 9:00 ${who} написа:`,
  Turkish: `${who}, 2 Mar 2026 Pzt, 09:00 tarihinde şunu yazdı:`,
  Greek: `Στις Δευ 2 Μαρ 2026 στις 9:00 π.μ., ο/η ${who} έγραψε:`,
  Croatian: `pon, 2. ožu 2026. u 09:00 ${who} napisao je:`,
  Slovenian: `V V pon., 2. mar. 2026 ob 09:00 je oseba ${who} napisala:`,
  Lithuanian: `2026-03-02, pr, 09:00 ${who} rašė:`,
  Latvian: `pirmd., 2026. g. 2. marts, plkst. 09:00 — lietotājs ${name} (<${address}>) rakstīja:`,
  Estonian: `${who} kirjutas kuupäeval E, 2. märts 2026 kell 09:00:`,
  Japanese: `2026年3月2日(月) 9:00 ${who}:`,
  Chinese: `${who} 于2026年3月2日周一 09:00写道：`,
  'Chinese of Taiwan': `${who} 於 2026年3月2日 週一 上午9:00寫道：`,
  Korean: `2026년 3월 2일 (월) 오전 9:00, ${who}님이 작성:`,
  Vietnamese: `Vào Th 2, 2 thg 3, 2026 vào lúc 09:00 ${who} đã viết:`,
  Thai: `ในวันที่ จ. 2 มี.ค. 2026 เวลา 09:00 ${who} เขียนว่า:`,
  Indonesian: `Pada tanggal Sen, 2 Mar 2026 pukul 09.00 ${who} menulis:`,
  Catalan: `Missatge de ${who} del dia dl., 2 de març 2026 a les 9:00:`,
  Hebrew: `\u202bבתאריך יום ב׳, 2 במרץ 2026 ב-9:00 מאת \u202a${name}\u202c\u200f <\u202a${address}\u202c\u200f>:\u202c`,
  Arabic: `في الاثنين، 2 مارس 2026 في 9:00 ص تمت كتابة ما يلي بواسطة \u202a${name}\u202c\u200f <\u202a${address}\u202c\u200f>:`,
}
const answers = [
  'Fine, Tuesday then.',
  'Ja.\n\nGruß\nAda',
  '火曜日で大丈夫です。',
  'See 3 points:\n1. yes\n2. no\n3. at 09:00',
]

/** The places where the address may break: its brackets and its punctuation. */
function placesWithin(attribution: string): number[] {
  const start = attribution.indexOf(address)
  const marks = [...address.matchAll(/[@.]/g)].map((mark) => start + mark.index + 1)
  return [start, start + address.length, ...marks]
}

function isExact(answer: string, attribution: string): boolean {
  const { text, quoted } = splitReply(`${answer}\n\n${attribution}\n\n> Hi Ada,\n> how about Tuesday?`)
  return text === answer && quoted.includes('how about Tuesday?')
}

describe("an attribution line is not part of the reply's text", () => {
  test.each(Object.entries(attributions))('if it breaks within the address: %s', (_, attribution) => {
    for (const answer of answers)
      for (const at of placesWithin(attribution)) {
        const broken = `${attribution.slice(0, at)}\n${attribution.slice(at)}`
        expect([broken, isExact(answer, broken)]).toEqual([broken, true])
      }
  })

  test.each(Object.entries(attributions))('if it breaks before and within the address: %s', (_, attribution) => {
    const blank = attribution.lastIndexOf(' ', attribution.indexOf(address))
    for (const at of placesWithin(attribution)) {
      const broken = `${attribution.slice(0, blank)}\n${attribution.slice(blank + 1, at)}\n${attribution.slice(at)}`
      expect([broken, isExact(answers[0]!, broken)]).toEqual([broken, true])
    }
  })

  test('whatever text is above it', () => {
    const line = fc.stringMatching(/^[A-Za-zÄÖÜäöü ,.!?]{0,60}$/)
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }),
        fc.constantFrom(...Object.values(attributions)),
        (lines, attribution) => {
          const answer = ['Yes.', ...lines, 'Ada'].map((one) => one.trim()).join('\n')
          const at = attribution.indexOf(address)
          expect(splitReply(`${answer}\n\n${attribution.slice(0, at)}\n${attribution.slice(at)}\n> Hi`).text).toBe(
            answer,
          )
        },
      ),
    )
  })

  test('and similar text of the person stays', () => {
    const answer = [
      'Please invite Bob <bob@there.test>,',
      'and on 3 March 2026 at 09:00 we can meet:',
      '',
      'room 4, second floor.',
    ].join('\n')
    expect(splitReply(`${answer}\n\n${attributions['English']}\n> Hi`).text).toBe(answer)
  })
})
