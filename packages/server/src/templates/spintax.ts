import { seededIndex } from '../ground/chance/seeded.ts'

const optionSeparator = '|'

/**
 * One of the options of `"Hi|Hello"`, the same one for the same seed (lead and step), so that a preview is what is
 * sent. The text salts the choice: two groups of one message choose independently. Source: docs/contract.md, "Campaigns".
 */
export function spin(text: string, seed: string): string {
  const options = text.split(optionSeparator)
  return (options[seededIndex(`${seed}\n${text}`, options.length)] ?? '').trim()
}
