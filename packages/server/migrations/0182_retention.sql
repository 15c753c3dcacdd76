-- What grows and had no age: by the database's clock, for a virtual one may stand years ahead.

alter table sandbox_messages add column recorded_at timestamptz not null default now();
create index sandbox_messages_age on sandbox_messages using brin (recorded_at) with (autosummarize = on);

-- Told by the row, so that none is looked at again whose content is gone. Rows come in the order of their time.
alter table message_contents add column recorded_at timestamptz not null default now();
create index message_contents_age on message_contents using brin (recorded_at) with (autosummarize = on);

create index finder_scroll_tokens_age on finder_scroll_tokens (created_at);
