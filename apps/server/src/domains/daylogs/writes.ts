import type { changeConstructionLog, createConstructionLog } from '@zhugong/contract/daylogs/construction'
import { type FactInput, type FactKind, impacts } from '@zhugong/contract/daylogs/fields'
import { draftLog } from '@zhugong/contract/daylogs/moves'
import type { changeOwnLog, createOwnLog } from '@zhugong/contract/daylogs/own-log'
import { isLate } from '@zhugong/contract/daylogs/rules'
import type { changeSafetyLog } from '@zhugong/contract/daylogs/safety-log'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { seesProject } from '#kit/sees-project'
import { dropPhotoUses, fileIdsOf, keptFiles, showPhotoUses, usePhotos } from '../files/public.ts'
import type { Outcome } from '../process/public.ts'
import { type Children, childrenOf, replaceChildren } from './children.ts'
import { attended, factsOf } from './day.ts'
import { type Log, logNouns } from './kind.ts'
import type { LogType } from './tables.ts'

type Full = Omit<ParsedFor<typeof createConstructionLog>['body'], 'id' | 'action'>
type Own = Omit<ParsedFor<typeof createOwnLog>['body'], 'id' | 'action'>
/** What a log of any kind says. */
export type Content = Omit<Full, 'unitId'> & Pick<Own, 'projects' | 'safetyState'> & { unitId: string | null }
export type Change =
  | ParsedFor<typeof changeSafetyLog>['body']
  | ParsedFor<typeof changeConstructionLog>['body']
  | ParsedFor<typeof changeOwnLog>['body']

/** What the kinds do not ask for. */
const unasked = {
  workerCount: null,
  machines: null,
  safetyState: '',
  qualityState: '',
  unitId: null,
  impact: 'none',
  idleCount: null,
  tasks: [],
  pours: [],
  blocks: [],
  projects: [],
} as const satisfies Partial<Content>
export const contentOf = (given: Partial<Content> & Pick<Content, 'day'>): Content => ({ ...unasked, ...given }) as unknown as Content

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })
const leastReason = 5

/** Columns of the record itself. @throws AppError `invalidInput` at the field */
export async function columnsOf(ctx: Context, kind: LogType, projectCode: string | null, content: Content, known: readonly string[] = []) {
  const { day, tempHigh, tempLow } = content
  if (day > formatDay(ctx.clock.now())) throw refuse('day', '日期不能晚于今天')
  if (tempHigh !== null && tempLow !== null && tempLow > tempHigh) throw refuse('tempLow', '最低温不能高于最高温')
  if (kind === 'construction') await requireUnit(ctx, projectCode, content.unitId)
  for (const code of content.projects) await seesProject(ctx, code)
  const { weather, wind, workerCount, machines, parts, tomorrow, lateReason, impact, idleCount, unitId } = content
  return {
    day,
    weather,
    tempHigh,
    tempLow,
    wind,
    workerCount,
    machines,
    parts,
    safetyState: kind === 'construction' ? null : content.safetyState,
    qualityState: kind === 'construction' ? content.qualityState : null,
    tomorrow,
    impact,
    idleCount,
    unitId,
    visited: [...new Set(content.projects)],
    lateReason,
    photos: await keptFiles(ctx, fileIdsOf(content.photos), known, 'photos'),
  }
}
type Columns = Awaited<ReturnType<typeof columnsOf>>

async function requireUnit(ctx: Context, projectCode: string | null, unitId: string | null): Promise<void> {
  const { rows } = await sql`select 1 from unit_project where id = ${unitId} and project_code = ${projectCode}`.execute(ctx.db)
  if (rows.length === 0) throw refuse('unitId', '单体不存在')
}

/** What a log must say before others read it. */
function requireSaid(ctx: Context, kind: LogType, columns: Columns): void {
  if (columns.weather === null) throw refuse('weather', '请选择天气')
  if (columns.parts === '') throw refuse('parts', '请填写施工部位与内容')
  if (kind === 'log' && columns.visited.length === 0) throw refuse('projects', '请选择涉及项目')
  if (kind !== 'construction' && !columns.safetyState) throw refuse('safetyState', '请填写安全生产情况')
  if (kind === 'construction' && !columns.qualityState) throw refuse('qualityState', '请填写质量情况')
  if (isLate(columns.day, ctx.clock.now()) && (columns.lateReason ?? '').length < leastReason)
    throw refuse('lateReason', `超过 48 小时补记，请说明原因（至少 ${leastReason} 个字）`)
}

/** Rows beside the record, from what the day recorded and what was typed. */
async function childrenFrom(
  ctx: Context,
  row: Pick<Log, 'id' | 'kind' | 'projectCode'>,
  columns: Columns,
  content: Content,
): Promise<Children> {
  const before = await childrenOf(ctx, row.id)
  const projects = row.projectCode === null ? columns.visited : [row.projectCode]
  const recorded =
    projects.length === 0
      ? []
      : await factsOf(ctx, { day: columns.day, projects, unitId: columns.unitId ?? undefined, open: row.kind === 'log' })
  const keyOf = (one: Pick<FactInput, 'kind' | 'refId'>) => `${one.kind} ${one.refId}`
  const wanted = new Set(content.facts.map(keyOf))
  const known = new Map(before.facts.map((one) => [keyOf(one), one]))
  // What was kept once stays in its first words; what the day recorded since comes in its own.
  const fresh = recorded.filter((one) => !known.has(keyOf({ ...one, kind: one.kind as FactKind })))
  const facts = [
    ...before.facts,
    ...fresh.map(({ kind, refId, projectCode, text, amount, unit, state, link }) => ({
      kind: kind as FactKind,
      refId,
      siteCode: projectCode,
      words: text,
      amount,
      unit,
      state,
      link,
    })),
  ].filter((one) => wanted.has(keyOf(one)))
  return {
    facts,
    problems: await problemsOf(ctx, projects, content.problems),
    tasks: await proposals(ctx, row.projectCode, content.tasks, before.tasks),
    pours: content.pours.map(({ from, until, ...one }, i) => ({
      ...one,
      fromTime: from,
      untilTime: until,
      byName: before.pours.find((old, at) => at === i && old.part === one.part)?.byName ?? ctx.user.name,
    })),
  }
}

async function problemsOf(ctx: Context, projects: readonly string[], given: Content['problems']): Promise<Children['problems']> {
  const ids = given.flatMap((one) => one.rectifyId ?? [])
  const { rows } = await sql<{
    id: string
  }>`select id from rectify where id = any (${ids}) and project_code = any (${[...projects]})`.execute(ctx.db)
  const seen = new Set(rows.map((one) => one.id))
  const strange = given.findIndex((one) => one.rectifyId !== null && !seen.has(one.rectifyId))
  if (strange >= 0) throw refuse(`problems.${strange}.rectifyId`, '整改单不存在或不属于该项目')
  return given.map(({ description, rectifyId }) => ({ description, rectifyId }))
}

/** Percent of tasks as proposals; one that falls needs its reason. */
async function proposals(
  ctx: Context,
  projectCode: string | null,
  given: Content['tasks'],
  before: Children['tasks'],
): Promise<Children['tasks']> {
  const ids = given.map((one) => one.taskId)
  const { rows } = await sql<{ id: string; name: string; percent: number }>`select id, name, percent from schedule_task
    where id = any (${ids}) and project_code = ${projectCode} and leaf`.execute(ctx.db)
  return given.map(({ taskId, percent, reason }, i) => {
    const task = rows.find((one) => one.id === taskId)
    if (!task) throw refuse(`tasks.${i}.taskId`, '进度任务不存在')
    const was = before.find((one) => one.taskId === taskId)?.before ?? task.percent
    if (percent < was && reason === '') throw refuse(`tasks.${i}.reason`, `${task.name}比进度计划的 ${was}% 低，请说明原因`)
    return { taskId, name: task.name, before: was, percent, reason: reason || null }
  })
}

/** Stores a draft, submits, or changes what was submitted; then the old words are kept. */
export async function write(
  ctx: Context,
  row: Log,
  action: 'save' | 'submit' | 'edit',
  content: Content,
  reason: string | null = null,
): Promise<Outcome<Log>> {
  const columns = await columnsOf(ctx, row.kind, row.projectCode, content, row.photos)
  if (row.state !== draftLog && columns.day !== row.day) throw refuse('day', '提交后不能更改日期')
  if (row.state !== draftLog && columns.unitId !== row.unitId) throw refuse('unitId', '提交后不能更改单体')
  if (action !== 'save') requireSaid(ctx, row.kind, columns)
  const now = new Date(ctx.clock.now())
  const first = action === 'submit' && row.submittedAt === null
  const shown = { ...row, shownAt: row.shownAt ?? (action === 'submit' ? now : null) }
  const old = await childrenOf(ctx, row.id)
  const children = await childrenFrom(ctx, row, columns, content)
  const changed =
    row.state === draftLog ? 0 : await keepOldWords(ctx, shown, words(row, old), words({ ...row, ...columns }, children), reason)
  await replaceChildren(ctx, shown, children)
  if (row.state === draftLog) await writeBlocks(ctx, shown, content.blocks)
  await usePictures(ctx, shown, columns.photos, first)
  if (!first) return { values: columns, opinion: changed > 0 ? `更改 ${changed} 处` : null }
  const late = isLate(columns.day, ctx.clock.now())
  const values = {
    ...columns,
    late,
    lateReason: late ? columns.lateReason : null,
    shownAt: now,
    submittedAt: now,
    attendCount: row.projectCode === null ? null : await attended(ctx, row.projectCode, columns.day),
  }
  return { values, opinion: late ? `补记：${columns.lateReason}` : null }
}

async function usePictures(ctx: Context, row: Log, files: readonly string[], first: boolean): Promise<void> {
  // Photographs of an institution's own log are evidence of no site.
  if (row.projectCode === null) return
  await dropPhotoUses(ctx, row.id, 'before', files)
  const { id: objectId, projectCode, corpCode, shownAt, groups, kind } = row
  await usePhotos(ctx, { kind: logNouns[kind], objectId, stage: 'before', projectCode, corpCode, shownAt, groups, files })
  if (first && shownAt) await showPhotoUses(ctx, row.id, shownAt)
}

/** The writer's own parts of the day; those of others stay. */
async function writeBlocks(ctx: Context, row: Log, blocks: Content['blocks']): Promise<void> {
  await sql`delete from day_log_block where log_id = ${row.id} and by_id = ${ctx.user.id}`.execute(ctx.db)
  for (const block of blocks) await insertBlock(ctx, row, block)
  if (row.shownAt) await sql`update day_log_block set shown_at = ${row.shownAt} where log_id = ${row.id}`.execute(ctx.db)
}

export async function insertBlock(
  ctx: Context,
  { id: logId, projectCode, corpCode, shownAt, groups }: Log,
  { part, gang, content }: Content['blocks'][number],
): Promise<void> {
  const next = await sql<{ seq: number }>`select coalesce(max(seq), 0) + 1 as seq from day_log_block where log_id = ${logId}`.execute(
    ctx.db,
  )
  const disclosed = { projectCode, corpCode, shownAt, groups }
  const by = { byId: ctx.user.id, byName: ctx.user.name, at: new Date(ctx.clock.now()) }
  await ctx.db
    .insertInto('dayLogBlock')
    .values({ id: ctx.newId(), logId, ...disclosed, seq: next.rows[0]?.seq ?? 1, part, gang, content, ...by })
    .execute()
}

/** What a log says, by the titles that its page has; in this order. */
function words(row: Row<'dayLog'> | Log, { facts, problems, tasks, pours }: Children): [title: string, text: string][] {
  const said = (value: string | number | null) => (value === null ? '' : String(value))
  return [
    ['天气', dictName('weather', row.weather) ?? ''],
    ['最高温', said(row.tempHigh)],
    ['最低温', said(row.tempLow)],
    ['风力', said(row.wind)],
    ['现场人数', said(row.workerCount)],
    ['施工部位与内容', row.parts],
    ['安全生产情况', said(row.safetyState)],
    ['质量情况', said(row.qualityState)],
    ['其他机械', said(row.machines)],
    ['明日要点', said(row.tomorrow)],
    ['施工影响', impacts[row.impact]],
    ['窝工人次', said(row.idleCount)],
    ['问题', problems.map((one) => one.description).join('；')],
    ['进度', tasks.map((one) => `${one.name} ${one.percent}%`).join('；')],
    ['浇筑', pours.map((one) => `${one.part} ${one.grade} ${one.volume} m³ ${one.fromTime}-${one.untilTime}`).join('；')],
    ['系统带入', facts.map((one) => one.words).join('；')],
    ['照片', `${row.photos.length} 张：${row.photos.map((one) => one.slice(0, 8)).join('、')}`],
  ]
}

async function keepOldWords(
  ctx: Context,
  row: Log,
  before: readonly (readonly [string, string])[],
  after: readonly (readonly [string, string])[],
  reason: string | null,
): Promise<number> {
  const { id: logId, projectCode, corpCode, shownAt, groups } = row
  const changes = before.flatMap(([field, text], i) => {
    const now = after[i]?.[1] ?? ''
    return now === text ? [] : [{ field, before: text, after: now }]
  })
  for (const one of changes) await keepChange(ctx, { logId, projectCode, corpCode, shownAt, groups }, { ...one, reason })
  return changes.length
}

export async function keepChange(
  ctx: Context,
  of: Pick<Row<'dayLogChange'>, 'logId' | 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>,
  change: Pick<Row<'dayLogChange'>, 'field' | 'before' | 'after' | 'reason'>,
): Promise<void> {
  await ctx.db
    .insertInto('dayLogChange')
    .values({ id: ctx.newId(), ...of, ...change, byName: ctx.user.name, at: new Date(ctx.clock.now()) })
    .execute()
}
