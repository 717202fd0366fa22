-- What a person asks for, or says against what the platform holds of him: about a row of his own records, unpaid wages, a bad record, his
-- identity card, or all of it. Decided over by the workflow engine; of the person's file, never of his group.
create table person_request (
  id text primary key,
  kind text not null check (kind in ('recordDispute', 'wageComplaint', 'badAppeal', 'idRenewal', 'dataErasure')),
  -- The account that asked.
  user_id text not null,
  worker_id text not null references worker,
  -- Of the stay it is about; null: asked of the platform.
  project_code text references project,
  corp_code text references corporation,
  -- The row it is about, and what that row said when it was asked: the row may change meanwhile.
  subject text check (subject in ('stay', 'attendance', 'training', 'bad')),
  subject_id text,
  about text not null,
  reason text not null,
  files jsonb not null default '[]',
  from_month text, to_month text, amount_cents bigint check (amount_cents > 0),
  start_date date, expiry_date date, grant_org text, front_image text, back_image text,
  -- Dictionary approvalState.
  state text not null default '1' check (state in ('1', '2', '3', '4')),
  opinion text, decided_name text, decide_time timestamptz,
  create_time timestamptz not null,
  version int not null default 0,
  check ((kind = 'dataErasure') = (project_code is null))
);
-- One thing is asked once at a time.
create unique index person_request_waits on person_request (worker_id, kind, coalesce(subject_id, '')) where state = '1';
create index person_request_own on person_request (worker_id, create_time desc, id desc);
create index person_request_project on person_request (project_code, kind);
call zg_by_project('person_request', 'project_code', 'corp_code');

-- A file that is dissolved into another takes what its person asked for along.
create function zg_requests_follow() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update person_request set worker_id = new.merged_into where worker_id = new.id;
  return null;
end $$;
create trigger requests_follow after update of merged_into on worker for each row when (new.merged_into is not null) execute function zg_requests_follow();

-- Whoever confirmed a bad record does not judge the objection to it; one that is taken back counts no longer than the day before.
alter table worker_bad
  add column audited_by text,
  add column audited_name text,
  add column revoked_at timestamptz;
