-- A meter changed together with its transformers: what it counted until then was multiplied by the ratio of then. The device's file has the ratio of now.
alter table meter_entry add column prev_ratio double precision check (prev_ratio >= 1);
alter table meter_entry add column next_ratio double precision check (next_ratio >= 1);
alter table meter_entry add constraint meter_entry_ratio check ((prev_ratio is null) = (next_ratio is null) and (next_ratio is null or kind = 'change'));
