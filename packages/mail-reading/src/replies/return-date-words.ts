import { anyOf, sequence } from '@overture/ground/text/patterns.ts'
import { dateNames, type DateNames } from './date-words.ts'

/** The number of each month by its names, from 1. */
export const monthsByName = numbersByName((names) => names.months.join(', '))
export const monthNames = longestFirst(monthsByName)

/** The number of each weekday by its names, from 1 for Monday. */
export const weekdaysByName = numbersByName((names) => names.weekdays ?? '')
export const weekdayNames = longestFirst(weekdaysByName)

/** Words about the end of an absence. A date in the same clause, some words later, is that end. */
export const returning = sequence(
  [
    /(?<!\p{L})/u,
    [
      /until|till|til|thru|through|back|return\p{L}{0,4}|resum\p{L}{1,4}|re-?open\p{L}{0,4}/u,
      /(?:reply|respond|answer)(?= on)|available again|ending(?: on)?|ends(?: on)?|next (?:be )?in/,
      /in the office again|bis|wieder|zurück|jusqu\p{L}{0,4}|retour|repr(?:ise|endrai|ends)/u,
      /rentr\p{L}{1,6}|revien\p{L}{1,4}|reviendrai|hasta|vuelv\p{L}{1,4}|volver\p{L}{1,3}|vuelta/u,
      /regres\p{L}{1,4}|(?:re)?incorpor\p{L}{1,5}|retorn\p{L}{1,5}|fino|sino|rientr\p{L}{1,6}/u,
      /(?:ri)?torn\p{L}{1,6}|tot|t\/m|terug|weer|até|volt\p{L}{1,5}|till|tillbaka|åter|t\.?o\.?m/u,
      /tilbage|tilbake|igen|igjen|palaan|palaamme|takaisin|jälleen|wracam\p{L}{0,1}|wrócę|powrót/u,
      /powrócę|zpět|vrátím|späť|vissza\p{L}{0,8}|dönüş\p{L}{0,6}|вернусь|выйду|буду|повернусь/u,
      /повернуся|până|revin|reveni\p{L}{0,3}|înapoi|έως|εως|μέχρι|ως|επιστροφή|выхожу|выйд\p{L}{1,3}/u,
      /повертаюс\p{L}{0,2}|връщам се|отново|до|vrátim|vrátím|späť|zpátky|nazaj|natrag|nazad|vra[ćč]am/u,
      /vrnem|vratit|tagasi|kuni|naasen|līdz|atgriez\p{L}{1,6}|iki|grįš\p{L}{1,4}|grįžtu|fins|tornaré/u,
      /sampai|hingga|sehingga|kembali|masuk|đến|tới|trở lại|quay lại|làm việc lại|حتى|لغاية|سأعود/,
      /العودة|أعود|عودتي|עד|אחזור|חוזר|חוזרת|אשוב|اعود|تا|back in office|μέχρι|επιστρέφω|επιστρέψω/,
    ],
    /(?!\p{L})/u,
  ],
  'gu',
)

/** Words that count only if the date follows directly. The dashes of 2027-02-04 don't count. */
export const bounding = anyOf(
  [
    sequence([
      /(?<!\p{L})/u,
      [
        /to|as of|from|ab(?: dem)?|au|à partir du|dès le|a partir d[ei]l?|al|dal|a|à|vanaf|do(?: dnia)?/,
        /od(?: dne)?|до|с|по|з|la/,
      ],
      /(?!\p{L})/u,
    ]),
    /(?<=\d\.?\s{0,2})(?<!\d{4}-\d{1,2})[-–—](?=\s{0,2}\d)(?!\d{1,2}-\d{1,2}(?!\d))|[至到~〜～]/,
    /(?:จนถึง|ถึง|กลับมา(?:ทำงาน)?|กลับ)(?:วัน)?(?:ที่)?/,
  ],
  'gu',
)

/** After a date: until that day. */
export const postposition = sequence(
  [
    /^/,
    [
      /['’]?\p{L}{0,3} ?(?:tarihine )?kadar|[-–]?(?:j?a?ig)(?!\p{L})| ?(?:asti|saakka)(?!\p{L})| ?까지/u,
      /\s?日?(?:\([^)]{1,3}\)|（[^）]{1,3}）)?\s?まで/,
    ],
  ],
  'u',
)

/** Some words after a date: on that day. */
export const followedByReturn = sequence(
  [
    /^(?:[\s,.]{1,3}\p{L}{1,14}){0,5}?[\s,.]{1,3}/u,
    [
      /weer|wieder|back|zurück|de retour|terug|tillbaka|tilbage|tilbake|igen|igjen|de vuelta|de volta/,
      /takaisin|jälleen|töissä|z powrotem|dostępn[ya]|zpět|späť|újra|elérhető|ofiste|döneceğim|înapoi/,
      /вернусь|буду на|снова|повернусь|отново|nazaj|natrag/,
    ],
    /(?!\p{L})/u,
  ],
  'u',
)

/** The number of each spelling in all languages. Throws if one spelling has two numbers. */
function numbersByName(list: (names: DateNames) => string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const names of Object.values(dateNames)) {
    for (const [index, spellings] of list(names).split(', ').entries()) {
      for (const name of spellings.split('|').filter(Boolean)) {
        if ((found.get(name) ?? index + 1) !== index + 1) throw new Error(`${name} has two numbers`)
        found.set(name, index + 1)
      }
    }
  }
  return found
}

function longestFirst(names: ReadonlyMap<string, number>): string[] {
  return [...names.keys()].sort((a, b) => b.length - a.length)
}
