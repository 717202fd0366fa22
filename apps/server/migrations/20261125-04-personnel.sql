-- Papers that run out, and what was done about it: reminded, or left for a reason. One thing to be done is a paper with its last day
-- (cert:<id>:<day>), a licence that a trade lacks (missing:<trade>) or the identity card with its last day (idCard:<day>): a renewed paper
-- is another thing, and nobody stays silenced by what was said of the old one.
create table cert_notice (
  id text primary key,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  project_worker_id text not null references project_worker on delete cascade,
  subject text not null,
  kind text not null check (kind in ('remind', 'ignore')),
  reason text not null default '',
  create_time timestamptz not null,
  create_by text not null,
  create_name text not null
);
create index cert_notice_subject on cert_notice (project_worker_id, subject, create_time);
call zg_by_project('cert_notice', 'project_code', 'corp_code');
create index worker_expiry on worker (expiry_date) where not deleted and expiry_date is not null;
-- The list of certificates over all projects is read from its end, never sorted.
create index worker_cert_recent on worker_cert (create_time desc, id desc);
create index worker_cert_waiting on worker_cert (create_time) where audit_status = '0';
-- Who left when, over all projects.
create index project_worker_left on project_worker (exit_time desc) where exit_time is not null;
create index entry_exit_recent on entry_exit_history (date desc, id desc);

-- A session of training: one place and time, one trainer, many people. Whoever takes part is a row of worker_training, whose session it
-- then names; what was written down for one person alone has none.
create table training (
  id text primary key,
  project_code text not null references project,
  -- The unit that holds it.
  corp_code text not null,
  training_type text not null,
  name text not null,
  trainer text not null,
  start_time timestamptz not null,
  -- Hours.
  duration numeric(5,1) not null check (duration between 0.5 and 72),
  address text,
  content text not null,
  files jsonb not null default '[]',
  -- Marks are in; what is changed later is kept beside what it was.
  closed_at timestamptz,
  closed_by text,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0
);
create index training_list on training (project_code, start_time desc, id desc);
call zg_by_project('training', 'project_code', 'corp_code');

alter table worker_training
  add column training_id text references training on delete cascade,
  -- Of the session: whoever may see the person's training may not see the session of another unit.
  add column name text,
  add column signed_at timestamptz,
  -- [{time, by, from: {score, passed}, to: {score, passed}}] after the session was closed.
  add column changes jsonb not null default '[]',
  -- Null: called to a session whose marks are not in yet.
  alter column passed drop not null;
create unique index worker_training_once on worker_training (training_id, project_worker_id) where training_id is not null;
create index worker_training_person on worker_training (worker_id, train_date desc);

-- A file that was dissolved into another: its number stays, so that whoever shows it is told where the file is; everything else has gone over.
alter table worker add column merged_into text references worker;
create index worker_merged on worker (id_card_hash) where merged_into is not null;
-- A number of a file that went is taken: its owner has a file.
drop index worker_id_card;
create unique index worker_id_card on worker (id_card_type, id_card_hash) where not deleted or merged_into is not null;
