-- Takes an address out of every text of a table's rows of one account: wherever a value may hold what somebody wrote. Keys
-- and references are made by us, and hold none. Answers how many values changed.
create function forget_mentions(account text, env text, relation regclass, spellings text[]) returns bigint language plpgsql as $$
declare
  address text := spellings[1];
  instead constant text := 'erased@erased.invalid';
  -- Not where it is the end or the beginning of another address.
  pattern text := '(?<![[:alnum:]_.+-])' || regexp_replace(address, '([][\\.^$*+?(){}|])', '\\\1', 'g') || '(?![[:alnum:]_-]|\.[[:alnum:]])';
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
      and not exists (select from pg_index i where i.indrelid = relation and i.indisunique and a.attnum = any(i.indkey::smallint[]))
      and not exists (select from pg_constraint f where f.conrelid = relation and f.contype = 'f' and a.attnum = any(f.conkey))
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
        changed := format('array(select regexp_replace(o.v, $4, $5, ''gi'') from unnest(%s) with ordinality o (v, n) order by o.n)', place.name);
      else
        -- Bytes of mail: as text where they are one, by their bytes where they hold a NUL.
        found := format('exists (select from unnest($6) s where position(convert_to(s, ''UTF8'') in %s) > 0)', place.name);
        changed := format('encode(%s, ''hex'')', place.name);
        foreach spelling in array spellings loop
          changed := format('replace(%s, %L, %L)', changed, encode(convert_to(spelling, 'UTF8'), 'hex'), encode(convert_to(instead, 'UTF8'), 'hex'));
        end loop;
        changed := format(
          'case when position(''\x00''::bytea in %1$s) = 0 then convert_to(regexp_replace(convert_from(%1$s, ''LATIN1''), $4, $5, ''gi''), ''LATIN1'')
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
comment on function forget_mentions is 'people: Takes an address out of every text of a table''s rows of one account.';
