import { changeSchedule, createScheduleTask, removeScheduleTask } from '@zhugong/contract/schedule/calls'
import { importPlan } from '@zhugong/contract/schedule/plan-import'
import { reportTask } from '@zhugong/contract/schedule/unit'
import type pg from 'pg'
import { call, daysAgo, type Fixtures, type Meanwhile, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

/** A plan with an approved baseline and a task in the sample unit. */
async function insertPlan(pool: pg.Pool, projectCode: string, corpCode: string): Promise<void> {
  const row = [projectCode, corpCode]
  await pool.query(
    `insert into schedule (id, project_code, corp_code, shown_at, groups, base_no, approved_at, state, create_by, create_time)
     values (md5('plan of ' || $1::text), $1, $2, now(), '{}', 1, now() - interval '9 days', '2', 'nobody', now())`,
    row,
  )
  await pool.query(
    `insert into schedule_task (id, schedule_id, project_code, corp_code, shown_at, groups, unit_id, wbs, name, weight, plan_start, plan_end, base_start, base_end)
     values (md5('task of ' || $1::text), md5('plan of ' || $1::text), $1, $2, now(), '{}', md5('unit ' || $1::text), '1', '样例任务', 100,
       current_date - 5, current_date + 5, current_date - 5, current_date + 5),
     (md5('spare task of ' || $1::text), md5('plan of ' || $1::text), $1, $2, now(), '{}', null, '9', '备用任务', 0, current_date, current_date, null, null)`,
    row,
  )
  await pool.query(
    `insert into schedule_report (id, task_id, schedule_id, project_code, corp_code, shown_at, groups, percent, before, delay_days, by_id, by_name, at)
     values (md5('report of ' || $1::text), md5('task of ' || $1::text), md5('plan of ' || $1::text), $1, $2, now(), '{}', 10, 0, 0, 'nobody', '样例', now())`,
    row,
  )
  await pool.query(
    `insert into schedule_base (id, schedule_id, project_code, corp_code, shown_at, groups, no, submitted_by, submitted_at)
     values (md5('base of ' || $1::text), md5('plan of ' || $1::text), $1, $2, now(), '{}', 1, '样例', now())`,
    row,
  )
  await pool.query(
    `insert into schedule_base_task (id, base_id, task_id, project_code, corp_code, shown_at, groups, name, plan_start, plan_end, weight)
     values (md5('base task of ' || $1::text), md5('base of ' || $1::text), md5('task of ' || $1::text), $1, $2, now(), '{}', '样例任务',
       current_date - 5, current_date + 5, 100)`,
    row,
  )
}

const to = (state: string): Meanwhile => [
  `update schedule set state = '${state}', version = 0 where project_code = $1`,
  `update schedule set state = '2', version = 0 where project_code = $1`,
]
const spare = `with drafted as (update schedule set state = '0', version = 0 where project_code = $1)
  insert into schedule_task (id, schedule_id, project_code, corp_code, shown_at, groups, wbs, name, weight, plan_start, plan_end)
  select md5('spare task of ' || $1::text), id, project_code, corp_code, now(), '{}', '9', '备用任务', 0, current_date, current_date
  from schedule where project_code = $1 on conflict do nothing`
const taskUnchanged: Meanwhile = [
  `update schedule_task set version = 0, percent = 0 where project_code = $1`,
  `update schedule_task set version = 0, percent = 0 where project_code = $1`,
]

export const fixtures: Fixtures = {
  calls: [
    call(createScheduleTask, 'site', { meanwhile: to('0') })((s) => ({
      query: { projectCode: s.projectCode },
      body: { name: '样例新任务', planStart: daysAgo(-1), planEnd: daysAgo(-9), weight: 10 },
    })),
    call(changeSchedule, 'site', { meanwhile: to('0') })((s) => ({
      query: { projectCode: s.projectCode },
      body: {
        version: 0,
        action: 'plan',
        changes: [{ taskId: rowId('task of', { key: s.projectCode }), planStart: daysAgo(5), planEnd: daysAgo(-6) }],
      },
    })),
    call(changeSchedule, 'supervision', { meanwhile: to('1') })((s) => ({
      query: { projectCode: s.projectCode },
      body: { version: 0, action: 'returnBaseline', opinion: '主体结构工期过短' },
    })),
    call(removeScheduleTask, 'site', { meanwhile: [spare, to('0')[1]] })((s) => ({
      params: { taskId: rowId('spare task of', { key: s.projectCode }) },
      query: { projectCode: s.projectCode },
    })),
    call(reportTask, 'site', { meanwhile: taskUnchanged })((s) => ({
      params: { id: rowId('unit', { key: s.projectCode }) },
      query: { projectCode: s.projectCode },
      body: { version: 0, taskId: rowId('task of', { key: s.projectCode }), percent: 30, actualStart: daysAgo(4) },
    })),
  ],
  exempt: [{ why: 'needs a file in the form; import.test.ts tries it', calls: [importPlan] }],
  withoutPage: [{ why: 'pages ask for its views, listSchedules and listScheduleTasks', names: ['scheduleRecords'] }],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      `select coalesce(p.contractor_corp_code, (select c.corp_code from project_corp c where c.project_code = p.project_code
         order by c.entry_time, c.id limit 1)) as corp_code from project p where p.project_code = $1`,
      [projectCode],
    )
    if (rows[0]?.corp_code) await insertPlan(pool, projectCode, rows[0].corp_code)
  },
  owners: { scheduleTask: ofPeople('schedule_task') },
  guarded: ['schedule', 'schedule_task', 'schedule_report', 'schedule_base'],
}
