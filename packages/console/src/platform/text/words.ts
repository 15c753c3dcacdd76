/** A text of a page in one language, or a function that fills values into a text. */
type Wording = string | ((...values: never[]) => string)
export type Words<Shape> = { readonly [Name in keyof Shape]: Shape[Name] }

/** A language file: for each feature, the texts that differ from English. */
export type Language = Readonly<Record<string, Readonly<Record<string, Wording | Readonly<Record<string, Wording>>>>>>

const pseudoLocale = 'en-XA'
const state: { locale: string; language: Language } = { locale: 'en', language: {} }

/** Sets the language. It must run before any texts are read. */
export function useLanguage(locale: string, language: Language = {}): void {
  state.locale = locale
  state.language = language
}

/** The locale for dates and numbers. The pseudo-locale uses the English one. */
export function currentLocale(): string {
  return state.locale === pseudoLocale ? 'en-GB' : state.locale === 'en' ? 'en-GB' : state.locale
}

/** The texts of a feature: in the current language if it has them, otherwise in English. */
export function words<const Shape extends object>(feature: string, english: Shape): Words<Shape> {
  const other = state.language[feature] ?? {}
  return translated({ ...english, ...other }) as Words<Shape>
}

function translated(value: unknown): unknown {
  if (typeof value === 'string') return spoken(value)
  if (typeof value === 'function')
    return (...values: unknown[]) => spoken((value as (...all: unknown[]) => string)(...values))
  if (Array.isArray(value)) return value.map(translated)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, translated(inner)]))
}

function spoken(text: string): string {
  return state.locale === pseudoLocale ? pseudo(text) : text
}

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
  c: 'ç',
  n: 'ñ',
  y: 'ý',
}

/** Makes a text about a third longer and accented, so that cut-off texts and texts without a translation become visible. */
export function pseudo(text: string): string {
  const accented = Array.from(text, (letter) => accents[letter] ?? letter).join('')
  return `[${accented}${'·'.repeat(Math.ceil(text.length / 3))}]`
}
