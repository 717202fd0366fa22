import { foundationOf, lotWorks, type PaperColumn, workOfItem, workOfMaterial, workOfMeasure } from '@zhugong/contract/papers/catalogue'
import type { RecordSource } from '@zhugong/contract/papers/quality'
import { type RawBuilder, sql } from 'kysely'

/** How a record or paper stands in a cell: accepted, waiting for 监理, or there without filling it. */
export type Stands = 'done' | 'waiting' | 'noted'

/** One record or paper of a cell. */
export interface CellItem {
  source: RecordSource | 'paper'
  id: string
  placeId: string
  work: string
  col: PaperColumn
  stands: Stands
  name: string
  day: string | null
  signer: string
}

/** A table of pairs for a join. */
const pairs = (of: Readonly<Record<string, string>>) =>
  sql`(values ${sql.join(Object.entries(of).map(([key, value]) => sql`(${key}::text, ${value}::text)`))})`
const materialPairs = sql`(values ${sql.join(
  Object.entries(workOfMaterial).map(([category, { work, column }]) => sql`(${category}::text, ${work}::text, ${column}::text)`),
)})`
const works = lotWorks.map((one) => one.code)
const day = (at: RawBuilder<unknown>) => sql`(${at} at time zone 'Asia/Shanghai')::date::text`

/**
 * Records of a project that file themselves, from the tables where they are made: row-level security of each says who sees it. A lot
 * is of a floor: what was recorded in a room stands there. Below ground a work belongs to the foundation.
 */
export const recordsOf = (projectCode: string): RawBuilder<unknown> => sql`(
  select distinct r.source, r.id, coalesce(z.id, q.id) as place_id, coalesce(case when q.full_name like '%地下%' or q.full_name like '%基础%' then f.base end, r.work) as work,
    r.col, r.stands, r.name, r.day, r.signer
  from (
    select 'step' as source, s.id, s.place_id, s.work, case when s.kind = '5' then 'hidden' else 'lot' end as col,
      case when s.state in ('2', '4') then 'done' when s.state = '1' then 'waiting' else 'noted' end as stands,
      s.part as name, ${day(sql`s.check_time`)} as day, array_to_string(s.checkers, '、') as signer
    from site_step s where s.project_code = ${projectCode} and s.state <> '0' and s.work = any (${works}::text[])
    union all
    select 'step', s.id, s.place_id, s.work, 'photo', 'done', s.part, ${day(sql`s.check_time`)}, array_to_string(s.checkers, '、')
    from site_step s where s.project_code = ${projectCode} and s.state <> '0' and s.work = any (${works}::text[]) and s.photos <> '{}'
    union all
    select distinct 'check', c.id, c.place_id, w.work, 'lot', 'noted', c.part, ${day(sql`c.check_time`)}, array_to_string(c.checkers, '、')
    from site_check c join quality_check_item i on i.check_id = c.id join ${pairs(workOfItem)} as w (item, work) on w.item = i.item_code
    where c.project_code = ${projectCode} and c.kind = 'qualityInspection' and c.state <> '0' and c.place_id is not null
    union all
    select distinct 'measure', t.id, p.place_id, w.work, 'measure', case when t.state = '6' then 'done' else 'noted' end, t.task_name,
      ${day(sql`coalesce(t.check_time, t.create_time)`)}, t.member_name
    from measure_task t join measure_task_place p on p.task_id = t.id join measure_task_item i on i.task_id = t.id
      join ${pairs(workOfMeasure)} as w (item, work) on w.item = left(i.item_code, 1)
    where t.project_code = ${projectCode}
    union all
    select distinct 'material', b.id, e.place_id, w.work, w.col,
      case when not b.need_retest or b.retest_passed then 'done' else 'noted' end, concat_ws(' ', b.name, b.spec, b.batch_no),
      ${day(sql`b.arrive_time`)}, coalesce(b.lab_org, b.receiver_name)
    from material_event e join material_batch b on b.id = e.batch_id
      join ${materialPairs} as w (category, work, col) on w.category = b.category
    where e.project_code = ${projectCode} and e.action = 'use' and e.place_id is not null
  ) r join site_place q on q.id = r.place_id
    left join site_place z on z.id = any (q.path) and z.kind = 'floor' left join ${pairs(foundationOf)} as f (work, base) on f.work = r.work)`

/** Records and papers of a project, a linked record in the cell that it was linked to. `late`: 后补. */
export const itemsOf = (projectCode: string): RawBuilder<unknown> => sql`(
  with record as materialized (select * from ${recordsOf(projectCode)} x)
  select r.*, false as late, null::text as link_id from record r
  union all
  select distinct on (p.id) r.source, r.id, p.place_id, p.work, p.col, r.stands, r.name, r.day, r.signer, false, p.id
  from library_paper p join record r on r.source = p.ref_source and r.id = p.ref_id
  where p.project_code = ${projectCode} and p.category = '2' and p.ref_id is not null
  union all
  select 'paper', p.id, p.place_id, p.work, p.col, case p.state when '2' then 'done' when '1' then 'waiting' else 'noted' end, p.name,
    p.work_date::text, coalesce(p.approver, p.author_name), p.late, null
  from library_paper p where p.project_code = ${projectCode} and p.category = '2' and p.ref_id is null)`

export const linkOf: Readonly<Record<RecordSource, (id: string) => string>> = {
  step: (id) => `/safetyP/qualityP/details?id=${id}`,
  check: (id) => `/qualityInspectiondetail?id=${id}`,
  measure: (id) => `/measure_task?task=${id}`,
  material: (id) => `/material/details?id=${id}`,
}
