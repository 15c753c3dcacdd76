/** What tells the language of a text by itself: its code, or null where that is not sure. */
export type LanguageDetector = (text: string) => string | null

/** The languages that are told apart. */
const codes = (
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ' +
  'ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'
).split(' ')

/** Names that people use besides those that a language has in English and in itself. */
const otherNames: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', mandarin: 'zh', farsi: 'fa', tagalog: 'tl' }

const lettersMin = 20
/** Of languages that share most of their words one passes for the other. */
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

/** The code of a language as people name it: `German`, `deutsch`, `de`, `pt-BR`. Null where it is not known here. */
function languageCode(name: string): string | null {
  return codeByName.get(plain(name)) ?? null
}

/** False only where a text is surely in another language than the one asked for; short or unknown ones pass. */
export function mayBeLanguage(text: string, asked: string, detect: LanguageDetector): boolean {
  const code = languageCode(asked)
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
