import type { PageLanguage } from '@overture/ground/text/page-language.ts'
import { formatTime } from '@overture/mail-reading/calendars/invitation.ts'
import { en } from './words/en.ts'
import { de } from './words/de.ts'
import { fr } from './words/fr.ts'
import { es } from './words/es.ts'
import { it } from './words/it.ts'
import { pt } from './words/pt.ts'
import { nl } from './words/nl.ts'
import { pl } from './words/pl.ts'
import { sv } from './words/sv.ts'
import { da } from './words/da.ts'
import type { BookingWords } from './words/words.ts'

export const bookingWords: Record<PageLanguage, BookingWords> = { en, de, fr, es, it, pt, nl, pl, sv, da }

/** The words of a page in one language. */
export interface PageWords {
  language: PageLanguage
  /** A text with its `{…}` filled in. */
  say: (key: keyof BookingWords, values?: Record<string, string>) => string
  /** For example `Tuesday, 3 March 2026 at 10:00 (Europe/Berlin)`. */
  when: (at: Date, timezone: string) => string
  day: (at: Date, timezone: string) => string
}

export function wordsIn(language: PageLanguage): PageWords {
  const words = bookingWords[language]
  // English pages write dates and hours as in Great Britain: the day first, 24 hours.
  const locale = language === 'en' ? 'en-GB' : language
  const day = (at: Date, timeZone: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone }).format(at)
  const say: PageWords['say'] = (key, values = {}) =>
    words[key].replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
  return {
    language,
    say,
    day,
    when: (at, timezone) => say('when', { date: day(at, timezone), time: formatTime(at, timezone), zone: timezone }),
  }
}
