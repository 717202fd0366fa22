-- What the people's lists need to stay quick at a million stays, training and hand-entered careers, and the copies kept right.

-- Head counts by unit and team, and of a whole database, from the index alone: the policies read nothing but these columns.
create index project_worker_present on project_worker (project_code, corp_code, team_id) where exit_time is null;
create index project_worker_every on project_worker (project_code, corp_code);
-- The list over all projects is read from its end, never sorted.
create index project_worker_recent on project_worker (entry_time desc, id desc);
create index project_worker_id_card on project_worker (id_card_hash);
create index project_worker_phone on project_worker (cell_phone_hash);
create index project_worker_wage_card on project_worker (pay_roll_bank_card_hash) where pay_roll_bank_card_hash is not null;
create index worker_recent on worker (create_time desc, id desc) where not deleted;
create index project_team_team on project_team (team_id);

-- One training of one stay. 003002, or all of 003101 to 003103, sets entry_trained.
create table worker_training (
  id text primary key,
  project_code text not null references project,
  corp_code text not null,
  worker_id text not null references worker,
  project_worker_id text not null references project_worker on delete cascade,
  training_type text not null,
  train_date date not null,
  hours numeric(5,1) not null,
  score numeric(5,1),
  passed boolean not null,
  trainer text,
  create_time timestamptz not null default now(),
  create_by text
);
create index worker_training_stay on worker_training (project_worker_id);
call zg_by_project('worker_training', 'project_code', 'corp_code');

-- Careers before or beside the platform, as the person tells them.
create table worker_resume (
  id text primary key,
  worker_id text not null references worker,
  project_name text not null,
  corp_name text not null,
  team_name text,
  work_type text not null,
  entry_time date not null,
  exit_time date,
  evaluate text,
  create_time timestamptz not null default now(),
  create_by text
);
create index worker_resume_worker on worker_resume (worker_id);
call zg_by_parent('worker_resume', 'worker_id', 'worker');

-- A team that moved on keeps its name on the projects where it once stood.
create policy stayed_here on team for select to zg_some, zg_wide using (
  exists (select 1 from project_team pt where pt.team_id = team.id));

-- Stays carry copies of the person's list fields. Whoever corrects the person may not see every stay, so the copies follow here.
create function zg_copy_worker() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update project_worker set worker_name = new.name, gender = new.gender, birthday = new.birthday, id_card_mask = new.id_card_mask,
    id_card_hash = new.id_card_hash, cell_phone_mask = new.cell_phone_mask, cell_phone_hash = new.cell_phone_hash
  where worker_id = new.id;
  return null;
end $$;
create trigger worker_copies after update of name, gender, birthday, id_card_mask, id_card_hash, cell_phone_mask, cell_phone_hash
  on worker for each row execute function zg_copy_worker();
