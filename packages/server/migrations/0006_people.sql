-- No foreign key to the account. A person is inserted by the statement after its leads, whose campaign has such a key. A check per
-- person took a third of the time of inserting people.
create table people (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  -- Normalised.
  email text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Ids arrive in order, so the pages of the key are filled.
  primary key (account_id, environment, id) with (fillfactor = 98)
);
comment on table people is 'people: An address across campaigns, once per environment.';
-- The person of an address (upsertPeople).
create unique index people_email on people (account_id, environment, email);

-- Leads are deleted with their campaign, but their events stay. An export or an erasure of a person finds these events by this table.
create table former_leads (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  address_hash bytea not null,
  lead_id text collate "C" not null,
  -- The id at the lead finder, if the lead came from there.
  person_id text collate "C",
  primary key (account_id, environment, address_hash, lead_id)
);
comment on table former_leads is 'people: A deleted lead of an address.';

-- Kept permanently: it proves what was removed, and contains no data of the person.
create table erasures (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  at timestamptz not null,
  -- Null while the address is still being removed from texts that mention it.
  completed_at timestamptz,
  actor_type text not null,
  actor_id text,
  actor_name text,
  subject_hash bytea not null,
  -- Numbers of rows by table.
  removed jsonb not null,
  kept jsonb not null,
  seal text,
  primary key (account_id, environment, id)
);
comment on table erasures is 'people: The proof of a person''s erasure.';

-- Searches all columns that can contain text of people. Keys and references are made by us and contain no address.
-- `spellings` has the address first, then its other spellings in mail.
create function forget_mentions(account text, env text, relation regclass, spellings text[]) returns bigint language plpgsql as $$
declare
  address text := spellings[1];
  instead constant text := 'erased@erased.invalid';
  -- Does not match the beginning or the end of another address.
  pattern text := '(?<![[:alnum:]_.+-])' || regexp_replace(address, '([][\\.^$*+?(){}|])', '\\\1', 'g')
    || '(?![[:alnum:]_-]|\.[[:alnum:]])';
  place record;
  found text;
  changed text;
  spelling text;
  touched bigint := 0;
  count bigint;
begin
  for place in
    select quote_ident(a.attname) as name, format_type(a.atttypid, null) as type from pg_attribute a
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and format_type(a.atttypid, null) in ('text', 'jsonb', 'text[]', 'bytea')
      and not exists (select 1 from pg_index i where i.indrelid = relation and i.indisunique and a.attnum = any(i.indkey::smallint[]))
      and not exists (select 1 from pg_constraint f where f.conrelid = relation and f.contype = 'f' and a.attnum = any(f.conkey))
  loop
    case place.type
      when 'text' then
        found := format('position($3 in lower(%s)) > 0', place.name);
        changed := format('regexp_replace(%s, $4, $5, ''gi'')', place.name);
      when 'jsonb' then
        found := format('position($3 in lower(%s::text)) > 0', place.name);
        changed := format('regexp_replace(%s::text, $4, $5, ''gi'')::jsonb', place.name);
      when 'text[]' then
        found := format('position($3 in lower(array_to_string(%s, '' ''))) > 0', place.name);
        changed := format(
          'array(select regexp_replace(o.v, $4, $5, ''gi'') from unnest(%s) with ordinality o (v, n) order by o.n)',
          place.name);
      else
        -- Bytes of mail are replaced as text, or byte by byte if they contain a NUL.
        found := format('exists (select 1 from unnest($6) s where position(convert_to(s, ''UTF8'') in %s) > 0)', place.name);
        changed := format('encode(%s, ''hex'')', place.name);
        foreach spelling in array spellings loop
          changed := format('replace(%s, %L, %L)', changed, encode(convert_to(spelling, 'UTF8'), 'hex'),
            encode(convert_to(instead, 'UTF8'), 'hex'));
        end loop;
        changed := format(
          'case when position(''\x00''::bytea in %1$s) = 0
             then convert_to(regexp_replace(convert_from(%1$s, ''LATIN1''), $4, $5, ''gi''), ''LATIN1'')
             else decode(%2$s, ''hex'') end',
          place.name, changed);
    end case;
    execute format('update %s set %s = %s where account_id = $1 and environment = $2 and %s', relation, place.name, changed, found)
      using account, env, address, pattern, instead, spellings;
    get diagnostics count = row_count;
    touched := touched + count;
  end loop;
  return touched;
end $$;
comment on function forget_mentions is
  'people: Replaces an address in all texts of an account''s rows of a table. Returns how many values changed.';
