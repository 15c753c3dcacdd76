import { z } from 'zod'
import { timestamp } from '../common.ts'

/** The labels that a model may give to a reply; `unclear` sets no label. A model can't give the other labels of a lead. */
export const triageInterests = ['interested', 'not_interested', 'wrong_person', 'out_of_office', 'unclear'] as const
export type TriageInterest = (typeof triageInterests)[number]

/** The intents that a writer may have. */
export const triageIntents = [
  'meeting_request',
  'question',
  'information_request',
  'referral',
  'objection',
  'not_now',
  'decline',
  'opt_out',
  'other',
] as const
export type TriageIntent = (typeof triageIntents)[number]

const fields = {
  status: z.enum(['done', 'skipped']),
  interest: z.enum(triageInterests).nullable(),
  intent: z.enum(triageIntents).nullable(),
  confidence: z.number().nullable().meta({ description: '0 to 1, as reported by the model.' }),
  modelId: z.string(),
  applied: z.boolean(),
  reason: z
    .enum([
      'unclear',
      'low_confidence',
      'labelled_by_person',
      'opted_out',
      'further_along',
      'newer_reply',
      'unproven',
      'insufficient_credits',
      'model_not_offered',
      'model_unavailable',
    ])
    .nullable(),
  generationId: z.string().nullable(),
  creditsCharged: z.number().int(),
  at: timestamp,
}

/** The example in the document and in the event. */
export const readReply = {
  status: 'done',
  interest: 'interested',
  intent: 'meeting_request',
  confidence: 0.93,
  modelId: 'builtin/drafter',
  applied: true,
  reason: null,
  generationId: 'gen_1m3q8z0c0n7t5w2k9x',
  creditsCharged: 0,
} as const

/**
 * The result of the model for a reply, in the message's `classification.triage`, besides the result of the rules. The field `skipped` names
 * its reason. The field `applied` says whether the label became the lead's. If it did not, `reason` says why.
 */
export const triage = z.strictObject(fields).meta({
  id: 'Triage',
  examples: [{ ...readReply, at: '2026-11-03T09:30:00.000Z' }],
})
export type Triage = z.infer<typeof triage>
