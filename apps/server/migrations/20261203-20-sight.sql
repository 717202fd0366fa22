-- What is shown or kept from sight by hand, beside what area, part and role give: of a project, to one person, to whoever has a role, or from
-- the companies with one part in it.
create table sight_rule (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  member_id text references member on delete cascade,
  role_id text references role on delete cascade,
  -- A code of the dictionary corpType.
  party text,
  project_code text not null references project on delete cascade,
  shows boolean not null,
  -- Null: every module.
  modules text[],
  -- What is shown goes no further than the functions its giver held there: of later ones a role gets, none comes along.
  codes text[] not null default '{}',
  reason text not null,
  until date,
  grant_by text not null,
  create_time timestamptz not null default now(),
  check (num_nonnulls(member_id, role_id, party) = 1),
  check (not (shows and party is not null)),
  check (shows or codes = '{}')
);
create unique index sight_rule_one on sight_rule (group_id, coalesce(member_id, role_id, party), project_code, shows);
create index sight_rule_member on sight_rule (member_id) where member_id is not null;
create index sight_rule_role on sight_rule (role_id) where role_id is not null;
create index sight_rule_party on sight_rule (project_code) where party is not null;
call zg_by_group('sight_rule');
create trigger rights_follow after insert or update or delete on sight_rule for each row execute function zg_follow_group();
