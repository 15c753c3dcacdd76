import type { LanguageDetector } from './language.ts'

/** Loaded at the first detection: the data takes 30 MB and half a second. */
export async function languageDetector(): Promise<LanguageDetector> {
  const { eld } = await import('eld/extrasmall')
  return (text) => {
    const found = eld.detect(text)
    return found.isReliable() ? found.language : null
  }
}
