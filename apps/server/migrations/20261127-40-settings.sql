-- What an account keeps of its own: what secures it, what reaches it, whose file it is.

-- On which device somebody logged in, as the browser names it.
alter table session add column agent text not null default '';

alter table app_user
  -- A second factor that was shown and not confirmed yet.
  add column otp_pending bytea,
  -- Keyed hashes of the codes that stand in for a lost device; each opens once.
  add column recovery_codes text[] not null default '{}',
  -- The person's own file, tied by himself.
  add column worker_id text references worker on delete set null,
  -- What reaches him over which channel, and how his pages begin.
  add column preferences jsonb not null default '{}';
create unique index app_user_worker on app_user (worker_id) where worker_id is not null;

-- A code sent to somebody's phone or mailbox; by what it is for and whom it is for. The login's own business: no request role reaches it.
create table one_time_code (
  purpose text not null,
  subject text not null,
  code_hash text not null,
  tries int not null default 0,
  expires_at timestamptz not null,
  primary key (purpose, subject)
);
call zg_serve('one_time_code');
