import type { ObjectType } from '@zhugong/contract/docking/standard'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#kit/db'
import type { Secrets } from '#kit/secret'

/** A source row in the form needed for sending. */
export interface Source {
  sourceId: string
  /** The row's projects: it is sent if one of them is enrolled. */
  projectCodes: string[]
  corpCode: string | null
  /** Records of one lane are sent in order. */
  lane: string
  /** A lane that must have no open records before this one is sent. */
  afterLane: string | null
  /** Display name in lists; people's names are masked. */
  bizName: string
  /** By our field names; fields with prefix `$` are encrypted. */
  values: Record<string, unknown>
  /** For an ended stay: another project has registered the person since. */
  movedOn?: boolean
  /** A person's file whose identity is not verified. */
  unverified?: boolean
  /** Projects with an unconfirmed stay of the person, which may use only what they recorded themselves. */
  unconfirmed?: string[]
}

const masked = (name: RawBuilder<unknown>) => sql`left(${name}, 1) || repeat('*', greatest(length(${name}) - 1, 1))`
const minute = (at: RawBuilder<unknown>) => sql`to_char(${at} at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')`
const papers = sql`'idCardType', w.id_card_type, '$idCardNumber', w.id_card_number`
const column = (name: string) => sql.ref(name)
const workerName = masked(column('w.name'))
/** Real-name state of a person whose identity was verified (`realNameStates`). */
const verified = '1'

/** A passage entered by hand: dictionary attendanceType, 手动考勤. */
const addedType = '014'

/**
 * Passages with the corrections in force applied: gate passages and manual ones, without annulled or held ones, with corrected person,
 * direction and time. Of several corrections, the last approved one applies.
 */
const passagesInForce = (ids: readonly string[]): RawBuilder<unknown> => sql`
  with wanted as materialized (select split_part(k, '/', 1) as project_code, substr(k, strpos(k, '/') + 1) as id from unnest(${ids}::text[]) k)
  select a.project_code, a.id, coalesce(a.worker_id, f.worker_id) as worker_id, a.corp_code, a.team_id, a.terminal_code, a.attend_type, a.channel, a.lng, a.lat,
    coalesce(f.direction, a.direction) as direction, case when a.quarantine is null then a.time else coalesce(f.time, a.time + f.shift) end as time
  from (
    select project_code, id, worker_id, corp_code, team_id, terminal_code, attend_type, channel, lng, lat, direction, quarantine, time from attendance_event
    where (project_code, id) in (select project_code, id from wanted)
    union all
    select e.project_code, e.id, e.worker_id, null, null, null, ${addedType}, null, null, null, e.value ->> 'direction', null, zg_instant(e.value ->> 'time')
    from attendance_correction e where (e.project_code, e.id) in (select project_code, id from wanted) and e.kind = 'add'
      and zg_fix_stands(e.project_code, e.id, e.state)
      -- An id that a gate's passage bears means that passage.
      and not exists (select 1 from attendance_event a where a.project_code = e.project_code and a.id = e.id)) a left join lateral (
    select coalesce(bool_or(c.kind = 'void'), false) as voided, coalesce(bool_or(c.kind = 'release'), false) as released,
      (array_agg(c.worker_id order by c.approved_at desc) filter (where c.kind = 'assign'))[1] as worker_id,
      (array_agg(c.value ->> 'direction' order by c.approved_at desc) filter (where c.kind = 'direction'))[1] as direction,
      (array_agg(zg_instant(c.value ->> 'time') order by c.approved_at desc) filter (where c.kind = 'release'))[1] as time,
      (array_agg(coalesce((c.value ->> 'shiftMs')::float8, 0) * interval '1 millisecond' order by c.approved_at desc) filter (where c.kind = 'release'))[1] as shift
    from attendance_correction c
    where c.project_code = a.project_code and c.state = '2' and zg_fix_stands(c.project_code, c.id, c.state) and (c.value ->> 'target' = a.id
      or (a.quarantine is not null and c.kind = 'release' and c.value ->> 'target' is null and c.value ->> 'gate' = a.terminal_code
        and a.time between zg_instant(c.value ->> 'fromTime') and zg_instant(c.value ->> 'toTime')))) f on true
  where not f.voided and (a.quarantine is null or f.released)`

/** For each object, the statement that reads it by its keys, `ids`. Used only by the sender, which has access to all rows. */
const statements: Readonly<Record<ObjectType, (ids: readonly string[]) => RawBuilder<Source>>> = {
  corporation: (ids) => sql`
    select c.corp_code as source_id, array(select distinct pc.project_code from project_corp pc where pc.corp_code = c.corp_code) as project_codes,
      null as corp_code, 'corp:' || c.corp_code as lane, null as after_lane, c.corp_name as biz_name,
      jsonb_build_object('corpCode', c.corp_code, 'corpName', c.corp_name, 'corpType', c.corp_type, 'areaCode', c.area_code, 'address', c.address,
        'legalMan', c.legal_man, 'regCapital', c.reg_capital, 'establishDate', c.establish_date, 'linkMan', c.link_man) as values
    from corporation c where c.corp_code = any (${ids})`,
  project: (ids) => sql`
    select p.project_code as source_id, array[p.project_code] as project_codes, null as corp_code, 'project:' || p.project_code as lane,
      null as after_lane, p.name as biz_name,
      jsonb_build_object('projectCode', p.project_code, 'name', p.name, 'contractorCorpCode', p.contractor_corp_code, 'category', p.category,
        'areaCode', p.area_code, 'invest', p.invest, 'buildingArea', p.building_area, 'startDate', p.start_date, 'completeDate', p.complete_date,
        'prjStatus', p.prj_status, 'address', p.address, 'lng', p.lng, 'lat', p.lat, 'shortName', p.short_name, 'linkMan', p.link_man) as values
    from project p where p.project_code = any (${ids})`,
  projectCorp: (ids) => sql`
    select pc.id as source_id, array[pc.project_code] as project_codes, pc.corp_code, 'projectCorp:' || pc.id as lane,
      'project:' || pc.project_code as after_lane, c.corp_name as biz_name,
      jsonb_build_object('projectCode', pc.project_code, 'corpCode', pc.corp_code, 'corpName', c.corp_name, 'corpType', pc.corp_type,
        'entryTime', pc.entry_time, 'exitTime', pc.exit_time, 'pmName', pc.pm_name, 'contractNo', pc.contract_no, 'stationed', pc.stationed) as values
    from project_corp pc join corporation c using (corp_code) where pc.id = any (${ids})`,
  team: (ids) => sql`
    select t.id as source_id, array[t.project_code] as project_codes, t.corp_code, 'team:' || t.id as lane, 'project:' || t.project_code as after_lane,
      t.team_name as biz_name,
      jsonb_build_object('projectCode', t.project_code, 'corpCode', t.corp_code, 'teamSysNo', t.team_sys_no, 'teamName', t.team_name,
        'responsiblePersonName', t.responsible_person_name, 'entryTime', t.entry_time, 'exitTime', t.exit_time, 'workType', t.work_type,
        'teamLeaderName', t.team_leader_name) as values
    from team t where t.id = any (${ids})`,
  workerBase: (ids) => sql`
    select w.id as source_id, array(select distinct pw.project_code from project_worker pw where pw.worker_id = w.id and pw.exit_time is null) as project_codes,
      (select pw.corp_code from project_worker pw where pw.worker_id = w.id order by pw.exit_time is null desc, pw.entry_time desc limit 1) as corp_code,
      'worker:' || w.id as lane, null as after_lane, ${workerName} as biz_name,
      jsonb_build_object('name', w.name, ${papers}, 'gender', w.gender, 'nation', w.nation, 'birthday', w.birthday, 'birthPlaceCode', w.birth_place_code,
        '$address', w.address, 'grantOrg', w.grant_org, 'startDate', w.start_date, 'expiryDate', w.expiry_date, '$cellPhone', w.cell_phone,
        'politics', w.politics, 'cultureLevel', w.culture_level, 'urgentLinkMan', w.urgent_link_man, 'degree', w.degree,
        'maritalStatus', w.marital_status) as values,
      array(select pw.project_code from project_worker pw where pw.worker_id = w.id and pw.exit_time is null
        group by pw.project_code having bool_and(pw.confirmed_at is null)) as unconfirmed,
      w.real_name_state <> ${verified} as unverified
    from worker w where w.id = any (${ids}) and not w.deleted`,
  workerCert: (ids) => sql`
    select k.id as source_id, array(select distinct pw.project_code from project_worker pw where pw.worker_id = w.id and pw.exit_time is null
        and pw.confirmed_at is not null) as project_codes,
      (select pw.corp_code from project_worker pw where pw.worker_id = w.id order by pw.exit_time is null desc, pw.entry_time desc limit 1) as corp_code,
      'worker:' || w.id as lane, null as after_lane, ${workerName} || ' ' || k.name as biz_name,
      jsonb_build_object(${papers}, 'certType', k.cert_type, 'name', k.name, 'certNo', k.cert_no, 'issueDate', k.issue_date, 'validEnd', k.valid_end,
        'grantOrg', k.grant_org, 'status', k.status, 'level', k.level) as values
    from worker_cert k join worker w on w.id = k.worker_id where k.id = any (${ids})`,
  projectWorker: (ids) => sql`
    select pw.id as source_id, array[pw.project_code] as project_codes, pw.corp_code, 'worker:' || w.id as lane, 'team:' || pw.team_id as after_lane,
      ${workerName} as biz_name,
      jsonb_build_object('projectCode', pw.project_code, 'corpCode', pw.corp_code, 'teamSysNo', t.team_sys_no, 'workerName', case when pw.confirmed_at is null then pw.worker_name else w.name end, ${papers},
        'isTeamLeader', pw.is_team_leader, 'workRole', pw.work_role, 'workType', coalesce(pw.work_type, t.work_type), '$cellPhone', case when pw.confirmed_at is not null then w.cell_phone end,
        'hasContract', pw.has_contract, 'hasBuyInsurance', pw.has_buy_insurance, 'post', pw.post,
        'entryTime', ${minute(column('pw.entry_time'))}, 'exitTime', ${minute(column('pw.exit_time'))}) as values,
      exists (select 1 from project_worker n where n.worker_id = pw.worker_id and n.id <> pw.id and n.entry_time >= pw.exit_time) as moved_on
    from project_worker pw join worker w on w.id = pw.worker_id left join team t on t.id = pw.team_id where pw.id = any (${ids})`,
  entryExitHistory: (ids) => sql`
    select h.id as source_id, array[h.project_code] as project_codes, h.corp_code, 'worker:' || w.id as lane, null as after_lane,
      ${workerName} || ' ' || to_char(h.date at time zone 'Asia/Shanghai', 'MM-DD') || case h.type when '1' then ' 进场' else ' 退场' end as biz_name,
      jsonb_build_object('projectCode', h.project_code, 'corpCode', h.corp_code, ${papers}, 'type', h.type, 'date', ${minute(column('h.date'))}) as values
    from entry_exit_history h join worker w on w.id = h.worker_id where h.id = any (${ids})`,
  workerContract: (ids) => sql`
    select k.id as source_id, array[k.project_code] as project_codes, k.corp_code, 'worker:' || w.id as lane, null as after_lane,
      ${workerName} || ' ' || k.contract_code as biz_name,
      jsonb_build_object('projectCode', k.project_code, 'corpCode', k.corp_code, ${papers}, 'contractCode', k.contract_code,
        'contractPeriodType', k.contract_period_type, 'startDate', k.start_date, 'endDate', coalesce(k.terminate_date, k.end_date), 'paymentType', k.payment_type,
        'signDate', k.sign_date, 'terminateReason', k.terminate_reason) as values
    from worker_contract k join worker w on w.id = k.worker_id where k.id = any (${ids})`,
  training: (ids) => sql`
    select k.id as source_id, array[k.project_code] as project_codes, k.corp_code, 'worker:' || w.id as lane, null as after_lane,
      ${workerName} || ' ' || to_char(k.train_date, 'MM-DD') || ' 培训' as biz_name,
      jsonb_build_object('projectCode', k.project_code, ${papers}, 'trainingType', k.training_type, 'trainDate', k.train_date, 'hours', k.hours,
        'trainer', k.trainer, 'passed', k.passed) as values
    from worker_training k join worker w on w.id = k.worker_id where k.id = any (${ids})`,
  attendanceRecord: (ids) => sql`
    select e.project_code || '/' || e.id as source_id, array[e.project_code] as project_codes, coalesce(e.corp_code, s.corp_code) as corp_code,
      'worker:' || w.id as lane, null as after_lane,
      ${workerName} || ' ' || to_char(e.time at time zone 'Asia/Shanghai', 'MM-DD HH24:MI') || case e.direction when '01' then ' 入场' when '02' then ' 出场' else '' end as biz_name,
      jsonb_build_object('projectCode', e.project_code, 'teamSysNo', t.team_sys_no, ${papers}, 'time', ${minute(column('e.time'))}, 'direction', e.direction,
        'attendType', e.attend_type, 'channel', e.channel, 'lng', e.lng, 'lat', e.lat, 'corpCode', coalesce(e.corp_code, s.corp_code),
        'terminalCode', e.terminal_code) as values
    from (${passagesInForce(ids)}) e join worker w on w.id = e.worker_id
      -- Whoever was not known when he passed has the unit of the stay he passed in, or of the one that began after it.
      left join lateral (select pw.corp_code, pw.team_id from project_worker pw
        where e.team_id is null and pw.project_code = e.project_code and pw.worker_id = e.worker_id and (pw.exit_time is null or pw.exit_time >= e.time)
        order by pw.entry_time limit 1) s on true
      left join team t on t.id = coalesce(e.team_id, s.team_id)`,
  workerBad: (ids) => sql`
    select b.id as source_id, array[b.project_code] as project_codes, b.corp_code, 'worker:' || w.id as lane, null as after_lane,
      ${workerName} || ' ' || to_char(b.occurrence_date, 'MM-DD') as biz_name,
      jsonb_build_object('projectCode', b.project_code, 'corpCode', b.corp_code, ${papers}, 'badRecordType', b.bad_record_type,
        'badRecordLevel', b.bad_record_level, 'occurrenceDate', b.occurrence_date, 'reason', b.reason) as values
    from worker_bad b join worker w on w.id = b.worker_id where b.id = any (${ids})`,
  laborBlack: (ids) => sql`
    select b.id as source_id, array_remove(array[b.source_project], null) as project_codes, null as corp_code, coalesce('worker:' || w.id, 'black:' || b.id) as lane,
      null as after_lane, ${masked(column('b.name'))} as biz_name,
      jsonb_build_object('name', b.name, 'idCardType', b.id_card_type, '$idCardNumber', b.id_card_number, 'reasonType', b.reason_type,
        'occurrenceDate', b.occurrence_date, 'startDate', b.start_date, 'endDate', b.end_date) as values
    from black_entry b left join worker w on w.id_card_type = b.id_card_type and w.id_card_hash = b.id_card_hash and not w.deleted
    where b.id = any (${ids}) and b.kind = 'worker' and b.state in ('2', '4', '5')`,
}

/** The existing rows with these keys. */
export async function findSources(db: Db | Tx, type: ObjectType, ids: readonly string[]): Promise<Map<string, Source>> {
  if (ids.length === 0) return new Map()
  const { rows } = await statements[type]([...new Set(ids)]).execute(db)
  return new Map(rows.map((row) => [row.sourceId, row]))
}

/** Values in clear: encrypted ones are decrypted and lose their prefix. */
export function openValues(values: Record<string, unknown>, secrets: Secrets): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) =>
      name.startsWith('$')
        ? [name.slice(1), typeof value === 'string' ? secrets.open(Buffer.from(value.slice(2), 'hex')) : null]
        : [name, value],
    ),
  )
}

/** All data of a newly enrolled project; passages before the enrolment are not included. */
export const everythingOf = (projectCode: string): readonly RawBuilder<unknown>[] =>
  Object.entries({
    corporation: sql`select corp_code as key from project_corp where project_code = ${projectCode}`,
    project: sql`select project_code as key from project where project_code = ${projectCode}`,
    projectCorp: sql`select id as key from project_corp where project_code = ${projectCode}`,
    team: sql`select id as key from team where project_code = ${projectCode} and exit_time is null`,
    workerBase: sql`select worker_id as key from project_worker where project_code = ${projectCode} and exit_time is null`,
    workerCert: sql`select c.id as key from worker_cert c join project_worker pw using (worker_id) where pw.project_code = ${projectCode} and pw.exit_time is null`,
    projectWorker: sql`select id as key from project_worker where project_code = ${projectCode} and exit_time is null`,
    workerContract: sql`select id as key from worker_contract where project_code = ${projectCode} and terminate_date is null`,
  }).map(([type, keys]) => sql`insert into docking_outbox (object_type, source_id, op) select ${type}, key, '1' from (${keys}) k`)

/** Queues a project's rows already sent on a connection, because changes and deletions before the enrolment were not recorded. */
export const keptAbove = (platformId: string, projectCode: string): RawBuilder<unknown> => sql`
  insert into docking_outbox (object_type, source_id, op)
    select distinct object_type, source_id, '2' from docking_record
    where platform_id = ${platformId} and project_code = ${projectCode} and upload_status in ('1', '3') and object_type = any (${mayHaveChanged})`
const mayHaveChanged = [
  'projectCorp',
  'team',
  'workerBase',
  'workerCert',
  'projectWorker',
  'workerContract',
  'training',
  'workerBad',
] satisfies ObjectType[]
