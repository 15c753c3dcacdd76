/** Characters. */
export const templateLengthMax = 20_000

export const templateParts = ['subject', 'body'] as const
export type TemplatePart = (typeof templateParts)[number]

export interface TemplateText {
  part: TemplatePart
  text: string
}

/** What is wrong with a text, or null: as it was found before. */
export type TemplateProblemOf = (part: TemplatePart, text: string) => string | null
