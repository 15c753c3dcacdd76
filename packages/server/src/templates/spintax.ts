import { seededIndex } from '@overture/ground/chance/seeded.ts'

const optionSeparator = '|'

/**
 * Returns one of the options of `"Hi|Hello"`. The same seed (lead and step) gives the same option, so that a preview equals the
 * sent message. The text is part of the seed, so two groups of one message choose independently. Source: docs/contract.md,
 * "Campaigns".
 */
export function spin(text: string, seed: string): string {
  const options = text.split(optionSeparator)
  return (options[seededIndex(`${seed}\n${text}`, options.length)] ?? '').trim()
}
