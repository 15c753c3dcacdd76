-- An opt-out in the name of an address that did not prove to be its own: it holds mail back, and an admin can lift it.
alter table suppressions drop constraint suppressions_source_check,
  add constraint suppressions_source_check
    check (source in ('recipient', 'bounce', 'complaint', 'manual', 'import', 'unproven'));

-- When the suppression was last asked for. A person may answer a mail that the recipient wrote after that moment.
alter table suppressions add column asked_at timestamptz;
update suppressions set asked_at = created_at;
-- A process of the release before adds suppressions without the moment while both run.
alter table suppressions alter column asked_at set default now(), alter column asked_at set not null;

-- What people and notices sent today, for their own daily limits (countDirectToday).
create index message_heads_direct_day on message_heads (account_id, environment, sending_account_id, queued_at)
  where kind in ('manual', 'notification');
