/** Words that every text of a language holds and few texts of its neighbours. */
const commonWords: Record<string, readonly string[]> = {
  en: words('the and you your is are to of for with that this we our have not it would can how what'),
  de: words('der die das und ist nicht ich sie wir ihr ihre ihnen für mit auf ein eine zu den von sich wie kurz'),
  fr: words('le la les et vous votre vos est des une pour avec nous pas que dans sur ne du je'),
  es: words('el la los las y usted su que de en una para con por no es le nos está cómo'),
  it: words('il lo gli e di che è per con una non la le vi vostro nostro del della sono come'),
  pt: words('o os as e de que uma para com não é você seu sua no na por do da como'),
  nl: words('de het een en van u uw je is niet voor met op dat wij we zijn ik hoe te'),
  sv: words('och att det är på för inte du ni en ett med som vi har jag kan hur er om'),
  da: words('og at det er på for ikke du en et med som vi har jeg kan hvordan jeres din om'),
  no: words('og at det er på for ikke du en et med som vi har jeg kan hvordan deres din om'),
  fi: words('ja on ei se että hän me te mutta kuin olen ovat tai voi teidän miten'),
  pl: words('i w na z się nie to jest że do dla czy jak o państwa pan pani mamy oraz'),
  cs: words('a se na je že v to s z pro ale jak vás vám váš není jsme nebo'),
  tr: words('ve bir bu için ile ne çok siz size mi var olarak daha gibi nasıl'),
}

/** Scripts that hold a language by themselves. */
const scripts: Record<string, RegExp> = {
  ru: /\p{Script=Cyrillic}/gu,
  uk: /\p{Script=Cyrillic}/gu,
  bg: /\p{Script=Cyrillic}/gu,
  el: /\p{Script=Greek}/gu,
  ar: /\p{Script=Arabic}/gu,
  he: /\p{Script=Hebrew}/gu,
  hi: /\p{Script=Devanagari}/gu,
  th: /\p{Script=Thai}/gu,
  ko: /\p{Script=Hangul}/gu,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu,
  zh: /\p{Script=Han}/gu,
}

const names: Record<string, readonly string[]> = {
  en: ['english'],
  de: ['german', 'deutsch'],
  fr: ['french', 'français', 'francais'],
  es: ['spanish', 'español', 'espanol'],
  it: ['italian', 'italiano'],
  pt: ['portuguese', 'português', 'portugues'],
  nl: ['dutch', 'nederlands'],
  sv: ['swedish', 'svenska'],
  da: ['danish', 'dansk'],
  no: ['norwegian', 'norsk', 'nb', 'nn'],
  fi: ['finnish', 'suomi'],
  pl: ['polish', 'polski'],
  cs: ['czech', 'čeština'],
  tr: ['turkish', 'türkçe'],
  ru: ['russian', 'русский'],
  uk: ['ukrainian', 'українська'],
  bg: ['bulgarian', 'български'],
  el: ['greek', 'ελληνικά'],
  ar: ['arabic', 'العربية'],
  he: ['hebrew', 'עברית'],
  hi: ['hindi', 'हिन्दी'],
  th: ['thai', 'ไทย'],
  ko: ['korean', '한국어'],
  ja: ['japanese', '日本語'],
  zh: ['chinese', 'mandarin', '中文'],
}

const wordsMin = 8
const lettersMin = 20
/** Danish and Norwegian share most of their words: one passes for the other. */
const siblings = new Set(['da no', 'no da'])

/** The code of a language as people name it: `German`, `deutsch`, `de`, `pt-BR`. Null where it is not known here. */
function languageCode(name: string): string | null {
  const plain = name.trim().toLowerCase()
  const first = plain.split(/[\s(,;_-]/)[0] ?? ''
  return Object.keys(names).find((code) => code === first || names[code]?.includes(first)) ?? null
}

/** False only where a text is surely in another language than the one asked for; short or unknown ones pass. */
export function mayBeLanguage(text: string, asked: string): boolean {
  const code = languageCode(asked)
  if (code === null) return true
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < lettersMin) return true
  const script = scripts[code]
  if (script !== undefined) return (text.match(script)?.length ?? 0) > letters * 0.3
  const foreign = Object.values(scripts).some((other) => (text.match(other)?.length ?? 0) > letters * 0.3)
  return !foreign && readsAs(text, code)
}

function readsAs(text: string, code: string): boolean {
  const all = text.toLowerCase().match(/\p{L}+/gu) ?? []
  if (all.length < wordsMin) return true
  const score = (language: string) => all.filter((word) => commonWords[language]?.includes(word)).length
  const own = score(code)
  const best = Object.keys(commonWords)
    .map((language) => ({ language, found: score(language) }))
    .reduce((first, next) => (next.found > first.found ? next : first))
  // Surely another: it has a good share of that one's words, and hardly any of the one asked for.
  const clear =
    (own === 0 && best.found >= 3) || (best.found >= Math.max(4, all.length * 0.1) && best.found >= own * 2 + 2)
  return !clear || siblings.has(`${code} ${best.language}`)
}

function words(text: string): string[] {
  return text.split(' ')
}
