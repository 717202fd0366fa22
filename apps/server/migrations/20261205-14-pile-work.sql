-- Which pile a rig is at, from when until when, as people say; and what went wrong there.
create table pile_work (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  pile_id text not null references pile on delete cascade,
  started_at timestamptz not null,
  by_name text not null,
  ended_at timestamptz,
  ended_by text,
  -- How deep the rig was then, m.
  end_depth double precision,
  end_note text not null default '',
  check (ended_at is null or ended_at > started_at)
);
create unique index pile_work_rig on pile_work (device_id) where ended_at is null;
create unique index pile_work_pile on pile_work (pile_id) where ended_at is null;
create index pile_work_device on pile_work (device_id, started_at desc);
create index pile_work_of on pile_work (pile_id, started_at desc);
create index pile_work_project on pile_work (project_code, started_at desc);
call zg_by_project('pile_work');

create table pile_trouble (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  pile_id text references pile on delete cascade,
  at timestamptz not null,
  kind text not null check (kind in ('obstacle', 'stop', 'collapse', 'grout', 'machine', 'other')),
  depth double precision,
  text text not null,
  files text[] not null default '{}',
  by_name text not null
);
create index pile_trouble_device on pile_trouble (device_id, at desc);
create index pile_trouble_of on pile_trouble (pile_id, at desc);
create index pile_trouble_project on pile_trouble (project_code, at desc);
call zg_by_project('pile_trouble');

-- Recorded piles with the entry they belong to: laid there by a person, by the number the rig wrote down, or, where it wrote none, because
-- the rig was at that pile then. A record comes a few minutes after the pile was ended.
create or replace view pile_run_now with (security_invoker = true) as
  select a.pile_id, r.project_code, r.device_id, r.ts, r.id, r.data, a.by_name as assigned_by, a.reason as assigned_reason
  from pile_run a join record_now r on r.device_id = a.device_id and r.ts = a.ts and r.id = a.record_id
  union all
  select g.id, r.project_code, r.device_id, r.ts, r.id, r.data, null, null
  from record_now r join pile g on g.project_code = r.project_code and lower(g.pile_no) = lower(r.data ->> 'pileNo')
  where r.record = 'pileRecord'
    and not exists (select 1 from pile_run a where a.device_id = r.device_id and a.ts = r.ts and a.record_id = r.id)
  union all
  select w.pile_id, r.project_code, r.device_id, r.ts, r.id, r.data, w.by_name, '登记开始成桩'
  from pile_work w join record_now r on r.device_id = w.device_id and r.project_code = w.project_code and r.ts >= w.started_at
    and r.ts <= coalesce(w.ended_at + interval '10 minutes', 'infinity')
  where r.record = 'pileRecord' and coalesce(r.data ->> 'pileNo', '') = ''
    and not exists (select 1 from pile_work later where later.device_id = w.device_id and later.started_at > w.started_at and later.started_at <= r.ts)
    and not exists (select 1 from pile_run a where a.device_id = r.device_id and a.ts = r.ts and a.record_id = r.id);
