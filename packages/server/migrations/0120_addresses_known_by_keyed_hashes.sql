-- A hash of an address that nobody keyed is undone by a list of addresses. The old ones are keyed at the next start, by
-- whoever holds the encryption key; the name changes with the meaning, so that an older node stops sending instead of
-- finding nobody suppressed.
alter table suppressions rename column email_hash to address_hash;
insert into settings (name, value)
select 'plain_address_hashes', 'true' where exists (select from suppressions where address_hash is not null);
