-- When everything in a mailbox was last read: what nobody reads, nobody sends from.
alter table mailboxes add column read_at timestamptz;
