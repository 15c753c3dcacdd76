-- Each account's log is read by itself, so that a reader's place, what it makes of the events and the events are rows of one account.
create table event_places (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  reader text not null,
  tx_id xid8 not null,
  position bigint not null,
  primary key (account_id, environment, reader)
);
comment on table event_places is 'platform: How far each reader has come in the log of each account. Without a row: it has not begun.';

-- Every account stands where the reader of all of them stood. The rows are locked first: whoever is reading ends, and goes on
-- behind what is taken over.
lock table event_cursors in exclusive mode;
insert into event_places (account_id, environment, reader, tx_id, position)
  select a.account_id, e.environment, c.name, c.tx_id, c.position
  from accounts a, (values ('live'), ('test')) e (environment), event_cursors c;

-- What is left there is up to where the log was looked through for accounts that have something new. A process of the release
-- before reads the log as a whole under the old names: it finds none of them, and leaves everything to those of this one.
update event_cursors set name = name || ' of accounts';
comment on table event_cursors is
  'platform: Up to where the log of all accounts was looked through for each reader; every account''s place is there or beyond.';
