import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/pit/pit-surveys'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, FileAnswer, oneProject } from '#kit/context'
import { offThread } from '#kit/off-thread/off-thread'
import type { HandlerOf, Serve } from '#kit/serve'
import { type WriteSheet, writeXlsx } from '#kit/sheet-write'
import { type ReadingRow, toReading } from '../../../readings/public.ts'
import { findDeviceRows } from '../../shared/devices.ts'
import { numberOr } from '../../shared/family.ts'
import { pitMetricOf } from '../../shared/points.ts'
import { pitFamily } from '../pit-of.ts'
import { pointsNow } from '../pits.ts'
import { type CheckedSurvey, checkSurvey, enteredOf, type SurveyPoint, surveySeq } from './check.ts'
import { surveyPage } from './list.ts'
import type { SurveySheet } from './sheet-thread.ts'
import { surveyQueue } from './write.ts'

export type Enqueue = (queue: string, data: { taskId: string }) => Promise<void>

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const readingMs = 20_000

export function pitSurveyRoutes(serve: Serve, enqueue: Enqueue): void {
  serve(calls.listPitSurveys, ({ query }, ctx) => surveyPage(ctx, query))
  serve(calls.surveyTemplate, ({ query }, ctx) => surveyTemplate(ctx, oneProject(ctx, query.projectCode)))
  serve(calls.importSurvey, importSurvey(enqueue))
}

/** Points in use on a site, with their current state. */
async function pointsOf(ctx: Context, projectCode: string) {
  const { rows } = await findDeviceRows(ctx.db, pitFamily, [projectCode])
  const points = await pointsNow(
    ctx,
    rows.filter((one) => one.status === '1'),
  )
  return points.sort((a, b) => `${a.pitName}${a.pointType}${a.pointCode}`.localeCompare(`${b.pitName}${b.pointType}${b.pointCode}`, 'zh'))
}

/** A sheet with the site's points filled in; surveyors add time and value. */
async function surveyTemplate(ctx: Context, projectCode: string): Promise<FileAnswer> {
  const points = await pointsOf(ctx, projectCode)
  const head = ['基坑', '测点编号*', '监测项目', '单位', '上次值', '上次时间', '测量时间*', '累计值*', '深度（m）', '倾斜Y（°）', '测量人']
  const lines = points.flatMap((one) => {
    const reported = [one.pitName, one.pointCode, one.pointTypeName, one.unit]
    const before = one.time === null ? null : formatInstant(one.time)
    return one.profile.length > 0
      ? one.profile.map(({ depth, value }) => [...reported, value, before, null, null, depth, null, null])
      : [[...reported, one.cumulative, before, null, null, null, null, null]]
  })
  const sheet: WriteSheet = {
    name: '监测数据',
    rows: [head, ...lines],
    // Times as text: Excel converts dates to numbers and hides the seconds.
    columns: head.map((title) => (title.startsWith('测量时间') ? { width: 20, numFmt: '@' } : { width: 14 })),
    freezePane: { rows: 1 },
  }
  const help: WriteSheet = {
    name: '填写说明',
    rows: [
      ['填写说明'],
      ['1. 已列出本项目在用的测点；没有测的测点留空即可，不会导入。'],
      ['2. 测量时间写到分钟，如 2026-03-01 08:30；只接收近 30 天的读数。'],
      ['3. 累计值以初始值为零，向坑内为正，沉降为负；支撑轴力等填实测值。'],
      ['4. 深层水平位移按深度逐行填写；建筑倾斜的累计值填 X 向，“倾斜Y”填 Y 向。'],
      [`5. 一次最多 ${calls.mostSurveyRows.toLocaleString('en-US')} 行；有一处错误，整个文件都不写入。`],
    ],
    columns: [{ width: 90 }],
  }
  const body = await writeXlsx({ sheets: [sheet, help] })
  return new FileAnswer(`基坑人工监测_${formatDay(ctx.clock.now())}.xlsx`, xlsx, Buffer.from(body))
}

const importSurvey =
  (enqueue: Enqueue): HandlerOf<typeof calls.importSurvey> =>
  async ({ query }, ctx) => {
    const { body, fileName, fields } = await ctx.upload()
    const projectCode = oneProject(ctx, query.projectCode)
    const sheet = await offThread.run<SurveySheet>(new URL('./sheet-thread.ts', import.meta.url), body, {
      group: ctx.group.id,
      signal: ctx.gone,
      timeLimitMs: readingMs,
      tooLong: '文件过于复杂，读取超时，请使用导入模板',
    })
    if (sheet.lines.length === 0) throw new AppError('invalidInput', '文件里没有读数，请填写测量时间和累计值', { field: 'file' })
    const points: SurveyPoint[] = await pointsOf(ctx, projectCode)
    const checked = checkSurvey(sheet.lines, points, ctx.clock.now())
    const doubled = await markKnown(ctx, checked)
    const faulty = checked.lines.filter((one) => one.errors.length > 0).length
    const reported = {
      rows: checked.lines.map(({ row, cells, errors, warnings }) => ({ row, values: cells, errors, warnings })),
      counts: {
        rows: checked.lines.length,
        faulty,
        jumps: checked.lines.filter((one) => one.warnings.some(({ column }) => column === 'value')).length,
        doubled,
        points: new Set(checked.readings.map(({ point }) => `${point.deviceId}/${point.pointCode}`)).size,
        readings: checked.readings.length - doubled,
      },
      unknownColumns: sheet.unknownColumns,
    }
    if (fields.mode !== 'save') {
      ctx.note('检查基坑人工监测文件')
      return { id: null, ...reported }
    }
    if (faulty > 0) throw new AppError('refused', `有 ${faulty} 行需要修改，整个文件都没有写入`, { field: 'file' })
    if (reported.counts.readings === 0) throw new AppError('refused', '文件里的读数都已入库，没有新的读数', { field: 'file' })
    const id = await keepSurvey(ctx, { projectCode, fileName, checked, counts: reported.counts })
    ctx.afterCommit(() => enqueue(surveyQueue, { taskId: id }))
    return { id, ...reported }
  }

interface Kept {
  projectCode: string
  fileName: string
  checked: CheckedSurvey
  counts: calls.SurveyRead['counts']
}

async function keepSurvey(ctx: Context, { projectCode, fileName, checked, counts }: Kept): Promise<string> {
  const id = ctx.newId()
  const fresh = checked.readings.filter((one) => !one.isKnown)
  const times = fresh.map((one) => one.time)
  const name =
    fileName
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .trim()
      .slice(0, 200) || '未命名.xlsx'
  await sql`insert into pit_survey (id, project_code, file_name, items, row_count, readings, points, jumps, doubled, first_time, last_time, create_by, create_time)
    values (${id}, ${projectCode}, ${name}, ${JSON.stringify(enteredOf(fresh, id))}::jsonb, ${counts.rows}, ${counts.readings}, ${counts.points}, ${counts.jumps},
      ${counts.doubled}, ${new Date(Math.min(...times))}, ${new Date(Math.max(...times))}, ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(
    ctx.db,
  )
  ctx.note(`导入基坑人工监测 ${counts.readings} 条，${counts.points} 个测点`, id)
  return id
}

/** Values are stored in single precision. */
const sameWithin = 0.005

/** Manual readings of the same point and time that are already stored: an equal value is the same reading, another value an error. */
async function markKnown(ctx: Context, { readings }: CheckedSurvey): Promise<number> {
  const { rows } = await sql<ReadingRow & { i: number }>`
    select u.i::int as i, t.device_id, t.ts, t.seq, t.received_at, t.schema_ver, t.v, t.w, t.extra, t.quality, t.flag
    from unnest(${readings.map((_, i) => i)}::int[], ${readings.map((r) => r.point.deviceId)}::text[], ${readings.map((r) => new Date(r.time))}::timestamptz[],
      ${readings.map((r) => surveySeq(r.point.pointCode))}::bigint[]) u(i, device_id, ts, seq)
    join telemetry t on t.device_id = u.device_id and t.ts = u.ts and t.seq = u.seq`.execute(ctx.db)
  for (const { i, ...row } of rows) {
    const reading = readings[i]
    if (!reading) continue
    const before = numberOr(toReading(pitFamily, row).values[pitMetricOf(reading.point.pointType)])
    reading.isKnown = true
    if (before !== null && Math.abs(before - reading.value) <= sameWithin)
      reading.line.warnings = [{ column: 'time', text: '已入库，不再写入' }]
    else reading.line.errors.push({ column: 'value', text: `该测点这个时间已导入 ${before ?? '--'}，不能覆盖` })
  }
  return rows.length
}
