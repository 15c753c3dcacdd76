/** Whether every typed word begins a word of the name, or the typed letters occur in the name in the same order. */
export function matches(name: string, typed: string): boolean {
  if (typed === '') return true
  const lower = name.toLowerCase()
  const words = typed.toLowerCase().split(/\s+/)
  return words.every((word) => lower.includes(word))
}
