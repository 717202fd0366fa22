-- Sessions are planned, called off, and made from a proposal; people sign in, and repeat what they failed.
alter table training
  add column cancelled_at timestamptz,
  add column cancelled_by text,
  add column cancel_reason text,
  -- What proposed it: a holiday, a dangerous work, the yearly repetition.
  add column source_key text;

alter table worker_training
  add column sign_way text check (sign_way in ('gate', 'card', 'list')),
  add column retest_at date,
  add column retest_score numeric(5,1),
  add column retest_by text;
create index worker_training_signed on worker_training (worker_id, signed_at) where signed_at is not null;
