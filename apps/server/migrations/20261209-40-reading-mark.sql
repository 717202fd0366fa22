-- A reading is known by its device, its moment and its mark, which stands in seq: of the device's own number and of what was told. Rows from
-- before hold the number alone and stay as they are; no table is written anew.
comment on column telemetry.seq is 'The mark of a reading within its device and moment: the device''s own number modulo 8192 in the bits above 40, 40 bits of what was told below. Other than that: a checksum of a terminal''s position, a point''s number for readings people took, and the bare number in rows from before marks.';
