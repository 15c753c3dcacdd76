import { z } from 'zod'
import { namedObject, timestamp } from '../common.ts'

export const deliverabilityStates = ['healthy', 'watch', 'cooling', 'held'] as const
export const deliverabilityState = z.enum(deliverabilityStates).meta({ id: 'DeliverabilityState' })
export type DeliverabilityState = z.infer<typeof deliverabilityState>

export const signalNames = ['bounces', 'complaints', 'spam_placement', 'policy_refusals', 'authentication'] as const
export type SignalName = (typeof signalNames)[number]

const reason = namedObject('DeliverabilityReason', {
  signal: z.enum(signalNames),
  value: z.number().meta({ description: 'A share of 1. With `authentication`: hours.' }),
  threshold: z.number(),
  sample: z.number().int(),
  scope: z.enum(['mailbox', 'domain']),
})
export const deliverabilityReasons = z.array(reason)
/** A signal at or above the threshold of its state. */
export type SignalReason = z.infer<typeof reason>

export const deliverabilityScore = z.number().int().meta({
  description: '100 without bad signals, 0 at the threshold that holds the account. The worst signal decides.',
})

/** Source: docs/deliverability.md. */
export const deliverability = namedObject('Deliverability', {
  state: deliverabilityState,
  since: timestamp,
  score: deliverabilityScore,
  allowanceToday: z.number().int(),
  reasons: deliverabilityReasons,
  reviewAt: timestamp.nullable().meta({
    description: 'When the account is healthy again if no bad signal comes. Null: it is healthy, or a person must act.',
  }),
})
export type Deliverability = z.infer<typeof deliverability>
