/** The first words of a body, to tell texts apart in a list. */
export function firstWords(body: string, length: number): string {
  const words = body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  return words.trim().slice(0, length)
}
