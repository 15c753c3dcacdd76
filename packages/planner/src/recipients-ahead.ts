import { groupBy } from '@overture/ground/group-by.ts'
import { leftOutLeadsMax, type PreflightRecipients } from '@overture/contract/delivery/preflight.ts'
import { gateOrder, type GateName, type PlanLead } from './plan.types.ts'

/** Gates about one lead. The other gates hold a whole campaign or sender, or open as time passes. */
const ownGates: ReadonlySet<GateName> = new Set<GateName>([
  'suppressed',
  'delivery_uncertain',
  'returned',
  'in_conversation',
  'missing_variable',
  'address_check',
  'awaiting_approval',
  'provider_mismatch',
  'other_campaign',
  'person_limit',
  'company_limit',
])

/** The result of a forecast per lead. */
export interface LeadsAhead {
  leads: readonly PlanLead[]
  /** The leads that get at least one message. */
  reachedIds: ReadonlySet<string>
  /** The gates that hold leads at the end of the forecast. */
  heldBy: ReadonlyMap<string, GateName>
}

/** The number of leads that get a message, and of leads that get none, by the gate that holds them. */
export function recipientsAhead({
  leads,
  reachedIds,
  heldBy,
}: LeadsAhead): Pick<PreflightRecipients, 'count' | 'leftOut'> {
  const byGate = groupBy(
    leads.filter(({ id }) => !reachedIds.has(id)),
    ({ id }) => heldBy.get(id),
  )
  const leftOut = gateOrder
    .filter((gate) => ownGates.has(gate))
    .flatMap((reason) => {
      const held = byGate.get(reason)
      if (held === undefined) return []
      const named = held.slice(0, leftOutLeadsMax).map(({ id, person, missingVariables }) => ({
        id,
        email: person ?? '',
        missingVariables: [...missingVariables],
      }))
      return [{ reason, count: held.length, leads: named }]
    })
  return { count: leads.length - leftOut.reduce((sum, { count }) => sum + count, 0), leftOut }
}
