import { setSingleKeys } from '../keys/keys.ts'

/** How the console looks, kept in the browser too, so that it is there before the first paint. */
export interface LocalPreferences {
  theme?: string
  density?: string
  singleKeys?: boolean
  locale?: string | null
}

export function applyPreferences({ theme, density, singleKeys, locale }: LocalPreferences): void {
  keep('theme', theme)
  keep('density', density)
  if (locale !== undefined) keep('locale', locale ?? 'en')
  if (singleKeys !== undefined) {
    keep('keys', singleKeys ? 'on' : 'off')
    setSingleKeys(singleKeys)
  }
  dispatchEvent(new Event('overture:theme'))
}

/** Until it is known what a person wants, keys act as they did in this browser the last time. */
export function applyKeptKeys(): void {
  setSingleKeys(kept('keys') !== 'off')
}

/** What this browser was used for last. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`overture.${name}`)
  } catch {
    return null
  }
}

// Where nothing can be stored, it holds for as long as the page is there.
export function keep(name: string, value: string | undefined): void {
  if (value === undefined) return
  try {
    localStorage.setItem(`overture.${name}`, value)
  } catch {
    document.documentElement.dataset[name] = value
  }
}
