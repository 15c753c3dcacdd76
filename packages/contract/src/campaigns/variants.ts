import { z } from 'zod'
import { id, namedObject, subject } from '../common.ts'

const ai = namedObject('VariantAi', { presetId: id, modelId: z.string().min(1).max(200) })

export const variantInput = namedObject('VariantInput', {
  id: id.optional(),
  label: z.string().min(1).max(100).optional(),
  subject: subject.optional(),
  body: z.string().max(20_000).optional(),
  weight: z.number().int().min(0).max(1000).optional(),
  enabled: z.boolean().optional(),
  ai: ai.nullable().optional(),
  templateId: id.optional().meta({
    description:
      'The template from which subject and body are copied, unless the request has them. Later changes of the template have no effect.',
  }),
})
export type VariantInput = z.infer<typeof variantInput>

export const variantSelection = z.enum(['weighted', 'auto']).meta({
  id: 'VariantSelection',
  description:
    "How a lead's variant is chosen: `weighted` uses the weights of the variants, `auto` their replies " +
    '(Thompson sampling). `auto` uses the weights until each variant has been delivered 50 times.',
})

export const variant = namedObject('Variant', {
  id: z.string(),
  label: z.string(),
  subject: z.string(),
  body: z.string(),
  weight: z.number().int(),
  enabled: z.boolean(),
  ai: ai.nullable(),
})
export type Variant = z.infer<typeof variant>
