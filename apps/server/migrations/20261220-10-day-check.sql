-- Daily checks of the authority (日常检查). The row of `site_check` of kind `daycheck` holds what every check has: problems, sheets,
-- score; its own state there is that of its least advanced notice. Here is what only a daily check has, with its own states.

-- A problem says which kind of notice it asks for (dictionary rectifyNoticeType); null: the usual one of its check.
alter table site_check_problem add column notice_type text;

create table day_check (
  id text primary key references site_check on delete cascade,
  -- Drawn when it is submitted: a number drawn before would betray by its gap that a check is under way.
  code text,
  project_code text not null references project on delete cascade,
  -- Null: it concerns the whole site.
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  -- Hidden from the authorities of the district until the officers are on the site.
  surprise boolean not null default false,
  checker_group text not null,
  -- Accounts of the officers; their names stand in `site_check.checkers`.
  checker_ids text[] not null default '{}',
  discipline text[] not null,
  planned_date date not null,
  plan_id text,
  visit_id text,
  campaign_id text,
  campaign_group text,
  source_kind text,
  source_id text,
  -- The sheets that were chosen for it; null: free.
  template text[],
  -- Dictionary projectPhase.
  progress text,
  check_in_at timestamptz,
  check_in_by text,
  check_in_lng double precision,
  check_in_lat double precision,
  -- Metres outside the fence; null when the position or the fence is unknown.
  outside_m int,
  location_abnormal boolean not null default false,
  abnormal_reason text,
  check_in_photos text[] not null default '{}',
  -- Dictionary checkResult.
  conclusion text,
  submit_at timestamptz,
  remark text,
  remark_by text,
  remark_at timestamptz,
  -- The last action that a device sent: a repeated one changes nothing.
  last_act text,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index day_check_project on day_check (project_code, planned_date desc);
create index day_check_day on day_check (planned_date desc, id);
create index day_check_running on day_check (checker_group, planned_date) where state in ('0', '1');
create index day_check_campaign on day_check (campaign_id) where campaign_id is not null;
create index day_check_plan on day_check (plan_id) where plan_id is not null;
create unique index day_check_visit on day_check (visit_id) where visit_id is not null and state <> '6';
create unique index day_check_source on day_check (source_kind, source_id) where source_id is not null and state in ('0', '1');
call zg_by_project('day_check', 'project_code', 'corp_code');
call zg_until_shown('day_check');

-- A unit (单体) that is checked, or what concerns the project as a whole. Its own version: two officers in two units do not meet.
create table day_check_unit (
  id text primary key,
  check_id text not null references day_check on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  -- Null: the project as a whole.
  unit_id text references unit_project on delete set null,
  name text not null,
  done_at timestamptz,
  done_by text,
  saved_by text,
  saved_at timestamptz,
  last_act text,
  version int not null default 0
);
create unique index day_check_unit_once on day_check_unit (check_id, name);
call zg_by_project('day_check_unit', 'project_code', 'corp_code');
call zg_until_shown('day_check_unit');

-- Who of the key posts was on the site by its gates when the officers checked in.
create table day_check_presence (
  check_id text not null references day_check on delete cascade,
  seq int not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  post text not null,
  name text,
  -- vacant: nobody holds the post; never: no passage today.
  state text not null check (state in ('in', 'out', 'never', 'vacant')),
  at timestamptz,
  primary key (check_id, seq)
);
call zg_by_project('day_check_presence', 'project_code', 'corp_code');
call zg_until_shown('day_check_presence');

-- Disciplines of a check by a group, each signed off by who checked it.
create table day_check_discipline (
  check_id text not null references day_check on delete cascade,
  discipline text not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  by_id text not null,
  by_name text not null,
  at timestamptz not null,
  primary key (check_id, discipline)
);
call zg_by_project('day_check_discipline', 'project_code', 'corp_code');
call zg_until_shown('day_check_discipline');

-- A sheet of a daily check belongs to one of its units; the same kind of sheet is used in each.
alter table check_sheet add column task_id text references day_check_unit on delete cascade;
create index check_sheet_task on check_sheet (task_id) where task_id is not null;
drop index check_sheet_once;
create unique index check_sheet_once on check_sheet (check_id, coalesce(task_id, ''), sheet_code, label);

-- 待整改, 待复查 and 已闭合 follow the notices, whose movers may not see the check.
create function zg_day_check_state() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update day_check d set state = case new.state when '7' then '5' when '5' then '4' else '3' end
  where d.id = new.id and d.state in ('3', '4', '5');
  return null;
end $$;
create trigger day_check_state after update of state on site_check for each row
  when (new.kind = 'daycheck' and new.state is distinct from old.state) execute function zg_day_check_state();

-- The mean score of the district of a project since a day, over sites that the caller may not see: no site can be told from it.
create function zg_district_mean(p_project text, since date) returns numeric language sql stable security definer set search_path = public as $$
  select case when count(*) >= 3 then round(avg(s.score), 2) end
  from day_check d join check_score s on s.check_id = d.id join project p on p.project_code = d.project_code
  where d.submit_at >= since and s.score is not null and p.area_code = (select area_code from project where project_code = p_project)
$$;
create index day_check_submitted on day_check (submit_at) where submit_at is not null;
