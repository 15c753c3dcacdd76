-- Whose request an event follows from; null: written before that was kept.
alter table events add column actor_type text;
alter table events add column actor_id text collate "C";
alter table events add column actor_name text;
alter table events add constraint events_actor_type
  check (actor_type in ('user', 'key', 'operator', 'recipient', 'system')) not valid;
