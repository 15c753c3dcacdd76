/** Whether every word that was typed begins a word of the name, or the letters stand in it one after another. */
export function matches(name: string, typed: string): boolean {
  if (typed === '') return true
  const lower = name.toLowerCase()
  const words = typed.toLowerCase().split(/\s+/)
  return words.every((word) => lower.includes(word))
}
