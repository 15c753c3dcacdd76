-- A double of Citus in a plain PostgreSQL: the functions that distribute a database, with the same names, parameters and
-- catalogues, and the rules that its documentation and its errors tell. Rows stay where they are; a server is a row of
-- pg_dist_node, and a command that is run on all is run once for each.
-- It may be there before the product's tables are.
set check_function_bodies = off;
set allow_system_table_mods = on;
insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  select 99999, 'citus', oid, 'pg_catalog'::regnamespace, false, '13.2-1' from pg_roles where rolname = current_user;
reset allow_system_table_mods;

create schema citus_double;
create table citus_double.calls (place bigint generated always as identity primary key, call text not null);
create table citus_double.node_settings (nodeid integer, name text, value text, primary key (nodeid, name));
grant usage on schema citus_double to public;
grant select on all tables in schema citus_double to public;
-- In pg_catalog, as there: what the product lists of the schema public is what it is without Citus.
create table citus_double.pg_dist_node (
  nodeid integer primary key, groupid integer not null, nodename text not null, nodeport integer not null, isactive boolean not null
);
insert into citus_double.pg_dist_node values
  (1, 0, 'coordinator.test', 5432, true), (2, 1, 'worker-1.test', 5432, true), (3, 2, 'worker-2.test', 5432, true);
create table citus_double.pg_dist_partition (
  logicalrelid regclass primary key, partmethod "char" not null, partkey text, colocationid integer not null, repmodel "char" not null
);
create table citus_double.pg_dist_shard (
  logicalrelid regclass not null, shardid bigint primary key generated always as identity (start with 102008), shardstorage "char" not null
);
create table citus_double.pg_dist_placement (
  placementid bigint primary key generated always as identity, shardid bigint not null, shardstate integer not null,
  shardlength bigint not null, groupid integer not null
);
create view citus_double.pg_dist_local_group as
  select coalesce(nullif(current_setting('citus_double.group', true), ''), '0')::integer as groupid;

create function citus_double.fail(message text, detail text) returns void language plpgsql as $$
begin raise exception '%', message using errcode = 'feature_not_supported', detail = coalesce(detail, ''); end $$;

-- Things that a distributed table may not have, checked when a table is distributed and after each change of the schema.
create function citus_double.check_table(rel regclass) returns void language plpgsql as $$
declare
  kind "char";
  keyed text;
  key smallint;
  one record;
begin
  select partmethod, partkey into kind, keyed from citus_double.pg_dist_partition where logicalrelid = rel;
  if exists (select from pg_policy p where p.polrelid = rel
    and (pg_get_expr(p.polqual, p.polrelid) ~* '\mselect\M' or pg_get_expr(p.polwithcheck, p.polrelid) ~* '\mselect\M')) then
    perform citus_double.fail('cannot create policy', 'Subqueries are not supported in policies on distributed tables');
  end if;
  if kind = 'h' then
    select attnum into key from pg_attribute where attrelid = rel and attname = keyed;
    for one in select indexrelid::regclass as name, indkey from pg_index where indrelid = rel and (indisunique or indisexclusion) loop
      if not key = any(one.indkey::smallint[]) then
        perform citus_double.fail(format('cannot create constraint on "%s"', rel),
          'Distributed relations cannot have UNIQUE, EXCLUDE, or PRIMARY KEY constraints that do not include the partition column ('
          || one.name || ')');
      end if;
    end loop;
  end if;
  for one in select k.*, f.partmethod as other_kind, f.partkey as other_key, f.colocationid as other_place
    from pg_constraint k left join citus_double.pg_dist_partition f on f.logicalrelid = k.confrelid
    where k.contype = 'f' and k.conrelid = rel loop
    if kind = 'h' and one.other_kind is null then
      perform citus_double.fail('cannot create foreign key constraint', 'Referenced table must be a distributed table or a reference table.');
    elsif kind <> 'h' and one.other_kind = 'h' then
      perform citus_double.fail(
        'cannot create foreign key constraint since foreign keys from reference tables and local tables to distributed tables are not supported',
        one.conname);
    elsif kind = 'h' and one.other_kind = 'h' then
      if one.other_place <> (select colocationid from citus_double.pg_dist_partition where logicalrelid = rel) then
        perform citus_double.fail('cannot create foreign key constraint since relations are not colocated or not referencing a reference table', one.conname);
      end if;
      if not exists (select from unnest(one.conkey, one.confkey) as c (own, other)
        join pg_attribute a on a.attrelid = one.confrelid and a.attnum = c.other
        where c.own = key and a.attname = one.other_key) then
        perform citus_double.fail('cannot create foreign key constraint', 'Foreign keys are supported in two cases, either in between two colocated tables including partition column in the same ordinal in the both tables or from distributed to reference tables');
      end if;
      if one.confdeltype in ('n', 'd') and key = any(one.conkey) then
        perform citus_double.fail('cannot create foreign key constraint', 'SET NULL or SET DEFAULT is not supported in ON DELETE operation when distribution key is included in the foreign key constraint');
      end if;
    end if;
  end loop;
end $$;

create function citus_double.check_triggers(rel regclass) returns void language plpgsql as $$
begin
  if coalesce(nullif(current_setting('citus.enable_unsafe_triggers', true), ''), 'off') not in ('on', 'true', '1')
    -- Older versions of PostgreSQL call the triggers that a partition inherits internal.
    and exists (select from pg_trigger where tgrelid = rel and (not tgisinternal or tgparentid <> 0 and tgconstraint = 0)) then
    perform citus_double.fail(format('cannot distribute relation "%s" because it has triggers', rel), null);
  end if;
end $$;

create function citus_double.check_new(rel regclass) returns void language plpgsql as $$
begin
  if exists (select from citus_double.pg_dist_partition where logicalrelid = rel) then
    perform citus_double.fail(format('table "%s" is already distributed', rel), null);
  end if;
  if (select relispartition from pg_class where oid = rel) then
    perform citus_double.fail(format('cannot distribute relation "%s" which is a partition', rel), null);
  end if;
  -- No foreign key leads from a table of one server to a distributed table, or the other way round.
  perform citus_double.check_triggers(rel);
  if exists (select from pg_constraint k where k.contype = 'f' and k.confrelid = rel and k.conrelid <> rel
    and not exists (select from citus_double.pg_dist_partition p where p.logicalrelid = k.conrelid)) then
    perform citus_double.fail('cannot create foreign key constraint since foreign keys from reference tables and local tables to distributed tables are not supported', rel::text);
  end if;
end $$;

create function citus_double.create_distributed_table(table_name regclass, distribution_column text, distribution_type text default 'hash',
  colocate_with text default 'default', shard_count integer default null) returns void language plpgsql as $$
declare
  place integer;
  other regclass;
  own text;
begin
  insert into citus_double.calls (call) values (format('create_distributed_table %s %s %s', table_name, distribution_column, colocate_with));
  perform citus_double.check_new(table_name);
  select format_type(atttypid, atttypmod) || ' ' || attcollation into own from pg_attribute
    where attrelid = table_name and attname = distribution_column and not attisdropped;
  if own is null then raise exception 'column "%" of relation "%" does not exist', distribution_column, table_name; end if;
  if colocate_with in ('default', 'none') then
    place := coalesce((select max(colocationid) from citus_double.pg_dist_partition), 0) + 1;
  else
    other := colocate_with::regclass;
    select colocationid into place from citus_double.pg_dist_partition where logicalrelid = other and partmethod = 'h';
    if place is null then perform citus_double.fail(format('relation %s is not distributed', colocate_with), null); end if;
    if own is distinct from (select format_type(a.atttypid, a.atttypmod) || ' ' || a.attcollation from pg_attribute a
      join citus_double.pg_dist_partition p on p.logicalrelid = a.attrelid and a.attname = p.partkey where a.attrelid = other) then
      perform citus_double.fail(format('cannot colocate tables %s and %s', colocate_with, table_name), 'Distribution column types don''t match');
    end if;
  end if;
  insert into citus_double.pg_dist_partition values (table_name, 'h', distribution_column, place, 's');
  perform citus_double.check_table(table_name);
end $$;

create function citus_double.create_reference_table(table_name regclass) returns void language plpgsql as $$
begin
  insert into citus_double.calls (call) values (format('create_reference_table %s', table_name));
  perform citus_double.check_new(table_name);
  insert into citus_double.pg_dist_partition values (table_name, 'n', null, 0, 't');
  insert into citus_double.pg_dist_shard (logicalrelid, shardstorage) values (table_name, 't');
  perform citus_double.copy_references();
  perform citus_double.check_table(table_name);
end $$;

create function citus_double.copy_references() returns void language sql as $$
  insert into citus_double.pg_dist_placement (shardid, shardstate, shardlength, groupid)
    select s.shardid, 1, 0, n.groupid
    from citus_double.pg_dist_shard s join citus_double.pg_dist_partition p on p.logicalrelid = s.logicalrelid and p.partmethod = 'n'
      cross join citus_double.pg_dist_node n
    where n.isactive and not exists (select from citus_double.pg_dist_placement c where c.shardid = s.shardid and c.groupid = n.groupid)
$$;
create function citus_double.replicate_reference_tables(shard_transfer_mode text default 'auto') returns void language plpgsql as $$
begin
  if shard_transfer_mode not in ('auto', 'force_logical', 'block_writes') then
    raise exception 'invalid shard_transfer_mode';
  end if;
  insert into citus_double.calls (call) values (format('replicate_reference_tables %s', shard_transfer_mode));
  perform citus_double.copy_references();
end $$;

create function citus_double.citus_set_coordinator_host(host text, port integer default 5432) returns void language sql as $$
  update citus_double.pg_dist_node set nodename = host, nodeport = port where groupid = 0
$$;
-- An added server has the distributed tables, but not those that a command created on each server before.
create table citus_double.bare_nodes (nodeid integer primary key);
create function citus_double.citus_add_node(host text, port integer) returns integer language sql as $$
  with added as (insert into citus_double.pg_dist_node
      select max(nodeid) + 1, max(groupid) + 1, host, port, true from citus_double.pg_dist_node returning nodeid),
    bare as (insert into citus_double.bare_nodes select nodeid from added)
  select nodeid from added
$$;

create function citus_double.create_distributed_function(function_name regprocedure) returns void language plpgsql as $$
begin insert into citus_double.calls (call) values (format('create_distributed_function %s', function_name)); end $$;

-- Each server counts for itself, in an epoch of its own; rows are here, with what the second server numbers them.
create table citus_double.node_epochs (nodeid integer primary key, epoch integer not null);
create function citus_double.stores_rows(node integer) returns boolean language sql immutable as 'select node = 2';
create function citus_double.epoch_of(node integer) returns integer language sql stable as $$
  select case when citus_double.stores_rows(node) then (select epoch from public.event_epochs)
    else (select epoch from citus_double.node_epochs where nodeid = node) end
$$;
create function citus_double.horizon_of(node integer) returns xid8 language sql stable as $$
  select (coalesce(citus_double.epoch_of(node), 0)::bigint << 48 | (public.events_horizon()::text::bigint & ((1::bigint << 48) - 1)))::text::xid8
$$;
create function citus_double.raise_of(node integer, above integer) returns void language plpgsql as $$
begin
  if citus_double.stores_rows(node) then perform public.raise_event_epoch(above);
  else
    insert into citus_double.node_epochs values (node, above + 1)
      on conflict (nodeid) do update set epoch = greatest(citus_double.node_epochs.epoch, excluded.epoch);
  end if;
end $$;
create function citus_double.history_of(node integer) returns text language sql stable as $$
  select (select system_identifier from pg_control_system()) || ' '
    || coalesce((select value from citus_double.node_settings where nodeid = node and name = 'citus_double.timeline'), '00000001')
$$;
-- The answer of a server without event_epochs; null if it runs the command like the others.
create function citus_double.bare_answer(command text, node integer) returns text language plpgsql as $$
begin
  if not exists (select from citus_double.bare_nodes where nodeid = node) then return null; end if;
  if command ~* '^\s*create table if not exists event_epochs' then
    delete from citus_double.bare_nodes where nodeid = node;
    return null;
  end if;
  if command ~ 'to_regclass\(''event_epochs''\)' then return 'f'; end if;
  if command ~ '(event_epochs|events_horizon|raise_event_epoch)' then raise exception 'relation "event_epochs" does not exist'; end if;
  return null;
end $$;
create function citus_double.of_node(command text, node integer) returns text language sql immutable as $$
  select case when command !~* '^\s*select' then command
    when command ~ 'pg_control_system' then format('select citus_double.history_of(%s)', node)
    else replace(replace(replace(command, 'select epoch from event_epochs', format('select citus_double.epoch_of(%s)', node)),
      'select raise_event_epoch(', format('select citus_double.raise_of(%s, ', node)),
      'select events_horizon()', format('select citus_double.horizon_of(%s)', node)) end
$$;

-- On each as it is set up: a setting of that server counts for the command, its group is told, and an error is an answer.
create function citus_double.run_command_on_all_nodes(command text, give_warning_for_connection_errors boolean default false)
returns table (nodeid integer, success boolean, result text) language plpgsql as $$
declare
  node record;
  setting record;
  own text;
begin
  insert into citus_double.calls (call) values (format('run_command_on_all_nodes %s', command));
  for node in select * from citus_double.pg_dist_node n where n.isactive order by n.nodeid loop
    nodeid := node.nodeid;
    begin
      perform set_config('citus_double.group', node.groupid::text, true);
      for setting in select s.name, s.value from citus_double.node_settings s where s.nodeid = node.nodeid loop
        perform set_config(setting.name, setting.value, true);
      end loop;
      own := citus_double.of_node(command, node.nodeid);
      result := citus_double.bare_answer(command, node.nodeid);
      if result is not null then null;
      elsif own ~* '^\s*select' then execute own into result; else execute own; result := 'OK'; end if;
      success := true;
      perform set_config('citus_double.group', '', true);
      for setting in select s.name, s.value from citus_double.node_settings s where s.nodeid = node.nodeid loop
        execute format('set local %s to default', setting.name);
      end loop;
    exception when others then success := false; result := sqlerrm;
    end;
    return next;
  end loop;
end $$;

-- One placement each: this database holds all rows.
create function citus_double.run_command_on_placements(table_name regclass, command text, parallel boolean default true)
returns table (nodename text, nodeport integer, shardid bigint, success boolean, result text) language plpgsql as $$
begin
  if not exists (select from citus_double.pg_dist_partition where logicalrelid = table_name) then
    raise exception 'relation % is not distributed', table_name;
  end if;
  nodename := 'worker-1.test'; nodeport := 5432; shardid := 102008;
  execute replace(command, '%s', table_name::text) into result;
  success := true;
  return next;
end $$;

-- The text of a query that changes a distributed table is sent to the other servers, by the protocol that takes one statement.
create function citus_double.has_several_statements(query text) returns boolean language sql immutable as $$
  select regexp_replace(query, '--[^\n]*|/\*.*?\*/|''(?:[^'']|'''')*''|"[^"]*"|\$(\w*)\$.*?\$\1\$', '', 'g') ~ ';\s*\S'
$$;
create function citus_double.is_distributed(rel oid) returns boolean language sql stable as $$
  select exists (select from citus_double.pg_dist_partition p
    where p.logicalrelid = rel or p.logicalrelid in (select relid from pg_partition_ancestors(rel)))
$$;
-- The table that a change of the schema concerns. A view counts for a distributed table that it reads.
create function citus_double.changed_table(classid oid, objid oid) returns regclass language sql stable as $$
  select case classid
    when 'pg_class'::regclass then coalesce(
      (select indrelid from pg_index where indexrelid = objid),
      (select d.refobjid from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
        where r.ev_class = changed_table.objid and d.refclassid = 'pg_class'::regclass and citus_double.is_distributed(d.refobjid) limit 1),
      objid)
    when 'pg_constraint'::regclass then (select conrelid from pg_constraint where oid = objid)
    when 'pg_trigger'::regclass then (select tgrelid from pg_trigger where oid = objid)
    when 'pg_policy'::regclass then (select polrelid from pg_policy where oid = objid)
  end::regclass
$$;

-- Each change of the schema is checked by the same rules. A partition that is created later is distributed at once.
create function citus_double.check_schema() returns event_trigger language plpgsql as $$
declare one record;
begin
  for one in select d.command_tag as tag, d.classid, citus_double.changed_table(d.classid, d.objid) as rel
    from pg_event_trigger_ddl_commands() d loop
    continue when one.rel is null or not citus_double.is_distributed(one.rel);
    if citus_double.has_several_statements(current_query()) then
      raise exception 'cannot insert multiple commands into a prepared statement' using errcode = 'syntax_error';
    end if;
    if one.tag = 'ALTER TABLE' and current_query() ~* '\malter\s+(column\s+)?\S+\s+set\s+storage\M' then
      perform citus_double.fail('alter table command is currently unsupported', null);
    end if;
    if one.classid = 'pg_trigger'::regclass or one.tag = 'CREATE TABLE' then perform citus_double.check_triggers(one.rel); end if;
  end loop;
  for one in select p.logicalrelid as rel from citus_double.pg_dist_partition p join pg_class c on c.oid = p.logicalrelid loop
    perform citus_double.check_table(one.rel);
  end loop;
end $$;
create event trigger citus_double_rules on ddl_command_end execute function citus_double.check_schema();
grant select on all tables in schema citus_double to public;
do $$ begin execute format('alter database %I set search_path = public, citus_double', current_database()); end $$;
reset check_function_bodies;
