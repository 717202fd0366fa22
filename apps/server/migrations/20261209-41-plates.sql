-- Number plates in one spelling: in half width and upper case, without dots, dashes, blanks and what the eye does not see. What a device said
-- stays beside it.
create or replace function pg_temp.one_spelling(plate text) returns text language sql immutable as
$$ select upper(regexp_replace(normalize(plate, nfkc), '[\s·•‧・∙⋅.。_‐‑–—\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF-]', '', 'g')) $$;

-- Two spellings of one vehicle in one list: the entry that holds longer stays, of equals the newer.
delete from vehicle_registry g using (
  select id, row_number() over (partition by project_code, kind, pg_temp.one_spelling(plate_no)
    order by until_day desc nulls first, create_time desc, id desc) as n
  from vehicle_registry) d
where d.id = g.id and d.n > 1;
update vehicle_registry set plate_no = pg_temp.one_spelling(plate_no) where plate_no <> pg_temp.one_spelling(plate_no);

update device set params = jsonb_set(params, '{plateNo}', to_jsonb(pg_temp.one_spelling(params ->> 'plateNo')))
where jsonb_typeof(params -> 'plateNo') = 'string' and params ->> 'plateNo' <> pg_temp.one_spelling(params ->> 'plateNo');

update record_fix set fields = jsonb_set(fields, '{plateNo}', to_jsonb(pg_temp.one_spelling(fields ->> 'plateNo')))
where jsonb_typeof(fields -> 'plateNo') = 'string' and fields ->> 'plateNo' <> pg_temp.one_spelling(fields ->> 'plateNo');

-- Few rows: most devices leave the dot out.
update device_record set data = data || jsonb_build_object('plateNo', pg_temp.one_spelling(data ->> 'plateNo'), 'plateRaw', data ->> 'plateNo')
where record in ('accessRecord', 'weighRecord') and jsonb_typeof(data -> 'plateNo') = 'string' and data ->> 'plateNo' <> pg_temp.one_spelling(data ->> 'plateNo');
