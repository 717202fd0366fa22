import type * as calls from '@zhugong/contract/monitoring/point-changes'
import type { PointMark } from '@zhugong/contract/telemetry/point-marks'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import { markPoint } from '../../equipment/public.ts'
import { linksOf } from '../../files/public.ts'

/** Excludes readings marked as faulty; they are stored but not counted. */
export const faultless = (t: string) =>
  sql`(${sql.ref(`${t}.quality`)} is null or not ${sql.ref(`${t}.quality`)} @? '$.* ? (@ == "fault")')`

interface Row extends Omit<calls.PointChange, 'at'> {
  at: Date
}
const columns = sql`c.id, c.project_code, c.device_id, d.name as device_name, c.point_code, c.kind, c.at, c.reason, round(c.value::numeric, 3)::float8 as value,
  c.initial, c.files, c.by_name`

interface ChangesQuery {
  projectCode: string
  deviceId?: string | undefined
  pointCode?: string | undefined
  bayName?: string | undefined
  page: number
  size: number
}
/** Changes of the points of a family, newest first. */
export async function pointChanges(ctx: Context, family: string, query: ChangesQuery) {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from point_change c join device d on d.id = c.device_id
    where ${allOf(
      ...inProjects('c.project_code', projectsFor(ctx, query.projectCode)),
      ...equals('c.family', family),
      ...equals('c.device_id', query.deviceId),
      ...equals('c.point_code', query.pointCode),
    )} and ${query.bayName ? sql`coalesce(nullif(d.params ->> 'bayName', ''), d.install_place, '高支模') = ${query.bayName}` : sql`true`}
    order by c.at desc, c.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, ...row }) => ({ ...row, at: row.at.getTime(), files: linksOf(ctx, row.files) })),
    total: rows[0]?.total ?? 0,
  }
}

interface Change {
  device: { id: string; projectCode: string; family: string }
  pointCode: string
  kind: calls.PointChangeKind
  at: number
  reason: string
  value: number | null
  initial: number | null
  files: readonly string[]
}
/** Stores a change of a point and its mark for the ingest, in the same transaction. */
export async function changePoint(ctx: Context, change: Change, mark: PointMark): Promise<string> {
  const { device, at } = change
  const id = ctx.newId()
  await sql`insert into point_change (id, project_code, device_id, family, point_code, kind, at, reason, value, initial, files, by_name)
    values (${id}, ${device.projectCode}, ${device.id}, ${device.family}, ${change.pointCode}, ${change.kind}, ${new Date(at)}, ${change.reason}, ${change.value},
      ${change.initial}, ${[...change.files]}::text[], ${ctx.user.name})`.execute(ctx.db)
  await markPoint(ctx, device.id, change.pointCode, mark)
  return id
}
