import { keep, kept } from '../../platform/session/preferences.ts'

const name = 'hidden-hints'

/** The kinds of hints that the user has hidden in this browser. */
export function hiddenHints(): string[] {
  return (kept(name) ?? '').split(',').filter((code) => code !== '')
}

export function hideHint(code: string): string[] {
  const hidden = [...new Set([...hiddenHints(), code])]
  keep(name, hidden.join(','))
  return hidden
}
