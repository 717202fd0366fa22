-- Display tokens are followed by another before they end: the wall asks for it, and the old one is good until the new one has been seen, so
-- that an answer that is lost loses no wall. Whoever issued a link stands for it; without him it ends on its day.
alter table screen_token
  add column issuer_id text references app_user on delete set null,
  add column issuer_group_id text references tenant on delete set null,
  -- Told to the wall, and not seen yet.
  add column next_hash text unique,
  add column next_expires_at timestamptz,
  -- What it was before: good for as long as requests are under way, and named when it comes later.
  add column last_hash text,
  add column renewed_at timestamptz,
  -- Why it is not followed by another.
  add column ends_because text,
  add check ((next_hash is null) = (next_expires_at is null));
create index screen_token_last on screen_token (last_hash) where last_hash is not null;
