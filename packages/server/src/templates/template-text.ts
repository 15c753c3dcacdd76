/** In characters. */
export const templateLengthMax = 20_000

export const templateParts = ['subject', 'body'] as const
export type TemplatePart = (typeof templateParts)[number]

export interface TemplateText {
  part: TemplatePart
  text: string
}

/** Returns the problem that was found in a text, or null. */
export type TemplateProblemOf = (part: TemplatePart, text: string) => string | null
