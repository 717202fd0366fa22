import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/lift/lift-tests'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, anyOf, condition, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../../files/public.ts'
import { getDeviceRow } from '../shared/devices.ts'
import { daysUntil } from '../shared/family.ts'

interface Row extends Omit<calls.LiftTest, 'createTime'> {
  createTime: Date
}
const columns = sql`t.id, t.project_code, p.name as project_name, t.device_id, d.name as device_name, t.kind, to_char(t.tested_on, 'YYYY-MM-DD') as tested_on,
  t.result, t.person_name, t.unit_name, t.distance_meters, t.load_percent, t.remark, t.files, t.by_name, t.create_time`
const tables = sql`lift_test t join device d on d.id = t.device_id join project p on p.project_code = t.project_code`

export function liftTestRoutes(serve: Serve): void {
  serve(calls.listLiftTests, listLiftTests)
  serve(calls.addLiftTest, addLiftTest)
  serve(calls.voidLiftTest, voidLiftTest)
}

const never: calls.DropTestDue = { dropTestedOn: null, dropTestDue: null, dropTestDays: null, dropTestFailed: false }

/** When the next drop test of each lift is due. A failed test stays visible until a later one is passed. */
export async function dropTestsOf(db: Tx, ids: readonly string[], now: number): Promise<(id: string) => calls.DropTestDue> {
  const { rows } = await sql<{ deviceId: string; passed: string | null; due: string | null; failed: boolean }>`
    select device_id, to_char(max(tested_on) filter (where result = 'pass'), 'YYYY-MM-DD') as passed,
      to_char(max(tested_on) filter (where result = 'pass') + ${`${calls.dropTestMonths} months`}::interval, 'YYYY-MM-DD') as due,
      (array_agg(result order by tested_on desc, create_time desc))[1] = 'fail' as failed
    from lift_test where device_id = any (${[...ids]}) and kind = 'drop' and void_reason is null group by 1`.execute(db)
  const known = new Map(
    rows.map(({ deviceId, passed, due, failed }): [string, calls.DropTestDue] => [
      deviceId,
      { dropTestedOn: passed, dropTestDue: due, dropTestDays: daysUntil(due, now), dropTestFailed: failed },
    ]),
  )
  return (id) => known.get(id) ?? never
}

/** Number of lifts whose drop test is overdue, due soon, or was never entered. */
export function countDropTests(dues: readonly calls.DropTestDue[]) {
  const overdue = dues.filter((one) => one.dropTestFailed || (one.dropTestDays !== null && one.dropTestDays < 0)).length
  const soon = dues.filter(
    (one) => !one.dropTestFailed && one.dropTestDays !== null && one.dropTestDays >= 0 && one.dropTestDays <= calls.dropTestSoonDays,
  ).length
  return { overdue, soon, never: dues.filter((one) => one.dropTestDays === null && !one.dropTestFailed).length }
}

const listLiftTests: HandlerOf<typeof calls.listLiftTests> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const projects = projectsFor(ctx, query.projectCode)
  const where = allOf(
    ...inProjects('t.project_code', projects),
    ...equals('t.device_id', query.deviceId),
    ...anyOf('t.kind', query.kind),
    condition(sql`t.void_reason is null`),
  )
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from ${tables} where ${where} order by t.tested_on desc, t.create_time desc, t.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const lifts = await sql<{ id: string }>`select d.id from device d where ${allOf(
    ...inProjects('d.project_code', projects),
    ...equals('d.id', query.deviceId),
    ...equals('d.family', 'lifter'),
    ...equals('d.status', '1'),
  )}`.execute(ctx.db)
  const ids = lifts.rows.map((one) => one.id)
  const dueOf = await dropTestsOf(ctx.db, ids, ctx.clock.now())
  return {
    list: rows.map(({ total: _total, ...row }) => ({ ...row, createTime: formatInstant(row.createTime), files: linksOf(ctx, row.files) })),
    total: rows[0]?.total ?? 0,
    due: countDropTests(ids.map(dueOf)),
  }
}

const addLiftTest: HandlerOf<typeof calls.addLiftTest> = async ({ query, body }, ctx) => {
  const lift = await getDeviceRow(ctx, body.deviceId, 'lifter')
  if (!(projectsFor(ctx, query.projectCode) ?? [lift.projectCode]).includes(lift.projectCode))
    throw new AppError('invalidInput', '升降机不属于所选项目', { field: 'deviceId' })
  if (body.testedOn > formatDay(ctx.clock.now())) throw new AppError('invalidInput', '试验日期不能晚于今天', { field: 'testedOn' })
  if (body.kind === 'drop' && body.loadPercent !== null)
    throw new AppError('invalidInput', '载荷只在载荷试验中填写', { field: 'loadPercent' })
  if (body.kind === 'load' && body.distanceMeters !== null)
    throw new AppError('invalidInput', '制动距离只在防坠试验中填写', { field: 'distanceMeters' })
  const id = ctx.newId()
  const files = await keptFiles(ctx, fileIdsOf(body.files), [], 'files')
  await sql`insert into lift_test (id, project_code, device_id, kind, tested_on, result, person_name, unit_name, distance_meters, load_percent, remark, files, by_name,
      create_time)
    values (${id}, ${lift.projectCode}, ${lift.id}, ${body.kind}, ${body.testedOn}, ${body.result}, ${body.personName}, ${body.unitName}, ${body.distanceMeters},
      ${body.loadPercent}, ${body.remark}, ${files}::text[], ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(ctx.db)
  ctx.note(`登记${calls.liftTestKinds[body.kind]} ${lift.name}：${body.testedOn} ${calls.liftTestResults[body.result]}`, id)
  return { id }
}

const voidLiftTest: HandlerOf<typeof calls.voidLiftTest> = async ({ params, query, body }, ctx) => {
  const { rows } = await sql<{ kind: calls.LiftTestKind; testedOn: string; deviceName: string }>`
    update lift_test t set void_reason = ${body.reason}, void_by = ${ctx.user.name}, void_time = ${new Date(ctx.clock.now())}
    from device d where d.id = t.device_id and t.void_reason is null
      and ${allOf(...equals('t.id', params.id), ...inProjects('t.project_code', projectsFor(ctx, query.projectCode)))}
    returning t.kind, to_char(t.tested_on, 'YYYY-MM-DD') as tested_on, d.name as device_name`.execute(ctx.db)
  const [done] = rows
  if (!done) throw new AppError('notFound', '试验记录不存在或已作废')
  ctx.note(`作废${calls.liftTestKinds[done.kind]} ${done.deviceName} ${done.testedOn}：${body.reason}`, params.id)
}
