import { isStorable } from '@overture/ground/text/storable-text.ts'
import { normalizeDomain, normalizeEmail } from '@overture/contract/addresses.ts'
import { signalAheadMsMax, signalInput, type Signal } from '@overture/contract/signals/signals.ts'

/** A valid signal about an address, a company or a lead. */
export interface ReadSignal {
  index: number
  name: string
  email: string | null
  domain: string | null
  leadId: string | null
  value: Signal['value']
  occurredAt: Date
  dedupeKey: string | null
}

type ReadOutcome = { kind: 'signal'; signal: ReadSignal } | { kind: 'invalid'; index: number; message: string }

/** Checks one item of a list on its own, so that one bad item never fails the call. */
export function readSignal(item: unknown, index: number, now: Date): ReadOutcome {
  const parsed = signalInput.safeParse(item)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = issue?.path.join('.') ?? ''
    return {
      kind: 'invalid',
      index,
      message: `${path === '' ? '' : `${path}: `}${issue?.message ?? 'This is not a signal.'}`,
    }
  }
  const { name, email, domain, leadId, value, occurredAt, dedupeKey } = parsed.data
  const at = occurredAt === undefined ? now : new Date(occurredAt)
  if (at.getTime() > now.getTime() + signalAheadMsMax)
    return { kind: 'invalid', index, message: 'occurredAt: Must not be in the future.' }
  if ([value, dedupeKey, leadId].some((text) => typeof text === 'string' && !isStorable(text)))
    return { kind: 'invalid', index, message: "Contains a character that can't be stored." }
  return {
    kind: 'signal',
    signal: {
      index,
      name,
      email: email === undefined ? null : normalizeEmail(email).email,
      domain: domain === undefined ? null : normalizeDomain(domain),
      leadId: leadId ?? null,
      value: value ?? null,
      occurredAt: at,
      dedupeKey: dedupeKey ?? null,
    },
  }
}
