-- Proofs of a person's career as they were issued: what is printed is what is kept, so that anybody who holds the paper can hold it against
-- this. Of the person and of no group; whoever checks asks by its number, which nobody guesses.
create table career_proof (
  id text primary key,
  number text not null unique,
  worker_id text not null references worker,
  user_id text not null,
  -- {name, stays, trainings}; the name masked already.
  content jsonb not null,
  digest text not null,
  issued_at timestamptz not null
);
create index career_proof_own on career_proof (worker_id, issued_at desc);
call zg_open('career_proof');

create function zg_proofs_follow() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update career_proof set worker_id = new.merged_into where worker_id = new.id;
  return null;
end $$;
create trigger proofs_follow after update of merged_into on worker for each row when (new.merged_into is not null) execute function zg_proofs_follow();
