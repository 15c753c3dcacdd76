/** The letters that were typed without a long pause. */
export interface TypedLetters {
  letters: string
  atMs: number
}

export const nothingTyped: TypedLetters = { letters: '', atMs: 0 }
const togetherMs = 1_000

export function typeLetter({ letters, atMs }: TypedLetters, key: string, nowMs: number): TypedLetters {
  return { letters: nowMs - atMs < togetherMs ? letters + key : key, atMs: nowMs }
}

/**
 * The index of the label that begins with the letters, or -1. The search starts at the current label. A single letter, also a repeated
 * one, moves on to the next label that begins with it.
 */
export function matchTyped(labels: readonly string[], current: number, letters: string): number {
  const wanted = letters.toLocaleLowerCase()
  const isOne = Array.from(wanted).every((letter) => letter === wanted[0])
  const prefix = isOne ? wanted.slice(0, 1) : wanted
  const first = Math.max(current + (isOne ? 1 : 0), 0)
  const order = labels.map((_label, index) => (first + index) % labels.length)
  return order.find((index) => labels[index]!.toLocaleLowerCase().startsWith(prefix)) ?? -1
}
