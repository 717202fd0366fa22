import { ageOn, normalizeIdCard } from '@zhugong/contract/kit/checks'
import { emptyOption } from '@zhugong/contract/kit/fields'
import { normalPhone } from '@zhugong/contract/kit/normal'
import { type FileRow, fileRow } from '@zhugong/contract/personnel/people-rows'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, inAreas, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { incompleteOf, type WorkerFile } from './conditions.ts'
import { nativePlace } from './native-place.ts'
import { ages, cursor, type FileQuery, type ListScope, turned, type WorkerFilters } from './people-filters.ts'

type RawFile = WorkerFile & {
  id: string
  birthPlaceCode: string | null
  workCorpName: string | null
  createTime: Date
  badCount: number
  projects: { projectCode: string; projectName: string; stayId: string }[] | null
  /** False for a former owner: the row then shows what the last stay recorded. */
  held: boolean
  stayName: string | null
  stayIdCardMask: string | null
  stayPhoneMask: string | null
}

/** Columns and join that distinguish rows of a former owner from those of a current one. */
const holdColumns = (ctx: ListScope) =>
  ctx.scope.all
    ? sql`true as held, null as stay_name, null as stay_id_card_mask, null as stay_phone_mask`
    : sql`zg_holds_worker(p.id) as held, last.worker_name as stay_name, last.id_card_mask as stay_id_card_mask, last.cell_phone_mask as stay_phone_mask`
const holdJoin = (ctx: ListScope) =>
  ctx.scope.all
    ? sql``
    : sql`left join lateral (select s.worker_name, s.id_card_mask, s.cell_phone_mask from project_worker s
        where s.worker_id = p.id order by s.exit_time is null desc, s.exit_time desc limit 1) last on true`

/** Files are visible through stays. A group also sees the files it created and no other group has taken over. The platform sees all. */
function fileScope(ctx: ListScope): Condition[] {
  const projects = projectsFor(ctx)
  if (!projects) return []
  return [
    condition(sql`(p.id in (select w.worker_id from project_worker w where w.project_code = any (${[...projects]}))
      or (p.owner_group = (select zg_setting('app.group')) and zg_is_free(p.id)))`),
  ]
}
/** Matches a file by its number, or by the number of a file merged into it. */
function fileNumber(ctx: ListScope, number: string | undefined): Condition[] {
  if (!number) return []
  const hash = ctx.secrets.blindIndex('id-card', normalizeIdCard(number))
  return [
    condition(
      sql`(p.id_card_hash = ${hash} or p.id in (select m.merged_into from worker m where m.id_card_hash = ${hash} and m.merged_into is not null))`,
    ),
  ]
}
/**
 * Matches by the phone of a visible stay, or of the file if there is no stay. So an earlier project cannot find a person by a later
 * number.
 */
function filePhone(ctx: ListScope, phone: string): Condition[] {
  const hash = ctx.secrets.blindIndex('phone', normalPhone(phone))
  return [
    condition(sql`p.id in (select s.worker_id from project_worker s where s.cell_phone_hash = ${hash}
      union all select x.id from worker x where x.cell_phone_hash = ${hash} and not exists (select 1 from project_worker s where s.worker_id = x.id))`),
  ]
}
const incompleteSql = sql`(p.nation is null or p.address is null or p.grant_org is null or p.start_date is null or p.expiry_date is null
  or p.head_image is null or p.cell_phone is null or p.culture_level is null or p.work_type_code is null or p.urgent_link_man is null
  or p.urgent_link_man_phone is null or p.has_bad_medical_history is null or not p.consents @> '[{"kind":"personal","state":"同意"}]')`

function fileConditions(ctx: ListScope, query: WorkerFilters): Condition {
  const today = formatDay(ctx.clock.now())
  const plain = query.q?.replace(/\s/g, '') ?? ''
  const q = !query.q
    ? []
    : /^1\d{10}$/.test(plain)
      ? filePhone(ctx, plain)
      : /^[A-Za-z0-9]{8,18}$/.test(plain)
        ? fileNumber(ctx, plain)
        : contains('p.name', query.q)
  const one = query.projectCode && query.projectCode !== '*' ? projectsFor(ctx, query.projectCode) : undefined
  const here = condition(sql`exists (select 1 from project_worker w where w.worker_id = p.id and w.exit_time is null)`)
  return allOf(
    condition(sql`not p.deleted`),
    ...fileScope(ctx),
    ...(one ? [condition(sql`p.id in (select w.worker_id from project_worker w where w.project_code = any (${[...one]}))`)] : []),
    ...contains('p.name', query.name),
    ...anyOf('p.gender', query.gender),
    ...ages('p.birthday', query.age, today),
    ...fileNumber(ctx, query.idCardNumber),
    ...(query.cellPhone ? filePhone(ctx, query.cellPhone) : []),
    ...inAreas('p.birthPlaceCode', query.birthPlaceCode),
    ...anyOf('p.workTypeCode', query.workTypeCode),
    ...contains('p.workCorpName', query.workCorpName),
    ...anyOf('p.realNameState', query.realNameState),
    ...(query.missing?.length
      ? [query.missing.includes(emptyOption) ? condition(sql`not ${incompleteSql}`) : condition(incompleteSql)]
      : []),
    ...(query.badCount?.low === undefined
      ? []
      : [condition(sql`(select count(*) from worker_bad b where b.worker_id = p.id) >= ${query.badCount.low}`)]),
    ...(query.badCount?.high === undefined
      ? []
      : [condition(sql`(select count(*) from worker_bad b where b.worker_id = p.id) <= ${query.badCount.high}`)]),
    ...instantsBetween('p.createTime', query.createTime),
    ...(query.onSite === '1' ? [here] : query.onSite === '0' ? [condition(sql`not ${here}`)] : []),
    ...q,
  )
}
const fileOrder = (sort: FileQuery['sort']) =>
  orderBy(turned(sort), { createTime: 'p.createTime', name: 'p.name', age: 'p.birthday' }, '-createTime', 'p.id')

/** Columns of a file's row. For encrypted columns, only whether a value is present. */
const fileColumns = sql`p.id, p.name, p.gender, p.birthday, p.id_card_mask, p.cell_phone_mask, p.birth_place_code, p.work_type_code,
  p.work_corp_name, p.real_name_state, p.create_time, p.nation, p.grant_org, p.start_date, p.expiry_date, p.head_image, p.culture_level,
  p.urgent_link_man, p.has_bad_medical_history, p.consents, p.address is not null as has_address, p.cell_phone is not null as has_phone,
  p.urgent_link_man_phone is not null as has_urgent_phone`

export async function fileRows(ctx: ListScope, query: FileQuery, page: { limit: number; offset: number }): Promise<FileRow[]> {
  const { rows } = await sql<RawFile>`
    select p.*, ${holdColumns(ctx)}, (select count(*)::int from worker_bad b where b.worker_id = p.id and b.audit_status <> '2') as bad_count, stays.projects
    from (select ${fileColumns} from worker p where ${fileConditions(ctx, query)}
      order by ${fileOrder(query.sort)} limit ${page.limit} offset ${page.offset}) p
    left join lateral (select jsonb_agg(jsonb_build_object('projectCode', w.project_code, 'projectName', pr.name, 'stayId', w.id) order by w.entry_time desc) as projects
      from project_worker w join project pr using (project_code) where w.worker_id = p.id and w.exit_time is null) stays on true
    ${holdJoin(ctx)}
    order by ${fileOrder(query.sort)}`.execute(ctx.db)
  return rows.map((row) => toFileRow(row, formatDay(ctx.clock.now())))
}

function toFileRow(row: RawFile, today: string): FileRow {
  const p = row.held
    ? row
    : {
        ...row,
        name: row.stayName ?? row.name,
        idCardMask: row.stayIdCardMask ?? row.idCardMask,
        cellPhoneMask: row.stayPhoneMask,
        birthPlaceCode: null,
        workTypeCode: null,
        workCorpName: null,
      }
  const { incomplete, completeness } = row.held ? incompleteOf(row) : { incomplete: [], completeness: 0 }
  return rowOf(fileRow, p, {
    workerId: p.id,
    age: ageOn(p.birthday, today),
    idCardNumber: p.idCardMask,
    cellPhone: p.cellPhoneMask,
    birthPlaceName: nativePlace(p.birthPlaceCode, areaName),
    workTypeName: dictName('workerType', p.workTypeCode),
    completeness,
    incomplete,
    projects: p.projects ?? [],
    createTime: formatInstant(p.createTime),
  })
}

export async function countFiles(ctx: ListScope, query: WorkerFilters): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from worker p where ${fileConditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export async function* streamFiles(ctx: ListScope, query: FileQuery): AsyncIterable<FileRow> {
  const raw = sql<RawFile>`
    select ${fileColumns}, ${holdColumns(ctx)}, (select count(*)::int from worker_bad b where b.worker_id = p.id and b.audit_status <> '2') as bad_count,
      (select jsonb_agg(jsonb_build_object('projectCode', w.project_code, 'projectName', pr.name, 'stayId', w.id))
        from project_worker w join project pr using (project_code) where w.worker_id = p.id and w.exit_time is null) as projects
    from worker p ${holdJoin(ctx)} where ${fileConditions(ctx, query)} order by ${fileOrder(query.sort)}`
  for await (const row of cursor<RawFile>(ctx, raw)) yield toFileRow(row, formatDay(ctx.clock.now()))
}
