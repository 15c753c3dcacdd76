-- The workers that watch mailboxes now: each takes its share and hands back what is above it.
create unlogged table inbox_workers (
  token uuid primary key,
  lease_until timestamptz not null
);
