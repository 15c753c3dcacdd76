-- A mailbox's lease is its worker's: one row is renewed, however many mailboxes a worker reads, and when it goes, so do its
-- leases. Both outlive a crash of the database together.
alter table inbox_workers set logged;
-- It closes its mailboxes and takes no more; they stay its own until that is done.
alter table inbox_workers add column leaving boolean not null default false;
create index inbox_workers_lease on inbox_workers (lease_until);

drop index mailboxes_free;
alter table mailboxes drop column lease_until;
update mailboxes set lease_token = null where lease_token is not null;
alter table mailboxes add foreign key (lease_token) references inbox_workers on delete set null;
-- Which are to be taken (claimMailboxesAcrossAccounts), and which are a worker's (listHeldMailboxesAcrossAccounts).
create index mailboxes_free on mailboxes (retry_at nulls first) where lease_token is null;
create index mailboxes_held on mailboxes (lease_token) where lease_token is not null;

-- Counted by whichever worker comes first when it is time (claimMailboxCount), read by all.
create table mailbox_counts (
  only_row boolean primary key default true check (only_row),
  mailboxes integer not null default 0,
  unread integer not null default 0,
  next_count_at timestamptz not null
);
comment on table mailbox_counts is 'inbox: How many mailboxes there are to read, and how many nobody has read for long.';
