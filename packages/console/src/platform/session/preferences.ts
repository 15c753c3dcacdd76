import { setSingleKeys } from '../keys/keys.ts'

/** Display preferences, which are also stored in the browser so that they apply before the first paint. */
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

/** Until the user's preferences are loaded, the last setting in this browser is used. */
export function applyKeptKeys(): void {
  setSingleKeys(kept('keys') !== 'off')
}

/** A setting that was last used in this browser. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`overture.${name}`)
  } catch {
    return null
  }
}

// If the browser can't store it, the setting holds as long as the page is open.
export function keep(name: string, value: string | undefined): void {
  if (value === undefined) return
  try {
    localStorage.setItem(`overture.${name}`, value)
  } catch {
    document.documentElement.dataset[name] = value
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(`overture.${name}`)
  } catch {
    // If the browser has no storage, there is nothing to remove.
  }
}
