import { z } from 'zod'
import { blockedReason, leadStatus } from '../campaigns/leads.ts'
import { namedObject, timestamp } from '../common.ts'
import { actor } from '../team/audit.ts'
import { stepTypes } from '../vocabularies.ts'

const nullableText = z.string().nullable()
const nullableTime = timestamp.nullable()

/** The decision that a branch would make now. */
const explainedDecision = namedObject('ExplainedBranching', {
  decidesAt: nullableTime,
  branches: z.array(
    namedObject('ExplainedBranch', {
      branchId: z.string(),
      label: z.string(),
      holds: z.boolean(),
      detail: z.string(),
    }),
  ),
  otherwise: z.string().meta({ description: 'The step, or `end`, for leads that match no branch.' }),
})

export const explanation = namedObject('Explanation', {
  leadId: z.string(),
  status: leadStatus,
  blockedReason: blockedReason.nullable(),
  next: namedObject('ExplainedNext', {
    stepId: z.string(),
    type: z.enum(stepTypes),
    position: z.number().int(),
    at: nullableTime,
    sendingAccountId: nullableText,
    decision: explainedDecision.nullable(),
  }).nullable(),
  gates: z.array(
    namedObject('ExplainedGate', { gate: blockedReason, passed: z.boolean(), detail: z.string(), until: nullableTime }),
  ),
  entries: z
    .array(namedObject('ExplainedEntry', { campaignId: z.string(), holds: z.boolean(), detail: z.string() }))
    .meta({ description: 'For each campaign that can take over the person: whether it does, and why.' }),
  history: z.array(
    namedObject('ExplainedDecision', {
      at: timestamp,
      decision: z.string(),
      reason: nullableText,
      /** The facts on which a branch decided, or why a lead was handed over; null if nothing more is known. */
      detail: nullableText,
      messageId: nullableText,
      /** The user, key or process whose request caused it; null if it was written before actors were recorded. */
      actor: actor.nullable(),
    }),
  ),
})
export type ExplanationOutput = z.infer<typeof explanation>
