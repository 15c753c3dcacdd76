create table settings (
  name text primary key,
  value jsonb not null
);
comment on table settings is 'composition: A value that all nodes share and that is not part of the configuration.';

-- Rows are chosen by key and not by `ctid`, because the statement may run on several servers. The index is used, because a scan of the
-- table would read past the deleted rows each time.
create function delete_rows_of_account(account text, relation regclass, rows_max integer) returns integer
  language plpgsql set enable_seqscan = off as $$
declare
  key text;
  gone integer;
begin
  select string_agg(quote_ident(a.attname), ', ' order by k.place) into key
    from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality k (attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = relation and i.indisprimary;
  execute format('delete from %1$s where account_id = $1 and (%2$s) in (select %2$s from %1$s where account_id = $1 limit $2)',
    relation, key) using account, rows_max;
  get diagnostics gone = row_count;
  return gone;
end $$;
comment on function delete_rows_of_account is
  'composition: Deletes up to `rows_max` rows of an account from a table. Returns how many it deleted.';
