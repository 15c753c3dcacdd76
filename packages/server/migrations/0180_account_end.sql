-- An account goes with everything that it has, what is written once included: while the account is there it stays.

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.account_id <> '' and not exists (select from accounts a where a.account_id = old.account_id) then
      return old;
    end if;
  end if;
  raise exception 'The audit log is not changed.' using errcode = 'insufficient_privilege';
end $$;

create or replace function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from accounts a where a.account_id = old.account_id) then
      return old;
    end if;
  end if;
  raise exception 'the credit ledger is append-only';
end $$;

drop trigger credit_ledger_append_only on credit_ledger;
create trigger credit_ledger_append_only before update or delete on credit_ledger
  for each row execute function refuse_ledger_change();
create trigger credit_ledger_kept before truncate on credit_ledger
  for each statement execute function refuse_ledger_change();

-- By the index: read from its beginning, a table would be read past what is gone already, each time.
create function delete_rows_of_account(account text, relation regclass, rows_max integer) returns integer
  language plpgsql set enable_seqscan = off as $$
declare
  gone integer;
begin
  execute format('delete from %1$s where account_id = $1 and ctid = any(array(select ctid from %1$s where account_id = $1 limit $2))',
    relation) using account, rows_max;
  get diagnostics gone = row_count;
  return gone;
end $$;

comment on function delete_rows_of_account is 'composition: Takes some rows of an account out of a table, until none is left.';
