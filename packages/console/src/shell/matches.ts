/** Whether the name contains every word that was typed. */
export function matches(name: string, typed: string): boolean {
  if (typed === '') return true
  const lower = name.toLowerCase()
  const words = typed.toLowerCase().split(/\s+/)
  return words.every((word) => lower.includes(word))
}
