-- Checks of a site, scored or not, and the notices that their problems become.

alter table rectify add column source_kind text, add column source_id text,
  add constraint rectify_source check ((source_kind is null) = (source_id is null));
create index rectify_by_source on rectify (source_kind, source_id) where source_id is not null;

-- One check of a site: a patrol, a scored inspection. Its problems become notices of rectification.
create table site_check (
  id text primary key,
  kind text not null,
  code text,
  project_code text not null references project on delete cascade,
  -- Null: a check concerns the whole site. Subcontractors see the notices addressed to them, not the check.
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  checker_group text not null,
  checker_group_name text not null,
  checker_id text not null,
  inspect_type text not null,
  check_time timestamptz not null,
  checkers text[] not null,
  part text not null,
  remark text,
  photos text[] not null default '{}',
  -- The gravest of its problems (dictionary hiddenDangerLevel); null without problems.
  danger_level text,
  problem_count int not null default 0,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index site_check_project on site_check (kind, project_code, check_time desc);
create unique index site_check_code on site_check (project_code, code);
call zg_by_project('site_check', 'project_code', 'corp_code');
call zg_until_shown('site_check');

-- A problem found in a check. Problems of one company with one deadline become one notice when the check is submitted.
create table site_check_problem (
  id text primary key,
  check_id text not null references site_check on delete cascade,
  project_code text not null references project on delete cascade,
  -- The responsible company.
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  description text not null,
  part text not null,
  -- An item of the check library or of its dictionary.
  item_code text,
  clause text,
  danger_level text not null,
  major_clause text,
  requirement text not null,
  person text,
  deadline date not null,
  photos text[] not null default '{}',
  -- Mended while the checker was there: what was done, with photographs.
  mended text,
  mended_photos text[] not null default '{}',
  rectify_id text references rectify on delete set null,
  line_id text references rectify_line on delete set null
);
create unique index site_check_problem_seq on site_check_problem (check_id, seq);
create index site_check_problem_notice on site_check_problem (rectify_id) where rectify_id is not null;
create index site_check_problem_line on site_check_problem (line_id) where line_id is not null;
call zg_by_project('site_check_problem', 'project_code', 'corp_code');
call zg_until_shown('site_check_problem');

-- A submitted check has the state of its least advanced notice. Whoever moves a notice may not see the check (a subcontractor), so the
-- state follows here.
create function zg_check_state() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update site_check c set state = coalesce((
      select r.state from rectify r where r.source_kind = new.source_kind and r.source_id = new.source_id and r.state <> '8'
      order by array_position(array['0', '1', '2', '3', '6', '4', '5', '7'], r.state) limit 1), '7')
  where c.id = new.source_id and c.kind = new.source_kind and c.state <> '0';
  return null;
end $$;
create trigger check_state after update of state on rectify for each row
  when (new.source_id is not null and new.state is distinct from old.state) execute function zg_check_state();
