-- When the phone number of a person's file was last written. It is written by whoever has the person in place, so it proves nothing about
-- stays that began afterwards: a former employer could have left a number of his own there.
alter table worker add column phone_written_at timestamptz;

create function worker_phone_written() returns trigger language plpgsql as $$
begin
  new.phone_written_at := case when new.cell_phone_hash is null then null else clock_timestamp() end;
  return new;
end $$;

-- "update of" fires when the column is written, also with the number it had: whoever enters it again confirms it.
create trigger phone_written before insert or update of cell_phone_hash on worker for each row execute function worker_phone_written();
