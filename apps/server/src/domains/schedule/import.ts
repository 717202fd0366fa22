import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/schedule/plan-import'
import { phaseOfName } from '@zhugong/contract/schedule/report'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, FileAnswer, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import { offThread } from '#kit/off-thread/off-thread'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { type WriteSheet, writeXlsx } from '#kit/sheet-write'
import { forgetRecord, writeLog } from '../process/public.ts'
import { planToWrite } from './begin.ts'
import { type Schedule, scheduleType } from './kind.ts'
import { checkPlan, keyOf, type PlanItem } from './plan-check.ts'
import type { PlanSheet } from './plan-sheet.ts'
import { tasksOf } from './store.ts'
import { afterChange } from './writes.ts'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const readingMs = 20_000
type Task = Row<'scheduleTask'>

export function planImportRoutes(serve: Serve): void {
  serve(contract.planTemplate, planTemplate)
  serve(contract.importPlan, importPlan)
}

async function knownOf(ctx: Pick<Context, 'db'>, projectCode: string) {
  const units = await sql<{ id: string; name: string }>`select id, name from unit_project where project_code = ${projectCode}
    order by seq, id`.execute(ctx.db)
  const corps = await sql<{ code: string; name: string }>`select distinct k.corp_code as code, k.corp_name as name from project_corp c
    join corporation k using (corp_code) where c.project_code = ${projectCode} and c.exit_time is null order by name`.execute(ctx.db)
  return { units: units.rows, corps: corps.rows }
}

const widths: Record<contract.PlanField, number> = {
  wbs: 12,
  unit: 16,
  name: 36,
  planStart: 14,
  planEnd: 14,
  weight: 10,
  milestone: 10,
  critical: 8,
  corp: 32,
}

/** A sheet with the plan as it is, one with the units and companies of the project, and hints. */
const planTemplate: HandlerOf<typeof contract.planTemplate> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const { units, corps } = await knownOf(ctx, projectCode)
  const tasks = await tasksOf(ctx, projectCode)
  const unitOf = new Map(units.map((one) => [one.id, one.name]))
  const corpOf = new Map(corps.map((one) => [one.code, one.name]))
  const plan: WriteSheet = {
    name: '进度计划',
    rows: [
      contract.planColumns.map(({ title, required }) => `${title}${required ? '*' : ''}`),
      ...tasks.map((one) => [
        one.wbs,
        unitOf.get(one.unitId ?? '') ?? '',
        one.name,
        one.planStart,
        one.planEnd,
        String(one.weight),
        one.milestone ? '是' : '',
        one.critical ? '是' : '',
        corpOf.get(one.corpCode) ?? '',
      ]),
    ],
    // Numbers as text, because Excel takes 1.10 for 1.1.
    columns: contract.planColumns.map(({ key }) => ({ width: widths[key], numFmt: '@' })),
    freezePane: { rows: 1 },
  }
  const rows = Array.from({ length: Math.max(units.length, corps.length) }, (_, i) => [units[i]?.name ?? '', corps[i]?.name ?? ''])
  const names: WriteSheet = { name: '单体与单位', rows: [['单体', '参建单位'], ...rows], columns: [{ width: 20 }, { width: 40 }] }
  const help: WriteSheet = {
    name: '填写说明',
    rows: [
      ['填写说明'],
      ['1. 编号决定层级：1 的下级为 1.1、1.2，最多 8 级；有下级的任务，日期由下级汇总。'],
      ['2. 单体留空时取上级的单体；第一级任务与单体同名时自动对应。'],
      ['3. 同级权重合计 100；留空的按工期分配。'],
      ['4. 里程碑、关键填“是”；责任单位留空为总包单位。'],
      [`5. 一个项目最多 ${contract.mostPlanRows} 项任务；有一处错误，整个文件都不写入。`],
      ['6. 导入的文件就是完整计划：文件里没有的任务会删除，已有填报的任务不能去掉。'],
      ['7. 也可直接上传 Microsoft Project 另存的 XML 文件。'],
    ],
    columns: [{ width: 100 }],
  }
  const body = await writeXlsx({ sheets: [plan, names, help] })
  return new FileAnswer(`进度计划_${formatDay(ctx.clock.now())}.xlsx`, xlsx, Buffer.from(body))
}

const importPlan: HandlerOf<typeof contract.importPlan> = async ({ query }, ctx) => {
  const { body, fields } = await ctx.upload()
  const sheet = await offThread.run<PlanSheet>(new URL('./plan-sheet.ts', import.meta.url), body, {
    group: ctx.group.id,
    signal: ctx.gone,
    timeLimitMs: readingMs,
    tooLong: '文件过于复杂，读取超时，请使用导入模板',
  })
  if (sheet.lines.length === 0) throw new AppError('invalidInput', '文件里没有任务，请从第二行起逐项填写', { field: 'file' })
  const projectCode = oneProject(ctx, query.projectCode)
  const row = await planToWrite(ctx, projectCode)
  const before = await tasksOf(ctx, projectCode)
  const lines = checkPlan(sheet.lines, await knownOf(ctx, projectCode))
  const items = lines.flatMap((one) => one.item ?? [])
  const known = new Map(before.map((one) => [keyOf(one), one]))
  const kept = new Set(items.map(keyOf))
  const removed = before.filter((one) => !kept.has(keyOf(one)))
  const faulty = lines.filter((one) => one.errors.length > 0).length
  const reported = {
    rows: lines.map(({ row: at, cells, errors, warnings }) => ({ row: at, values: cells, errors, warnings })),
    counts: {
      rows: lines.length,
      faulty,
      fresh: items.filter((one) => !known.has(keyOf(one))).length,
      changed: items.filter((one) => known.has(keyOf(one))).length,
      removed: removed.length,
    },
    unknownColumns: sheet.unknownColumns,
  }
  const lost = removed.find((one) => one.leaf && one.reportTime !== null)
  if (faulty === 0 && lost) throw new AppError('refused', `“${lost.name}”（${lost.wbs}）已有填报，文件里不能没有它`, { field: 'file' })
  const split = items.map((one) => (one.parent === null ? undefined : known.get(keyOf({ unitId: one.unitId, wbs: one.parent }))))
  const divided = split.find((one) => one?.leaf && one.reportTime !== null)
  if (faulty === 0 && divided) throw new AppError('refused', `“${divided.name}”（${divided.wbs}）已有填报，不能再分解`, { field: 'file' })
  if (fields.mode !== 'save') {
    // Nothing is stored by a check, not even the beginning of a plan.
    if (row.tasks === 0 && row.version === 0) await forget(ctx, row)
    ctx.note('检查进度计划导入文件')
    return reported
  }
  if (faulty > 0) throw new AppError('refused', `有 ${faulty} 行需要修改，整个文件都没有写入`, { field: 'file' })
  await store(ctx, row, items, known, removed)
  await writeLog(ctx, scheduleType, row, { action: 'import', from: row.state, to: row.state, opinion: `${items.length} 项任务` })
  await afterChange(ctx, row, row.id)
  ctx.note(`导入进度计划：${items.length} 项任务`, row.id)
  return reported
}

async function forget(ctx: Context, row: Schedule): Promise<void> {
  await forgetRecord(ctx, scheduleType, row.id)
  await sql`delete from schedule where id = ${row.id}`.execute(ctx.db)
}

/** Writes the whole plan in a few statements. */
async function store(
  ctx: Context,
  row: Schedule,
  items: readonly PlanItem[],
  known: ReadonlyMap<string, Task>,
  removed: readonly Task[],
): Promise<void> {
  await sql`update schedule_task set parent_id = null where schedule_id = ${row.id}`.execute(ctx.db)
  await sql`delete from schedule_task where schedule_id = ${row.id} and id = any (${removed.map((one) => one.id)})`.execute(ctx.db)
  const idOf = new Map(items.map((one) => [keyOf(one), known.get(keyOf(one))?.id ?? ctx.newId()]))
  const rows = items.map((one) => ({
    id: idOf.get(keyOf(one)),
    parent_id: one.parent === null ? null : (idOf.get(keyOf({ unitId: one.unitId, wbs: one.parent })) ?? null),
    corp_code: one.corpCode ?? row.corpCode,
    unit_id: one.unitId,
    ...pick(one, 'wbs', 'name', 'milestone', 'critical', 'weight'),
    phase: phaseOfName(one.name),
    plan_start: one.planStart,
    plan_end: one.planEnd,
  }))
  await sql`insert into schedule_task (id, schedule_id, project_code, corp_code, shown_at, groups, unit_id, wbs, name, phase, milestone, critical,
      weight, plan_start, plan_end, update_by)
    select x.id, ${row.id}, ${row.projectCode}, x.corp_code, ${row.shownAt}::timestamptz, ${row.groups}::text[], x.unit_id, x.wbs, x.name, x.phase,
      x.milestone, x.critical, x.weight, x.plan_start, x.plan_end, ${ctx.user.id}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (id text, corp_code text, unit_id text, wbs text, name text, phase text,
      milestone boolean, critical boolean, weight float8, plan_start date, plan_end date)
    on conflict (id) do update set corp_code = excluded.corp_code, name = excluded.name, phase = excluded.phase, milestone = excluded.milestone,
      critical = excluded.critical, weight = excluded.weight, plan_start = excluded.plan_start, plan_end = excluded.plan_end,
      version = schedule_task.version + 1, update_by = excluded.update_by, update_time = ${new Date(ctx.clock.now())}`.execute(ctx.db)
  await sql`update schedule_task t set parent_id = x.parent_id from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (id text, parent_id text)
    where t.id = x.id and t.schedule_id = ${row.id} and x.parent_id is not null`.execute(ctx.db)
}
