import { keep, kept } from '../platform/session/preferences.ts'

const name = 'hidden-hints'

/** Kinds of hints that somebody does not want to see, in this browser. */
export function hiddenHints(): string[] {
  return (kept(name) ?? '').split(',').filter((code) => code !== '')
}

export function hideHint(code: string): string[] {
  const hidden = [...new Set([...hiddenHints(), code])]
  keep(name, hidden.join(','))
  return hidden
}
