/** Detects the language of a text. Returns its code, or null if the result is not reliable. */
export type LanguageDetector = (text: string) => string | null

/** The languages that can be detected. */
const codes = (
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ' +
  'ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'
).split(' ')

/** Additional names of languages, besides the English and the native ones. */
const otherNames: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', mandarin: 'zh', farsi: 'fa', tagalog: 'tl' }

const lettersMin = 20
/** These languages share most of their words, so each passes for the other. */
const siblings = [
  ['da', 'no'],
  ['hr', 'sr', 'sl'],
  ['cs', 'sk'],
]

const codeByName = new Map([
  ...codes.flatMap((code) =>
    [code, nameIn('en', code), nameIn(code, code)].map((name) => [plain(name), code] as const),
  ),
  ...Object.entries(otherNames),
])

/** The code of a language as people name it: `German`, `deutsch`, `de`, `pt-BR`. Null for an unknown name. */
function languageCode(name: string): string | null {
  return codeByName.get(plain(name)) ?? null
}

/** False only if a text is certainly in another language than requested. Short texts and unknown languages pass. */
export function mayBeLanguage(text: string, language: string, detect: LanguageDetector): boolean {
  const code = languageCode(language)
  if (code === null || (text.match(/\p{L}/gu)?.length ?? 0) < lettersMin) return true
  const found = detect(text)
  return found === null || found === code || siblings.some((some) => some.includes(found) && some.includes(code))
}

function nameIn(language: string, code: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code
}

/** The first word, without case and accents. */
function plain(name: string): string {
  const [first = ''] = name.trim().split(/[\s(,;_-]/)
  return first.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
