-- What was known of a person while the project had him: whoever employs him next changes his file, and that is not the former project's to hand up.
-- Values by our names; what is personal is sealed as in the file itself.
alter table docking_record add column known jsonb;
