import type { DeliverabilityState, HealthStatus, HealthSummary, SendingAccountStatus } from '@overture/sdk'
import { Badge, type Tone } from '../platform/ui/index.ts'
import { stateText } from './pace/pace.messages.ts'
import { healthText, statusText } from './senders.messages.ts'

const tones: Readonly<Record<SendingAccountStatus, Tone>> = {
  active: 'good',
  paused: 'warn',
  connection_error: 'bad',
  auth_required: 'bad',
  blocked: 'bad',
}
const healthTones: Readonly<Record<HealthStatus, Tone>> = {
  pass: 'good',
  warning: 'warn',
  missing: 'bad',
  invalid: 'bad',
  unknown: 'soft',
}

export function SenderStatusBadge({ status }: { status: SendingAccountStatus }) {
  return <Badge tone={tones[status]}>{statusText[status]}</Badge>
}

const stateTones: Readonly<Record<DeliverabilityState, Tone>> = {
  healthy: 'good',
  watch: 'soft',
  cooling: 'warn',
  held: 'bad',
}

export function DeliverabilityBadge({ state }: { state: DeliverabilityState }) {
  return <Badge tone={stateTones[state]}>{stateText[state]}</Badge>
}

export function HealthBadge({ status }: { status: HealthStatus }) {
  return <Badge tone={healthTones[status]}>{healthText[status]}</Badge>
}

const order = ['invalid', 'missing', 'warning', 'unknown', 'pass'] as const

/** The worst of the last checks of a domain. */
export function DomainHealthBadge({ health: { spf, dkim, dmarc, mx } }: { health: HealthSummary }) {
  const statuses: readonly HealthStatus[] = [spf, dkim, dmarc, mx]
  return <HealthBadge status={order.find((one) => statuses.includes(one)) ?? 'unknown'} />
}
