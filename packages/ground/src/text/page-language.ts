/** The languages of the pages that recipients see. */
export const pageLanguages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da'] as const
export type PageLanguage = (typeof pageLanguages)[number]

const headerLengthMax = 500

/**
 * The language of a page for a browser's `Accept-Language` (RFC 9110 section 12.5.4): the most wanted one that the page has, whatever
 * its region, else English.
 */
export function pageLanguage(header: string | undefined): PageLanguage {
  const wanted = (header ?? '')
    .slice(0, headerLengthMax)
    .split(',')
    .map((part) => {
      const [, language = '', quality = '1'] =
        /^\s*([a-z]{2,3})(?:-[\w-]*)?\s*(?:;\s*q=([\d.]{1,5}))?\s*$/i.exec(part) ?? []
      return { language: language.toLowerCase(), quality: Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  return wanted.map(({ language }) => pageLanguages.find((known) => known === language)).find(Boolean) ?? 'en'
}
