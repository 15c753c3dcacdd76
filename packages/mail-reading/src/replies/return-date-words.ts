import { anyOf, sequence } from '@overture/ground/text/patterns.ts'

/** Words of dates in the languages of absence notes, all in lower case. */
const months: readonly [number, readonly string[]][] = [
  [
    1,
    [
      'jan|janv|janvier|januar|january|jänner|enero|ene|gennaio|gen|januari|janeiro|tammikuu|tammikuuta',
      'stycznia|styczeń|ledna|január|januára|ocak|января|січня|ianuarie|ιανουαρίου|siječnja',
    ],
  ],
  [
    2,
    [
      'feb|févr|fév|février|februar|february|febrero|febbraio|februari|fevereiro|fev|helmikuu|helmikuuta',
      'lutego|luty|února|február|februára|şubat|февраля|лютого|februarie|φεβρουαρίου|veljače',
    ],
  ],
  [
    3,
    [
      'mar|mars|märz|mär|mrz|march|marts|marzo|maart|mrt|março|maaliskuu|maaliskuuta|marca|marzec|března',
      'március|mart|марта|березня|martie|μαρτίου|ožujka',
    ],
  ],
  [
    4,
    [
      'apr|april|avr|avril|abril|abr|aprile|huhtikuu|huhtikuuta|kwietnia|dubna|apríla|április|nisan|апреля',
      'квітня|aprilie|απριλίου|travnja',
    ],
  ],
  [
    5,
    [
      'may|mai|mayo|maggio|mag|mei|maj|maio|toukokuu|toukokuuta|maja|května|mája|május|mayıs|мая|травня',
      'μαΐου|svibnja',
    ],
  ],
  [
    6,
    [
      'jun|june|juni|juin|junio|giugno|giu|junho|kesäkuu|kesäkuuta|czerwca|června|júna|június|haziran|июня',
      'червня|iunie|ιουνίου|lipnja',
    ],
  ],
  [
    7,
    [
      'jul|july|juli|juil|juillet|julio|luglio|lug|julho|heinäkuu|heinäkuuta|lipca|července|júla|július',
      'temmuz|июля|липня|iulie|ιουλίου|srpnja',
    ],
  ],
  [
    8,
    [
      'aug|august|août|aout|agosto|ago|augustus|augusti|elokuu|elokuuta|sierpnia|srpna|augusta|augusztus',
      'ağustos|августа|серпня|αυγούστου|kolovoza',
    ],
  ],
  [
    9,
    [
      'sep|sept|september|septembre|septiembre|settembre|set|setembro|syyskuu|syyskuuta|września|září',
      'septembra|szeptember|eylül|сентября|вересня|septembrie|σεπτεμβρίου|rujna',
    ],
  ],
  [
    10,
    [
      'oct|okt|october|oktober|octobre|octubre|ottobre|ott|outubro|out|lokakuu|lokakuuta|października|října',
      'októbra|október|ekim|октября|жовтня|octombrie|οκτωβρίου|listopada',
    ],
  ],
  [
    11,
    [
      'nov|november|novembre|noviembre|novembro|marraskuu|marraskuuta|listopadu|novembra|kasım|ноября',
      'листопада|noiembrie|νοεμβρίου|studenoga',
    ],
  ],
  [
    12,
    [
      'dec|dez|dic|december|dezember|décembre|déc|diciembre|dicembre|dezembro|desember|joulukuu|joulukuuta',
      'grudnia|prosince|decembra|aralık|декабря|грудня|decembrie|δεκεμβρίου|prosinca',
    ],
  ],
  [
    1,
    [
      'janar|jaanuar|jaanuaril|janvāris|janvārim|sausio|januara|januarja|janúar|gener|януари|јануара|يناير',
      'كانون الثاني|ינואר|בינואר|มกราคม|มค|जनवरी',
    ],
  ],
  [
    2,
    [
      'veebruar|veebruaril|februāris|februārim|vasario|februara|februarja|febrúar|febrer|февруари|фебруара',
      'فبراير|شباط|פברואר|בפברואר|กุมภาพันธ์|กพ|फरवरी',
    ],
  ],
  [3, ['märts|märtsil|martam|kovo|marta|mars|març|март|марта|مارس|آذار|מרץ|מרס|במרץ|במרס|มีนาคม|มีค|मार्च', 'maret']],
  [
    4,
    [
      'aprillil|aprill|aprīlis|aprīlim|balandžio|aprila|apríl|април|априла|أبريل|ابريل|نيسان|אפריל|באפריל',
      'เมษายน|เมย|अप्रैल',
    ],
  ],
  [5, ['maijs|maijam|gegužės|maja|maí|maig|май|маја|مايو|أيار|מאי|במאי|พฤษภาคม|พค|मई']],
  [6, ['juuni|juunil|jūnijs|jūnijam|birželio|juna|junija|júní|juny|юни|јуна|يونيو|حزيران|יוני|ביוני|มิถุนายน', 'มิย|जून']],
  [7, ['juuli|juulil|jūlijs|jūlijam|liepos|jula|julija|júlí|juliol|юли|јула|يوليو|تموز|יולי|ביולי|กรกฎาคม|กค', 'जुलाई']],
  [
    8,
    [
      'augustil|augustam|rugpjūčio|avgusta|ágúst|agost|август|августа|أغسطس|اغسطس|آب|אוגוסט|באוגוסט|สิงหาคม',
      'สค|अगस्त|agustus',
    ],
  ],
  [
    9,
    [
      'septembril|septembris|septembrim|rugsėjo|septembra|setembre|септември|септембра|سبتمبر|أيلول|ספטמבר',
      'בספטמבר|กันยายน|กย|सितंबर',
    ],
  ],
  [
    10,
    [
      'oktoober|oktoobril|oktobris|oktobrim|spalio|oktobra|októbra|octubre|октомври|октобра|أكتوبر|اكتوبر',
      'تشرين الأول|אוקטובר|באוקטובר|ตุลาคม|ตค|अक्टूबर',
    ],
  ],
  [
    11,
    [
      'novembril|novembris|novembrim|lapkričio|novembra|nóvember|ноември|новембра|نوفمبر|تشرين الثاني',
      'נובמבר|בנובמבר|พฤศจิกายน|พย|नवंबर',
    ],
  ],
  [
    12,
    [
      'detsember|detsembril|decembris|decembrim|gruodžio|decembra|desember|desembre|декември|децембра',
      'ديسمبر|كانون الأول|דצמבר|בדצמבר|ธันวาคม|ธค|दिसंबर',
    ],
  ],
]

// "listopad" is November in Polish and October in Croatian. More people write Polish.
export const monthsByName: ReadonlyMap<string, number> = new Map([
  ...months.flatMap(([month, names]) => each(names).map((name) => [name, month] as const)),
  ['listopada', 11],
])
export const monthNames = longestFirst(monthsByName)

const weekdays: readonly [number, readonly string[]][] = [
  [
    1,
    [
      'monday|mon|montag|lundi|lunes|lunedì|lunedi|maandag|måndag|mandag|maanantaina|segunda|poniedziałku',
      'poniedziałek|pondělí|понедельник|понеділок',
    ],
  ],
  [
    2,
    [
      'tuesday|tue|tues|dienstag|mardi|martes|martedì|martedi|dinsdag|tisdag|tirsdag|tiistaina|terça|wtorku',
      'úterý|вторник',
    ],
  ],
  [
    3,
    [
      'wednesday|wed|mittwoch|mercredi|miércoles|mercoledì|mercoledi|woensdag|onsdag|keskiviikkona|quarta',
      'środy|středy|среду',
    ],
  ],
  [
    4,
    [
      'thursday|thu|thurs|donnerstag|jeudi|jueves|giovedì|giovedi|donderdag|torsdag|torstaina|quinta',
      'czwartku|čtvrtka|четверг',
    ],
  ],
  [5, ['friday|fri|freitag|vendredi|viernes|venerdì|venerdi|vrijdag|fredag|perjantaina|sexta|piątku|pátku', 'пятницу']],
  [6, ['saturday|sat|samstag|samedi|sábado|sabato|zaterdag|lördag|lørdag|lauantaina|soboty|субботу']],
  [
    7,
    ['sunday|sun|sonntag|dimanche|domingo|domenica|zondag|söndag|søndag|sunnuntaina|niedzieli|neděle', 'воскресенье'],
  ],
]

export const weekdaysByName: ReadonlyMap<string, number> = new Map(
  weekdays.flatMap(([day, names]) => each(names).map((name) => [name, day] as const)),
)
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

function longestFirst(names: ReadonlyMap<string, number>): string[] {
  return [...names.keys()].sort((a, b) => b.length - a.length)
}

function each(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split('|'))
}
