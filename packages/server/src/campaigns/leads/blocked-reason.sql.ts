/**
 * The reason why an open lead is held, or null. It is SQL over a lead `l` and its campaign `c`, with the same rules as
 * `lead.ts`; test/blocked-reasons-agree.test.ts compares both. `now` is an SQL expression of the tenant's time.
 */
export function blockedReasonExpression(now: string): string {
  return heldBy(now, `when l.current_step > 0 and l.due_at > ${now} then 'wait_not_over'`)
}

/** The same reason for a lead that got no message yet, from the columns of lead_progress_unsent alone. */
export function unsentReasonExpression(now: string): string {
  return heldBy(now, '')
}

function heldBy(now: string, betweenSteps: string): string {
  return `case
    when l.blocked_reason in ('suppressed', 'delivery_uncertain', 'returned', 'missing_variable', 'address_check', 'awaiting_approval',
      'waiting_for_task') then l.blocked_reason
    when l.blocked_reason = 'in_conversation' and l.attempt_at > ${now} then l.blocked_reason
    when c.status <> 'active' then 'campaign_not_active'
    ${betweenSteps}
    when l.blocked_reason is not null then l.blocked_reason
    when l.attempt_at > ${now} then 'wait_not_over'
    when l.attempt_at is not null and (c.hold_until is null or c.hold_until > ${now}) then c.hold_reason end`
}
