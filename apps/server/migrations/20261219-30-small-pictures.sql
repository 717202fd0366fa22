-- The small picture that came with a photograph, for lists. It stands beside the file in the upload folder and is never evidence.
alter table stored_file add column small_sha256 text;
create index stored_file_small on stored_file (small_sha256) where small_sha256 is not null;
