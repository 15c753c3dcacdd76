const dayMs = 24 * 60 * 60 * 1000
const horizonMs = 400 * dayMs

const months: readonly [number, string][] = [
  [
    1,
    'jan|janv|janvier|januar|january|jänner|enero|ene|gennaio|gen|januari|janeiro|januari|tammikuu|stycznia|styczeń|ledna|января',
  ],
  [
    2,
    'feb|févr|fév|février|februar|february|febrero|febbraio|februari|fevereiro|fev|helmikuu|lutego|luty|února|февраля',
  ],
  [3, 'mar|mars|märz|mär|mrz|march|marzo|maart|mrt|março|maaliskuu|marca|marzec|března|марта'],
  [4, 'apr|april|avr|avril|abril|abr|aprile|huhtikuu|kwietnia|dubna|апреля'],
  [5, 'may|mai|mayo|maggio|mag|mei|maj|maio|toukokuu|maja|května|мая'],
  [6, 'jun|june|juni|juin|junio|giugno|giu|junho|kesäkuu|czerwca|června|июня'],
  [7, 'jul|july|juli|juil|juillet|julio|luglio|lug|julho|heinäkuu|lipca|července|июля'],
  [8, 'aug|august|août|aout|agosto|ago|augustus|augusti|elokuu|sierpnia|srpna|августа'],
  [9, 'sep|sept|september|septembre|septiembre|settembre|set|setembro|syyskuu|września|září|сентября'],
  [10, 'oct|okt|october|oktober|octobre|octubre|ottobre|ott|outubro|out|lokakuu|października|října|октября'],
  [11, 'nov|november|novembre|noviembre|novembro|marraskuu|listopada|listopadu|ноября'],
  [
    12,
    'dec|dez|dic|december|dezember|décembre|déc|diciembre|dicembre|dezembro|desember|joulukuu|grudnia|prosince|декабря',
  ],
]
const monthOf = new Map(months.flatMap(([month, names]) => names.split('|').map((name) => [name, month] as const)))
const monthNames = [...monthOf.keys()].sort((a, b) => b.length - a.length).join('|')

const weekdays: readonly [number, string][] = [
  [
    1,
    'monday|mon|montag|lundi|lunes|lunedì|lunedi|maandag|måndag|mandag|segunda|poniedziałku|poniedziałek|понедельник',
  ],
  [2, 'tuesday|tue|tues|dienstag|mardi|martes|martedì|martedi|dinsdag|tisdag|tirsdag|terça|wtorku|вторник'],
  [3, 'wednesday|wed|mittwoch|mercredi|miércoles|mercoledì|mercoledi|woensdag|onsdag|quarta|środy|среду'],
  [4, 'thursday|thu|thurs|donnerstag|jeudi|jueves|giovedì|giovedi|donderdag|torsdag|quinta|czwartku|четверг'],
  [5, 'friday|fri|freitag|vendredi|viernes|venerdì|venerdi|vrijdag|fredag|sexta|piątku|пятницу'],
  [6, 'saturday|sat|samstag|samedi|sábado|sabato|zaterdag|lördag|lørdag|soboty|субботу'],
  [7, 'sunday|sun|sonntag|dimanche|domingo|domenica|zondag|söndag|søndag|niedzieli|воскресенье'],
]
const weekdayOf = new Map(weekdays.flatMap(([day, names]) => names.split('|').map((name) => [name, day] as const)))
const weekdayNames = [...weekdayOf.keys()].sort((a, b) => b.length - a.length).join('|')

/** Words that stand before the day of return, or the last day away, in the main business languages. */
const leads =
  /(?<!\p{L})(?:until|till|til|thru|through|back(?: in the office)?(?: again)?(?: on)?|return(?:ing)?(?: to (?:the )?(?:office|work))?(?: on)?|returns on|in the office again on|available again(?: on| from)?|be back|resume|as of|from|bis(?: einschließlich| inklusive| einschl\.| inkl\.)?(?: zum| am| einschließlich)?|ab(?: dem)?|wieder(?: \p{L}{1,20}){0,4} (?:am|ab)(?: dem)?|zurück(?: am)?|jusqu'au|jusqu’au|jusque|au|de retour(?: le| au bureau le)?|à partir du|retour le|dès le|hasta(?: el)?|vuelvo el|regreso el|de vuelta el|a partir del|incorporaré el|al|fino al|sino al|rientro il|tornerò il|rientrerò il|dal|tot(?: en met)?|t\/m|terug(?: op)?|vanaf|weer (?:aanwezig|bereikbaar)(?: op| vanaf)?|até(?: o dia| dia)?|regresso(?: a| em)?|retorno(?: em| dia)?|volto(?: em| dia)?|a partir de|till och med|t\.?o\.?m\.?|tillbaka(?: den)?|åter(?: den)?|til og med|tilbage(?: den| d\.)?|tilbake(?: den)?|asti|saakka|takaisin|do(?: dnia)?|wracam|powrót|od|do dne|до|с|вернусь)(?!\p{L})/giu

export interface MailTime {
  sentAtMs: number
  /** Minutes east of UTC in the Date header; American senders write the month first. */
  offsetMinutes: number
}

/**
 * The last day that the text says the writer is away, or the day of return, as `YYYY-MM-DD`; null when it gives none
 * that lies ahead (400 days at most).
 */
export function readReturnDate(text: string, time: MailTime): string | null {
  const flat = text.slice(0, 8_000).replace(/\s+/g, ' ').toLowerCase()
  const found: number[] = []
  for (const lead of flat.matchAll(leads)) {
    const rest = flat.slice(lead.index + lead[0].length, lead.index + lead[0].length + 60)
    const at = readDate(rest, time)
    if (at !== null) found.push(at)
    if (found.length > 20) break
  }
  // 15 March asti; 3月5日まで
  for (const match of flat.matchAll(
    /(\d{1,2})月(\d{1,2})日(?:\([^)]{1,3}\))?(?:まで|に戻|より|から)|(\d{1,2})月(\d{1,2})日(?:返回|回来|回來|之前|前)|至\s?(?:\d{4}年)?(\d{1,2})月(\d{1,2})日/g,
  )) {
    const month = Number(match[1] ?? match[3] ?? match[5])
    const day = Number(match[2] ?? match[4] ?? match[6])
    const at = nearest(day, month, null, time)
    if (at !== null) found.push(at)
  }
  const ahead = found.filter((at) => at >= startOfDay(time.sentAtMs) - dayMs && at - time.sentAtMs <= horizonMs)
  return ahead.length === 0 ? null : new Date(Math.max(...ahead)).toISOString().slice(0, 10)
}

const filler = String.raw`^[\s,:;.]{0,3}(?:the |den |dem |el |le |il |lo |dia |del |o |am |zum |on |and including |inclusive |einschließlich |incluso |compris )?(?:(?:${weekdayNames})\p{L}{0,6},?\.? ?(?:the |den |dem |el |le |il |día |dia |de )?)?`
const dayFirst = new RegExp(
  `${filler}(\\d{1,2})(?:st|nd|rd|th|\\.|er|º|ª|:e)? ?(?:de |of |d')?(${monthNames})(?!\\p{L})\\.?,? ?(?:de )?(\\d{4})?`,
  'u',
)
const monthFirst = new RegExp(`${filler}(${monthNames})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?!\\d),? ?(\\d{4})?`, 'u')
const iso = new RegExp(`${filler}(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})`, 'u')
const numeric = new RegExp(`${filler}(\\d{1,2})([./-])(\\d{1,2})(?:\\2(\\d{4}|\\d{2})?)?(?![\\d:])`, 'u')
const weekdayOnly = new RegExp(
  `^[\\s,:]{0,3}(?:on |next |am |nächsten |kommenden |le |el |il |op |på |w |v |в )?(${weekdayNames})(?!\\p{L})`,
  'u',
)
const relative =
  /^[\s,:]{0,3}(tomorrow|morgen|demain|mañana|domani|amanhã|imorgon|i morgen|next week|nächste woche|la semaine prochaine|la próxima semana|volgende week)/u

function readDate(rest: string, time: MailTime): number | null {
  const first = iso.exec(rest)
  if (first !== null) return nearest(Number(first[3]), Number(first[2]), Number(first[1]), time)
  const written = dayFirst.exec(rest)
  if (written !== null) return nearest(Number(written[1]), monthOf.get(written[2]!)!, yearOf(written[3]), time)
  const american = monthFirst.exec(rest)
  if (american !== null) return nearest(Number(american[2]), monthOf.get(american[1]!)!, yearOf(american[3]), time)
  const digits = numeric.exec(rest)
  if (digits !== null) return readNumeric(digits, time)
  const weekday = weekdayOnly.exec(rest)
  if (weekday !== null) return nextWeekday(weekdayOf.get(weekday[1]!)!, time)
  const word = relative.exec(rest)
  if (word === null) return null
  return startOfDay(time.sentAtMs) + (/week|woche|semaine|semana/.test(word[1]!) ? 7 : 1) * dayMs
}

function readNumeric(match: RegExpExecArray, time: MailTime): number | null {
  const [a, b] = [Number(match[1]), Number(match[3])]
  const year = yearOf(match[4])
  const americanZone = time.offsetMinutes <= -240 && time.offsetMinutes >= -600
  const monthStands = b > 12 || (match[2] === '/' && americanZone && a <= 12) ? 'first' : 'second'
  return monthStands === 'first' ? nearest(b, a, year, time) : nearest(a, b, year, time)
}

function yearOf(text: string | undefined): number | null {
  if (text === undefined) return null
  return text.length === 2 ? 2000 + Number(text) : Number(text)
}

// Without a year, the one that puts the day ahead of the message.
function nearest(day: number, month: number, year: number | null, time: MailTime): number | null {
  if (day < 1 || day > 31 || month < 1 || month > 12) return null
  const sentYear = new Date(time.sentAtMs).getUTCFullYear()
  const at = Date.UTC(year ?? sentYear, month - 1, day)
  if (year === null && at < startOfDay(time.sentAtMs) - 60 * dayMs) return Date.UTC(sentYear + 1, month - 1, day)
  return at
}

function nextWeekday(weekday: number, time: MailTime): number {
  const today = startOfDay(time.sentAtMs + time.offsetMinutes * 60_000)
  const current = ((new Date(today).getUTCDay() + 6) % 7) + 1
  return today + ((weekday - current + 7) % 7 || 7) * dayMs
}

function startOfDay(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs
}
