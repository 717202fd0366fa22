-- What a group adds to the delivered dictionaries and how it arranges them; entries are told to all processes, which know them by name.
create table dict_own (
  group_id text not null references tenant on delete cascade,
  dictionary text not null,
  value jsonb not null default '{}',
  version int not null default 1,
  update_time timestamptz not null,
  update_by text not null,
  primary key (group_id, dictionary)
);
call zg_by_group('dict_own');

-- Divisions added to the delivered ones (with a name) and those no longer offered.
create table area_own (
  code text primary key check (code ~ '^\d{6}$'),
  group_id text not null references tenant,
  name text,
  off boolean not null default false,
  update_time timestamptz not null,
  update_by text not null,
  check (name is not null or off)
);
call zg_by_group('area_own');

create function zg_tell_words() returns trigger language plpgsql as $$
begin
  perform pg_notify('zg_words', tg_table_name);
  return null;
end $$;
create trigger words_told after insert or update or delete on dict_own for each statement execute function zg_tell_words();
create trigger words_told after insert or update or delete on area_own for each statement execute function zg_tell_words();
