/**
 * What holds an open lead, as SQL over a lead `l` and its campaign `c`, by the same rules as its own view (`lead.ts`);
 * null when nothing does. `now`: an SQL expression of the tenant's time. test/blocked-reasons-agree.test.ts compares them.
 */
export function blockedReasonExpression(now: string): string {
  return heldBy(now, `when l.current_step > 0 and l.due_at > ${now} then 'wait_not_over'`)
}

/** The same of a lead that nothing was sent to, from the columns of lead_progress_unsent alone. */
export function unsentReasonExpression(now: string): string {
  return heldBy(now, '')
}

function heldBy(now: string, betweenSteps: string): string {
  return `case
    when l.blocked_reason in ('suppressed', 'delivery_uncertain', 'returned', 'missing_variable', 'awaiting_approval') then l.blocked_reason
    when c.status <> 'active' then 'campaign_not_active'
    ${betweenSteps}
    when l.blocked_reason is not null then l.blocked_reason
    when l.attempt_at > ${now} then 'wait_not_over'
    when l.attempt_at is not null and (c.hold_until is null or c.hold_until > ${now}) then c.hold_reason end`
}
