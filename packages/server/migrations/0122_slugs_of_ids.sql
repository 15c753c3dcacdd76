-- A page's name in the form of an account's id belongs to that account: one that somebody else took is given back.
update meeting_availability
set slug = substr(account_id, 5) || case environment when 'test' then '-test' else '' end || '-page'
where slug ~ '^[0-9a-z]{26}(-test)?$'
  and slug <> substr(account_id, 5) || case environment when 'test' then '-test' else '' end;
