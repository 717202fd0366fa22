-- Failures are counted by account and address: who guesses from elsewhere locks himself out and not the owner. The row of address `*` counts
-- all strangers together, so that many addresses are worth little more than one. Account names are counted whether they exist or not.
-- login_failure stays until no process of the version before runs beside this one.
create table login_try (
  account text not null,
  address text not null,
  failures int not null,
  last_at timestamptz not null,
  locked_until timestamptz,
  primary key (account, address)
);
create index login_try_age on login_try (last_at);

-- From where an account has come in before: there nobody else's failures keep it out.
create table known_address (
  account text not null,
  address text not null,
  last_at timestamptz not null,
  primary key (account, address)
);

-- The login's own business: no request role reaches them.
revoke all on login_try, known_address from public;
