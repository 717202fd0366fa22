-- The piles a site has to make, as designed; what a rig recorded of them stays with the rig.
create table pile (
  id text primary key,
  project_code text not null references project on delete cascade,
  pile_no text not null check (length(pile_no) between 1 and 40),
  kind text not null check (kind in ('bored', 'precast', 'static', 'mixing')),
  axis text,
  -- mm, m, m.
  diameter int check (diameter between 100 and 5000),
  design_length real not null check (design_length between 1 and 150),
  design_depth real check (design_depth between 1 and 150),
  concrete text,
  planned_on date,
  -- Of a pile that no rig told of: the day its site says it was made.
  made_on date,
  -- What a person decided last; every decision stands in pile_verdict.
  verdict text check (verdict in ('1', '2', '0')),
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz,
  version int not null default 0
);
create unique index pile_no_once on pile (project_code, lower(pile_no));
call zg_by_project('pile');

-- A recorded pile that a person laid to an entry of the register, where its number did not tell.
create table pile_run (
  device_id text not null references device on delete cascade,
  ts timestamptz not null,
  record_id text not null,
  project_code text not null references project on delete cascade,
  pile_id text not null references pile on delete cascade,
  reason text not null,
  by_name text not null,
  at timestamptz not null,
  primary key (device_id, ts, record_id)
);
create index pile_run_of on pile_run (pile_id);
call zg_by_project('pile_run');

-- What people decided of a pile, and what its data and tests proposed then. Added to only.
create table pile_verdict (
  id text primary key,
  project_code text not null references project on delete cascade,
  pile_id text not null references pile on delete cascade,
  verdict text not null check (verdict in ('1', '2', '0')),
  proposed text check (proposed in ('1', '2', '0')),
  grounds text[] not null default '{}',
  reason text not null check (length(reason) > 0),
  by_name text not null,
  by_group text not null,
  at timestamptz not null
);
create index pile_verdict_of on pile_verdict (pile_id, at desc);
call zg_by_project('pile_verdict');

-- Tests of a pile: integrity by low strain, bearing by static load. The newest of a kind counts, those before it stay.
create table pile_test (
  id text primary key,
  project_code text not null references project on delete cascade,
  pile_id text not null references pile on delete cascade,
  kind text not null check (kind in ('lowStrain', 'staticLoad')),
  tested_on date not null,
  -- Low strain: class I to IV, wave speed in m/s.
  integrity text check (integrity in ('1', '2', '3', '4')),
  wave_speed int check (wave_speed between 1000 and 8000),
  -- Static load: kN, mm, and the steps [[kN, mm], ...].
  max_load real check (max_load between 1 and 100000),
  settlement real check (settlement between 0 and 500),
  steps jsonb not null default '[]',
  is_passed boolean,
  tester text not null,
  report_no text,
  note text,
  create_by text not null,
  create_time timestamptz not null,
  check ((kind = 'lowStrain') = (integrity is not null)),
  check ((kind = 'staticLoad') = (max_load is not null and settlement is not null and is_passed is not null))
);
create index pile_test_of on pile_test (pile_id, tested_on desc);
call zg_by_project('pile_test');

-- Recorded piles with the entry they belong to: laid there by a person, or by the number the rig wrote down.
create view pile_run_now with (security_invoker = true) as
  select a.pile_id, r.project_code, r.device_id, r.ts, r.id, r.data, a.by_name as assigned_by, a.reason as assigned_reason
  from pile_run a join record_now r on r.device_id = a.device_id and r.ts = a.ts and r.id = a.record_id
  union all
  select g.id, r.project_code, r.device_id, r.ts, r.id, r.data, null, null
  from record_now r join pile g on g.project_code = r.project_code and lower(g.pile_no) = lower(r.data ->> 'pileNo')
  where r.record = 'pileRecord'
    and not exists (select 1 from pile_run a where a.device_id = r.device_id and a.ts = r.ts and a.record_id = r.id);
grant select on pile_run_now to zg_some, zg_wide, zg_all;
