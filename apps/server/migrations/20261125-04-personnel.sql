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
