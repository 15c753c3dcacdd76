import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { detectLetterEncoding } from './foreign-letters.ts'
import { detectCertainEncoding, guessEncoding } from './spreadsheet-encoding.ts'
import { SpreadsheetText } from './spreadsheet-text.ts'

const rows: [string, string, string][] = [
  ['windows-1251', 'Russian', 'Иван,Петров,Москва,ООО Ромашка'],
  ['windows-1251', 'Russian in capitals', 'АННА,СМИРНОВА,ТУЛА,ЗАО'],
  ['windows-1251', 'Ukrainian', 'Олександр,Шевченко,Київ,ТОВ Їжак'],
  ['windows-1251', 'Bulgarian', 'Георги,Димитров,София,Хляб ЕООД'],
  ['windows-1251', 'Serbian', 'Ђорђе,Љубић,Београд,Књига'],
  ['windows-1251', 'Belarusian', 'Аляксандр,Быкаў,Мінск,Зубр'],
  ['windows-1251', 'one Russian cell', 'Ivan,Petrov,Moscow,Ромашка'],
  ['koi8-r', 'Russian', 'Иван,Петров,Москва,ООО Ромашка'],
  ['koi8-r', 'Russian in capitals', 'АННА,СМИРНОВА,ТУЛА,ЗАО'],
  ['koi8-r', 'one Russian cell', 'Ivan,Petrov,Moscow,Мирный'],
  ['windows-1253', 'Greek', 'Γιώργος,Παπαδόπουλος,Αθήνα,Εταιρεία ΑΕ'],
  ['windows-1253', 'Greek in capitals', 'ΜΑΡΙΑ,ΙΩΑΝΝΟΥ,ΠΑΤΡΑ,ΟΤΕ'],
  ['windows-1250', 'Polish', 'Łukasz,Wiśniewski,Kraków,Spółka Żabka'],
  ['windows-1250', 'one Polish cell', 'Anna,Nowak,Łódź,Firma'],
  ['windows-1250', 'Czech', 'Tomáš,Dvořák,Plzeň,Škoda'],
  ['windows-1250', 'Slovak', 'Ľubomír,Kováč,Žilina,Košice'],
  ['windows-1250', 'Hungarian', 'Győző,Szűcs,Székesfehérvár,Bő Kft.'],
  ['windows-1250', 'Romanian', 'Ştefan,Ţurcanu,Iaşi,Bacău'],
  ['windows-1250', 'Croatian', 'Željko,Šarić,Čakovec,Đuro'],
  ['windows-1250', 'Slovenian', 'Janž,Kovačič,Škofja Loka,Hiša'],
  ['windows-1254', 'Turkish', 'Gökhan,Şahin,İstanbul,Ağrı'],
  ['windows-1254', 'one Turkish cell', 'Ali,Kaya,Ankara,Yıldız Işığı'],
  ['shift_jis', 'Japanese', '山田,太郎,東京都港区,株式会社'],
  ['shift_jis', 'Japanese kana', 'やまだ,たろう,トウキョウ,さくら'],
  ['gb18030', 'Chinese', '张,伟,北京市朝阳区,科技有限公司'],
  ['windows-1252', 'German', 'Jürgen,Größe,München,Straße GmbH'],
  ['windows-1252', 'French', 'Hélène,Lefèvre,Benoît,Société Générale août'],
  ['windows-1252', 'Spanish', 'José,Muñoz,Málaga,¿Compañía?'],
  ['windows-1252', 'Portuguese', 'João,Simões,São Paulo,Ação'],
  ['windows-1252', 'Swedish', 'Åsa,Öberg,Malmö,Företag'],
  ['windows-1252', 'Danish', 'Søren,Kjær,Ålborg,Æble'],
  ['windows-1252', 'Icelandic', 'Þór,Guðmundsson,Reykjavík,Ís'],
  ['windows-1252', 'Finnish', 'Päivi,Hämäläinen,Jyväskylä,Yhtiö'],
  ['windows-1252', 'Estonian', 'Jõgi,Tõnu,Põlva,Äri'],
  ['windows-1252', 'Italian', 'Nicolò,Forlì,È,Città'],
  ['windows-1252', 'quotes, dashes and prices', 'Jose,“Acme” – 5 €,£20,½'],
  ['windows-1252', 'a word of umlauts', 'ÄÖÜ,Bäcker,Müller,Öl'],
]

describe('the encoding of a file without a declared encoding', () => {
  test.each(rows)('%s is recognised in %s', (encoding, _, cells) => {
    const text = `email,first name,last name,city,company\nlead@example.com,${cells}\n`
    const likely = guessEncoding(iconv.encode(text, encoding))
    expect(likely ?? 'windows-1252').toBe(encoding)
  })

  test.each([
    ['French with a Croatian name', 'Tomaš,Brûlé,Gümligen,Žižka è'],
    ['Danish with a Slovenian name', 'Søren,Æble,Ålborg,Boštjan'],
    ['a volume', 'Müller,20 m³,Größe,Ž'],
    ['Czech', 'TomᚠDvoøák Plzeò'],
  ])('a file in Windows-1252 or 1250 is never certain: %s', (_, cells) => {
    expect(detectCertainEncoding(iconv.encode(`name\n${cells}\n`, 'windows-1252'))).toBeNull()
  })

  test.each([
    ['Lithuanian', 'windows-1257', 'Žydrūnas,Šešelgis,Kėdainiai,Įmonė'],
    ['Latvian', 'windows-1257', 'Jānis,Bērziņš,Liepāja,Žagata'],
    ['Arabic', 'windows-1256', 'محمد,أحمد,القاهرة,شركة'],
    ['Korean', 'euc-kr', '김,철수,서울특별시,주식회사'],
    ['Thai', 'windows-874', 'สมชาย,ใจดี,กรุงเทพ,บริษัท'],
  ])('there is no wrong hint for %s', (_, encoding, cells) => {
    expect(String(guessEncoding(iconv.encode(`name\n${cells}\n`, encoding)))).not.toMatch(
      /windows-1254|shift_jis|gb18030/,
    )
  })

  const certain = ['windows-1251', 'windows-1253', 'koi8-r']
  test.each(rows.filter(([encoding]) => certain.includes(encoding)))('%s is certain in %s', (encoding, _, cells) =>
    expect(detectCertainEncoding(iconv.encode(`name\n${cells}\n`, encoding))).toBe(encoding),
  )

  test.each(rows)('a UTF-8 file is never guessed, like %s in %s', (_encoding, _, cells) => {
    const bytes = Buffer.from(`email,name\nlead@example.com,${cells}\n`)
    expect(guessEncoding(bytes)).toBeNull()
    // With one broken byte the file still counts as UTF-8.
    const letters = Buffer.from('жжж')
    expect(guessEncoding(Buffer.concat([bytes, letters, Buffer.from([0xd0, 0x0a])]))).toBeNull()
  })

  test('Hebrew letters are recognised in mail, but not in a file', () => {
    const bytes = iconv.encode('שלום ירושלים חברה ישראל', 'windows-1255')
    expect([detectLetterEncoding(bytes), guessEncoding(bytes)]).toEqual(['windows-1255', null])
  })

  test.each(['gb18030', 'shift_jis', 'euc-kr', 'windows-1256'])(
    'letters in %s are not read as Cyrillic or Greek',
    (encoding) => {
      const words: Record<string, string> = {
        gb18030: '北京市朝阳区 您好 谢谢你的来信',
        shift_jis: 'こんにちは 東京都 株式会社',
        'euc-kr': '안녕하세요 서울특별시 주식회사',
        'windows-1256': 'مرحبا القاهرة شركة محمد',
      }
      expect(detectLetterEncoding(iconv.encode(words[encoding]!, encoding))).toBeNull()
    },
  )

  test('the 64 KiB after the first letter outside ASCII decide, with pieces of any size', () => {
    const ascii = Buffer.alloc(100_000, 'name,city\n')
    const cyrillic = iconv.encode('Москва,Россия\n'.repeat(6_000), 'windows-1251')
    const file = Buffer.concat([ascii, cyrillic])
    expect(guessEncoding(file)).toBe('windows-1251')
    for (const size of [1, 777, 65_536, file.length]) {
      const text = new SpreadsheetText()
      const read: string[] = []
      for (let at = 0; at < file.length; at += size) read.push(text.read(file.subarray(at, at + size)))
      read.push(text.read(new Uint8Array(0), true))
      expect(read.join('') === `${ascii.toString()}${'Москва,Россия\n'.repeat(6_000)}`).toBe(true)
    }
  })
})
