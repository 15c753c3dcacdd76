import type { BlockedReason, Interest, Lead, LeadStatus } from '@overture/sdk'
import { interests, leadStatusMoves } from '@overture/contract/vocabularies.ts'
import { blockedReasonText } from '../campaigns/index.ts'
import { SelectField } from '../platform/form/index.ts'
import { usePermissionReason } from '../platform/session/permission.ts'
import { Badge, type Tone } from '../platform/ui/index.ts'
import { interestText, statusText, text, verificationReasonText } from './leads.messages.ts'

const statusTones: Readonly<Record<LeadStatus, Tone>> = {
  pending: 'soft',
  active: 'accent',
  completed: 'violet',
  paused: 'warn',
  replied: 'good',
  bounced: 'bad',
  unsubscribed: 'warn',
  stopped: 'soft',
  failed: 'bad',
}
const interestTones: Readonly<Record<Interest, Tone>> = {
  interested: 'good',
  meeting_booked: 'good',
  meeting_completed: 'good',
  won: 'good',
  not_interested: 'soft',
  wrong_person: 'soft',
  out_of_office: 'warn',
  lost: 'soft',
  no_show: 'warn',
}

/** The status of a lead. A suppressed lead gets no mail, so it is not shown as active. */
export function LeadStatusBadge({ status, held = null }: { status: LeadStatus; held?: BlockedReason | null }) {
  if (held === 'suppressed' && leadStatusMoves[status].includes('paused'))
    return <Badge tone="warn">{blockedReasonText(held)}</Badge>
  return <Badge tone={statusTones[status]}>{statusText[status]}</Badge>
}

const verificationTones = { deliverable: 'good', risky: 'warn', undeliverable: 'bad', unknown: 'soft' } as const

/** The last result of the address, with its reasons as a tooltip. */
export function VerificationBadge({ verification }: { verification: NonNullable<Lead['verification']> }) {
  const { result, reasons } = verification
  return (
    <span title={reasons.map((reason) => verificationReasonText[reason]).join(', ')}>
      <Badge tone={verificationTones[result]}>{text.verificationResults[result]}</Badge>
    </span>
  )
}

export function InterestBadge({ interest }: { interest: Interest }) {
  return <Badge tone={interestTones[interest]}>{interestText[interest]}</Badge>
}

export const interestChoices = interests.map((value) => ({ value, label: interestText[value] }))

export function InterestSelect({
  value,
  change,
  hideLabel = false,
}: {
  value: Interest | null
  change: (value: Interest | null) => void
  hideLabel?: boolean
}) {
  return (
    <SelectField
      label={text.interest}
      hideLabel={hideLabel}
      disabled={usePermissionReason('updateCampaignLead') !== null}
      value={value ?? ''}
      choices={[{ value: '', label: text.noInterest }, ...interestChoices]}
      change={(next) => change(next === '' ? null : (next as Interest))}
    />
  )
}
