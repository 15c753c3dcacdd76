import { anyOf, captured, optional, sequence } from '@overture/ground/text/patterns.ts'
import { monthNames, weekdayNames } from './return-date-words.ts'

// "My working days are Monday to Thursday" is no absence.
export const workingHours = anyOf([
  /(?:working|business|office|opening) (?:days|hours)|\bi work\b/,
  /(?:arbeits|büro|öffnungs|sprech)(?:tage|zeiten)|ich arbeite|je travaille|heures d['’]ouverture/,
])

// 3月9日至13日: the end has no month of its own.
export const eastAsianRange =
  /(\d{1,2})\s?[月월]\s?\d{1,2}\s?[日号號일]?\s?(?:[(（][^)）]{1,5}[)）])?\s?[至到~〜～–-]\s?(\d{1,2})\s?[日号號일]/gu
// 3月5日まで, 3月5日(木)に戻り, 3月16日返回, 至3月5日, 3월 13일까지
export const eastAsianDate = sequence(
  [
    /(至|到|截至)?\s?(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]?\s?/,
    /(?:[(（][^)）]{1,5}[)）])?\s?/,
    optional([
      captured([
        /まで|に?戻|より|から|に?出社|に?復帰|返|回|之?前|复工|復工|恢复|恢復|上班|以降|まで|까지|부터|에? ?복귀|이후/,
      ]),
    ]),
  ],
  'gu',
)

const filler = sequence([
  /^[\s,:;.]{0,3}/,
  optional([
    /the |den |dem |d\. |el |le |il |lo |dia |del |o |am |zum |on |and including |inclusive |einschließlich |incluso |compris /,
  ]),
  optional([sequence([weekdayNames, /\p{L}{0,6},?\.? ?(?:the |den |dem |d\. |el |le |il |día |dia |de )?/u])]),
])
export const dayFirst = sequence(
  [
    filler,
    /(\d{1,2})(?:st|nd|rd|th|\.|er|º|ª|:e)? ?(?:de |of |d['’])?/,
    captured(monthNames),
    /(?!\p{L})\.?,? ?(?:de )?(\d{4})?/u,
  ],
  'u',
)
export const monthFirst = sequence(
  [
    filler,
    /(?:(\d{4})\. )?/,
    captured(monthNames),
    /\.? (\d{1,2})(?:st|nd|rd|th)?(?: ?[-–—] ?(?<end>\d{1,2})(?:st|nd|rd|th)?(?!\d|[./:-]\d))?(?!\d),? ?(\d{4})?/,
  ],
  'u',
)
export const iso = sequence([filler, /(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/], 'u')
export const numeric = sequence([filler, /(\d{1,2})([./-]) ?(\d{1,2})(?:\2 ?(\d{4}|\d{2})?)?(?![\d:])/], 'u')
export const weekdayOnly = sequence(
  [
    /^[\s,:]{0,3}(?:in the office |to (?:the )?(?:office|work) )?/,
    /(?:on |next |this |again |am |nächsten |kommenden |le |el |il |op |på |w |we |v |в )*/,
    captured(weekdayNames),
    /(?!\p{L})/u,
  ],
  'u',
)
// "Thursday 12th", "the 16th", "Freitag, den 13.": a day of this month or of the next.
export const dayOnly = sequence(
  [
    /^[\s,:]{0,3}(?:on |the |am |den |dem )*/,
    [
      sequence([weekdayNames, /\p{L}{0,6},?\.? (?:the |den |dem |le |el |il )?(\d{1,2})(?:st|nd|rd|th|\.)?/u]),
      /(\d{1,2})(?:st|nd|rd|th)/,
    ],
    /(?![\p{L}\d:/-]| ?(?:of|de|\d|h|uhr|am|pm|o'clock)(?!\p{L}))(?=\s*(?:[.,;!)]|$|and|und|et|y))/u,
  ],
  'u',
)
export const relative = sequence(
  [
    /^[\s,:]{0,3}/,
    captured([
      /tomorrow|morgen|demain|mañana|domani|amanhã|imorgon|i morgen|next week|nächste woche/,
      /la semaine prochaine|la próxima semana|volgende week/,
    ]),
  ],
  'u',
)

// "until September 2026", "bis Ende März": the first day of the month, or its last day if the words name the end.
export const monthOnly = sequence(
  [
    /^[\s,:]{0,3}(?:in |im |en |à |a |i |w )?/,
    optional([
      captured(
        [
          sequence([
            /(?:the |à la |a |al |het |até o )?/,
            [/end|ende|fin|finales|final|fine|eind|einde|slutet|slutningen|utgangen|końca/],
            / (?:of |de |di |des |van |av |af |do )?/,
          ]),
        ],
        'end',
      ),
    ]),
    captured(monthNames),
    /(?:,? (?:de )?(\d{4}))?(?![\p{L}\d]| \d)/u,
  ],
  'u',
)
