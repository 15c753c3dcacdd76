-- A message that came back because of its sender is `returned`, and its lead waits for a person behind the gate of that name.
-- `blocked`: the provider refuses mail of the sending account until a person acts. The advice is a sentence for its owner.
alter table sending_accounts drop constraint sending_accounts_status_check;
alter table sending_accounts add constraint sending_accounts_status_check
  check (status in ('active', 'paused', 'connection_error', 'auth_required', 'blocked'));
alter table sending_accounts add column status_advice text;

alter table stat_quarter_hours add column returned integer not null default 0;
alter table stat_totals add column returned bigint not null default 0;

alter table message_heads drop constraint message_heads_status_check;
alter table message_heads add constraint message_heads_status_check
  check (status in ('queued', 'sent', 'bounced', 'failed', 'uncertain', 'received', 'returned'));

alter table campaigns drop constraint campaigns_hold_reason_check;
alter table campaigns add constraint campaigns_hold_reason_check
  check (hold_reason in ('suppressed', 'delivery_uncertain', 'returned', 'missing_variable', 'awaiting_approval', 'campaign_not_active', 'sender_unavailable', 'inbox_not_read', 'wait_not_over', 'outside_window', 'daily_limit', 'new_lead_limit', 'sender_daily_limit', 'recipient_domain_limit', 'sender_gap'));
alter table lead_progress drop constraint lead_progress_blocked_reason_check;
alter table lead_progress add constraint lead_progress_blocked_reason_check
  check (blocked_reason in ('suppressed', 'delivery_uncertain', 'returned', 'missing_variable', 'awaiting_approval', 'campaign_not_active', 'sender_unavailable', 'inbox_not_read', 'wait_not_over', 'outside_window', 'daily_limit', 'new_lead_limit', 'sender_daily_limit', 'recipient_domain_limit', 'sender_gap'));
