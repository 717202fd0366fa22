import { judge } from '@zhugong/contract/schedule/plan'
import type { getScheduleUnit, ScheduleUnit } from '@zhugong/contract/schedule/unit'
import { unitAnswer } from '@zhugong/contract/schedule/unit'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, requireProject } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { linksOf, photoNotesOf } from '../files/public.ts'
import { offersFor } from '../process/public.ts'
import { scheduleKind, scheduleOf } from './kind.ts'
import { planned, stopsOf, tasksOf } from './store.ts'
import { nameOf, shownFigures, taskRowsOf } from './tasks.ts'

/** The newest reports of a unit; the photographs of a year. */
const mostReports = 200
const quality = '02'
const closedNotices = ['7', '8']
const retested = '2'

export const readUnit: HandlerOf<typeof getScheduleUnit> = async ({ params: { id }, query }, ctx) => {
  const { rows } = await sql<Row<'unitProject'>>`select * from unit_project where id = ${id}`.execute(ctx.db)
  const unit = found(rows[0], '单体工程')
  const { projectCode } = unit
  if (query.projectCode !== '*' && query.projectCode !== projectCode) found(undefined, '单体工程')
  requireProject(ctx, projectCode)
  const schedule = await scheduleOf(ctx, projectCode)
  const now = { today: formatDay(ctx.clock.now()), stops: await stopsOf(ctx, projectCode, schedule?.approvedAt ?? null) }
  const own = (await tasksOf(ctx, projectCode)).filter((one) => one.unitId === id)
  const { figures } = judge(own.map(planned), now)
  return rowOf(unitAnswer, unit, {
    id,
    projectCode,
    projectName: await nameOf(ctx, projectCode),
    phaseName: dictName('projectPhase', unit.phase) ?? null,
    today: now.today,
    state: figures?.state ?? null,
    stateName: figures ? (dictName('scheduleState', figures.state) ?? null) : null,
    figures: shownFigures(figures),
    tasks: await taskRowsOf(ctx, projectCode, id),
    reports: await reportsOf(ctx, projectCode, id),
    mayReport: schedule !== undefined && offersFor(ctx, scheduleKind, schedule).some((one) => one.action === 'report'),
    linked: await linkedOf(ctx, projectCode, id),
  })
}

async function reportsOf(ctx: Context, projectCode: string, unitId: string): Promise<ScheduleUnit['reports']> {
  const { rows } = await sql<Row<'scheduleReport'> & { taskName: string }>`select r.*, t.name as task_name
    from schedule_report r join schedule_task t on t.id = r.task_id
    where r.project_code = ${projectCode} and t.unit_id = ${unitId} order by r.at desc, r.id limit ${mostReports}`.execute(ctx.db)
  const reports: ScheduleUnit['reports'] = []
  for (const one of rows) {
    const notes = one.photos.length > 0 ? await photoNotesOf(ctx, one.id) : new Map<string, string>()
    reports.push({
      ...pick(one, 'id', 'taskId', 'taskName', 'percent', 'before', 'delayDays', 'reason', 'byName'),
      at: formatInstant(one.at),
      photos: linksOf(ctx, one.photos),
      photoNotes: one.photos.map((file) => [...notes].find(([key]) => key.endsWith(` ${file}`))?.[1] ?? null),
    })
  }
  return reports
}

/** What other records say of the unit; materials and people are those of the whole site. */
async function linkedOf(ctx: Context, projectCode: string, unitId: string): Promise<ScheduleUnit['linked']> {
  const inUnit = sql`(select q.id from site_place q join site_place b on b.unit_id = ${unitId} and q.path @> array[b.id] where q.project_code = ${projectCode})`
  const { rows } = await sql<{ openQuality: number; measured: number; passed: number; retest: number }>`select
    (select count(distinct r.id)::int from rectify r join rectify_line l on l.rectify_id = r.id where r.project_code = ${projectCode}
      and r.category = ${quality} and r.shown_at is not null and r.state <> all (${closedNotices}) and l.place_id in ${inUnit}) as open_quality,
    m.measured, m.passed,
    (select count(*)::int from material_batch b where b.project_code = ${projectCode} and b.state = ${retested}) as retest
    from (select count(*)::int as measured, (count(*) filter (where coalesce(retest_result, result) = '1'))::int as passed
      from measure_point where project_code = ${projectCode} and result is not null and place_id in ${inUnit}) m`.execute(ctx.db)
  const { openQuality = 0, measured = 0, passed = 0, retest = 0 } = rows[0] ?? {}
  const people = await sql<{ workType: string | null; days: number }>`select w.work_type, count(*)::int as days from attendance_day d
      join project_worker w on w.id = d.stay_id
    where d.project_code = ${projectCode} and d.present and d.work_day > ${addDays(formatDay(ctx.clock.now()), -7)}::date
    group by 1 order by 2 desc, 1 limit 8`.execute(ctx.db)
  return {
    openQuality,
    measured,
    passRate: measured === 0 ? null : Math.round((passed / measured) * 1000) / 10,
    retest,
    people: people.rows.map(({ workType, days }) => ({
      trade: workType === null ? '管理人员' : (dictName('workerType', workType) ?? workType),
      days,
    })),
  }
}
