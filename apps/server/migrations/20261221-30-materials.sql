-- 物资: batches of materials from delivery to use or exit.
create table material_batch (
  id text primary key,
  project_code text not null references project on delete cascade,
  -- The company that receives it.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  category text not null,
  name text not null,
  spec text not null,
  brand text,
  supplier text not null,
  batch_no text,
  quantity numeric(14, 3) not null check (quantity > 0),
  used_quantity numeric(14, 3) not null default 0,
  unit text not null,
  arrive_time timestamptz not null,
  plate_no text,
  use_part text,
  cert_files text[] not null,
  photos text[] not null default '{}',
  need_retest boolean not null,
  -- Sets of samples that it needs by the rule at its arrival.
  samples_due int not null,
  samples_taken int not null default 0,
  -- Thousandths of deviation that were accepted at its arrival.
  tolerance int not null,
  -- Weighed against delivered, in thousandths; null without tickets.
  deviation float8,
  sent_at timestamptz,
  lab_org text,
  report_no text,
  retest_passed boolean,
  checked_by text,
  -- A failed spot check forbids its use.
  blocked_by text,
  blocked_reason text,
  exit_at timestamptz,
  receiver_id text not null,
  receiver_name text not null,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now(),
  constraint material_batch_used check (used_quantity <= quantity)
);
create index material_batch_project on material_batch (project_code, arrive_time desc);
create index material_batch_no on material_batch (project_code, batch_no);
call zg_by_project('material_batch', 'project_code', 'corp_code');
call zg_until_shown('material_batch');

-- What happened to a batch, in time. Rows are only added: a correction is a further row.
create table material_event (
  id text primary key,
  batch_id text not null references material_batch on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  action text not null,
  at timestamptz not null,
  quantity numeric(14, 3),
  part text,
  place_id text,
  plan_id text,
  pin_x float8,
  pin_y float8,
  team text,
  sample_no text,
  report_no text,
  weigh_id text,
  result text,
  note text,
  files text[] not null default '{}',
  by_id text not null,
  by_name text not null,
  group_name text not null
);
create unique index material_event_seq on material_event (batch_id, seq);
create index material_event_project on material_event (project_code, at desc);
create index material_event_place on material_event (place_id) where place_id is not null;
-- A seal is used once on a site.
create unique index material_event_sample on material_event (project_code, sample_no) where action = 'sample';
call zg_by_project('material_event', 'project_code', 'corp_code');
call zg_until_shown('material_event');

revoke update, delete on material_event from zg_some, zg_wide, zg_all;

-- Tickets of the weighbridge that belong to a batch, as weighed when they were linked.
create table material_weigh (
  -- Device, time and mark of the record.
  weigh_id text primary key,
  batch_id text not null references material_batch on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  direction text not null check (direction in ('in', 'out')),
  bill_no text not null,
  plate_no text not null,
  weighed_at timestamptz not null,
  gross float8,
  tare float8,
  net float8,
  actual float8,
  bill float8
);
create index material_weigh_batch on material_weigh (batch_id);
call zg_by_project('material_weigh', 'project_code', 'corp_code');
call zg_until_shown('material_weigh');

-- Rules of sampling and weighing that a site has set; others are the usual ones.
create table material_rule (
  project_code text not null references project on delete cascade,
  category text not null,
  need_retest boolean not null,
  per_quantity float8,
  unit text,
  tolerance int not null,
  update_by text not null,
  update_time timestamptz not null default now(),
  primary key (project_code, category)
);
call zg_by_project('material_rule');

-- How much of a material the works need.
create table material_plan (
  project_code text not null references project on delete cascade,
  category text not null,
  name text not null,
  spec text not null,
  unit text not null,
  planned numeric(14, 3) not null check (planned > 0),
  update_by text not null,
  update_time timestamptz not null default now(),
  primary key (project_code, name, spec, unit)
);
call zg_by_project('material_plan');
