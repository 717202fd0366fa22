-- 实测实量: templates of rules, tasks, and measured points.

-- Whether the templates of a group serve a project that the caller sees whole: those of its owner, general contractor and 监理, and its own.
create function zg_measure_shared(p_group text) returns boolean language sql stable security definer set search_path = public as $$
  select exists (
    select 1 from tenant t left join project_corp u on t.type = 2 and u.corp_code = t.code and u.corp_type in ('007', '008', '009') and u.exit_time is null
    where t.id = p_group and t.type in (2, 3)
      and (case t.type when 3 then t.code else u.project_code end) = any (zg_list('app.projects'))
      and (case t.type when 3 then t.code else u.project_code end) <> all (zg_list('app.limited')))
$$;

create table measure_template (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  name text not null,
  -- Of dictionary measureItem.
  stage text not null,
  -- Percent that a task must reach.
  target_rate numeric(5, 2) not null,
  -- Counts the changes of its rules.
  revision int not null default 1,
  version int not null default 0,
  create_by text,
  create_time timestamptz not null default now(),
  update_by text,
  update_time timestamptz
);
create unique index measure_template_name on measure_template (group_id, name);
call zg_by_group('measure_template');
create policy shared on measure_template for select to zg_some, zg_wide using (zg_measure_shared(group_id));

-- A change of a used rule inserts a new revision.
create table measure_rule (
  id text primary key,
  template_id text not null references measure_template on delete cascade,
  group_id text not null references tenant on delete cascade,
  item_code text not null,
  standard_name text not null,
  base_value numeric(10, 2),
  judge_start numeric(10, 2) not null,
  judge_end numeric(10, 2) not null,
  is_absolute boolean not null,
  is_range boolean not null,
  is_custom_base boolean not null,
  area_count int not null check (area_count between 1 and 50),
  point_count int not null check (point_count between 1 and 50),
  method text,
  norm text,
  forbid_manual boolean not null default false,
  burst_factor numeric(3, 1) not null default 1.5,
  -- The id of its first revision.
  origin_id text not null,
  revision int not null default 1,
  superseded_at timestamptz,
  version int not null default 0,
  create_by text,
  create_time timestamptz not null default now(),
  update_by text,
  update_time timestamptz,
  constraint measure_rule_limits check (judge_end >= judge_start)
);
create unique index measure_rule_current on measure_rule (template_id, item_code, standard_name) where superseded_at is null;
create index measure_rule_origin on measure_rule (origin_id);
call zg_by_group('measure_rule');
create policy shared on measure_rule for select to zg_some, zg_wide using (zg_measure_shared(group_id));

create table measure_task (
  id text primary key,
  project_code text not null references project on delete cascade,
  -- The company that did the work; null: the site itself.
  corp_code text references corporation,
  shown_at timestamptz,
  groups text[] not null,
  task_no text not null,
  task_name text not null,
  -- 1 of the company, 2 of the site.
  check_type text not null check (check_type in ('1', '2')),
  template_id text not null,
  template_name text not null,
  template_revision int not null,
  target_rate numeric(5, 2) not null,
  place_name text not null,
  place_count int not null,
  author_group text not null,
  author_group_name text not null,
  member_id text not null,
  member_name text not null,
  member_group text not null,
  deadline date,
  total_items int not null,
  total_points int not null,
  current_points int not null default 0,
  -- After retests.
  qualified_points int not null default 0,
  burst_points int not null default 0,
  -- Of the first measurement.
  first_qualified int not null default 0,
  instrument_no text,
  check_time timestamptz,
  fix_by text,
  fix_note text,
  fix_photos text[] not null default '{}',
  state text not null default '1',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index measure_task_project on measure_task (project_code, state, deadline);
create unique index measure_task_no on measure_task (project_code, task_no);
create index measure_task_template on measure_task (template_id);
call zg_by_project('measure_task', 'project_code', 'corp_code');
call zg_until_shown('measure_task');

create table measure_task_place (
  task_id text not null references measure_task on delete cascade,
  place_id text not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  seq int not null,
  primary key (task_id, place_id),
  foreign key (project_code, place_id) references site_place (project_code, id)
);
create index measure_task_place_at on measure_task_place (place_id);
call zg_by_project('measure_task_place', 'project_code', 'corp_code');

-- The rules of a task as they were when it was made.
create table measure_task_item (
  task_id text not null references measure_task on delete cascade,
  no int not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  rule_id text not null,
  origin_id text not null,
  revision int not null,
  item_code text not null,
  standard_name text not null,
  base_value numeric(10, 2),
  judge_start numeric(10, 2) not null,
  judge_end numeric(10, 2) not null,
  is_absolute boolean not null,
  is_range boolean not null,
  is_custom_base boolean not null,
  area_count int not null,
  point_count int not null,
  method text,
  forbid_manual boolean not null,
  burst_factor numeric(3, 1) not null,
  primary key (task_id, no)
);
create index measure_task_item_origin on measure_task_item (origin_id);
call zg_by_project('measure_task_item', 'project_code', 'corp_code');

-- 测区: an area of a place that is measured by one rule.
create table measure_area (
  id text primary key,
  task_id text not null references measure_task on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  place_id text not null,
  item_no int not null,
  area_no int not null,
  design_value numeric(10, 2),
  plan_id text,
  pin_x real check (pin_x between 0 and 1),
  pin_y real check (pin_y between 0 and 1),
  foreign key (project_code, place_id) references site_place (project_code, id),
  foreign key (project_code, plan_id) references site_plan (project_code, id) on delete set null (plan_id)
);
create unique index measure_area_of on measure_area (task_id, place_id, item_no, area_no);
create index measure_area_place on measure_area (place_id);
create index measure_area_plan on measure_area (plan_id) where plan_id is not null;
call zg_by_project('measure_area', 'project_code', 'corp_code');

-- 测点. What the views count by stands in the row: 100,000 points of a project are read in one pass.
create table measure_point (
  id text primary key,
  area_id text not null references measure_area on delete cascade,
  task_id text not null references measure_task on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  place_id text not null,
  item_code text not null,
  area_no int not null,
  point_no int not null,
  value numeric(10, 2) not null,
  deviation numeric(10, 2),
  -- Dictionary measurePointResult; null: not judged yet.
  result text check (result in ('1', '2', '3')),
  retest numeric(10, 2),
  retest_result text check (retest_result in ('1', '2', '3')),
  photos text[] not null default '{}',
  measurer text not null,
  instrument_no text,
  at timestamptz not null,
  retest_at timestamptz
);
create index measure_point_project on measure_point (project_code, at desc);
create index measure_point_task on measure_point (task_id);
create index measure_point_area on measure_point (area_id);
create index measure_point_place on measure_point (place_id);
call zg_by_project('measure_point', 'project_code', 'corp_code');

-- Tasks that began with any revision of a rule, counted beyond what the caller sees.
create function zg_measure_rule_uses(p_origin text) returns int language sql stable security definer set search_path = public as $$
  select count(distinct task_id)::int from measure_task_item where origin_id = p_origin
$$;
create function zg_measure_template_uses(p_template text) returns int language sql stable security definer set search_path = public as $$
  select count(*)::int from measure_task where template_id = p_template
$$;
-- The name of the group whose templates these are; asked for templates that the caller sees.
create function zg_measure_owner(p_group text) returns text language sql stable security definer set search_path = public as $$
  select name from tenant where id = p_group
$$;

-- Who may measure on a site: accounts of the site, its owner and its general contractor with the code for it. Names only, for whoever sees the site whole.
create function zg_measure_members(p_project text) returns table (id text, name text, group_id text, group_name text)
language sql stable security definer set search_path = public as $$
  select distinct u.id, u.name, t.id, t.name from tenant t
    join member m on m.group_id = t.id and m.enable = '1' and (m.deadline is null or m.deadline >= (now() at time zone 'Asia/Shanghai')::date)
    join app_user u on u.id = m.user_id and u.enable = '1'
    join member_role mr on mr.member_id = m.id and (mr.deadline is null or mr.deadline >= (now() at time zone 'Asia/Shanghai')::date)
    join role r on r.id = mr.role_id and r.groups_type = t.type and 'inspection.measureRun' = any (r.codes)
  where t.enable = '1'
    and (t.type = 3 and t.code = p_project or t.type = 2 and exists (select 1 from project_corp c where c.project_code = p_project and c.corp_code = t.code
      and c.corp_type in ('008', '009') and c.exit_time is null))
    and (p_project = any (zg_list('app.projects')) and p_project <> all (zg_list('app.limited')) or current_setting('role') not in ('zg_some', 'zg_wide'))
  order by 4, 2
$$;
