import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/video/video-patrols'
import { sql } from 'kysely'
import { mayAct } from '#kit/acts'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, contains, equals, inProjects, instantsBetween, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { byPages, exportOf, type ListContext } from '../../exports/registry.ts'
import { fileIdsOf, keptFiles, linksOf } from '../../files/public.ts'
import { tellKeepers, tellOne } from '../../notify/public.ts'

interface Row extends Omit<calls.VideoPatrol, 'time' | 'online' | 'answerAt' | 'verdictAt' | 'mayAnswer' | 'mayJudge'> {
  at: Date
  answerAt: Date | null
  verdictAt: Date | null
  byId: string
  answerById: string | null
}
type CameraState = calls.VideoPatrol['cameras'][number]['state']
const columns = sql`v.id, v.project_code, p.name as project_name, v.at, v.cameras, v.result, v.finding, v.photos, v.device_id, d.name as device_name, v.by_id, v.by_name,
  v.by_group, v.state, v.told, v.answer, v.answer_photos, v.answer_by, v.answer_by_id, v.answer_at, v.verdict, v.verdict_by, v.verdict_at, v.version`
const tables = sql`video_patrol v join project p on p.project_code = v.project_code left join device d on d.id = v.device_id`

export function videoPatrolRoutes(serve: Serve): void {
  serve(calls.listPatrols, ({ query }, ctx) => patrolPage(ctx, query, actionsOf(ctx)))
  serve(calls.addPatrol, addPatrol)
  serve(calls.answerPatrol, answerPatrol)
  serve(calls.judgePatrol, judgePatrol)
}

/** Actions on a finding permitted to the reader; an export has none. */
type AllowedActs = (row: Pick<Row, 'projectCode' | 'state' | 'answerById'>) => Pick<calls.VideoPatrol, 'mayAnswer' | 'mayJudge'>
const nothing: AllowedActs = () => ({ mayAnswer: false, mayJudge: false })
const actionsOf = (ctx: Context): AllowedActs => {
  const may = ({ needs, acts }: typeof calls.answerPatrol | typeof calls.judgePatrol, projectCode: string) =>
    typeof needs === 'string' && ctx.codes.has(needs) && mayAct(ctx, acts, { projectCode })
  return ({ projectCode, state, answerById }) => ({
    mayAnswer: state === 'open' && may(calls.answerPatrol, projectCode),
    // Nobody confirms an answer of their own.
    mayJudge: state === 'answered' && answerById !== ctx.user.id && may(calls.judgePatrol, projectCode),
  })
}

const toPatrol = (
  ctx: ListContext,
  { at, answerAt, verdictAt, byId: _byId, answerById, ...row }: Row,
  actions: AllowedActs = nothing,
): calls.VideoPatrol => ({
  ...row,
  time: at.getTime(),
  online: row.cameras.filter((one) => one.state === 'online').length,
  photos: linksOf(ctx, row.photos),
  answerPhotos: linksOf(ctx, row.answerPhotos),
  answerAt: answerAt?.getTime() ?? null,
  verdictAt: verdictAt?.getTime() ?? null,
  ...actions({ projectCode: row.projectCode, state: row.state, answerById }),
})

type Query = NonNullable<(typeof calls.listPatrols)['types']>['parsed']['query']
const conditionsOf = (ctx: ListContext, query: Query): Condition =>
  allOf(
    ...inProjects('v.project_code', projectsFor(ctx, query.projectCode)),
    ...anyOf('v.result', query.result),
    ...anyOf('v.state', query.state),
    ...contains('v.by_name', query.byName),
    ...instantsBetween('v.at', query.time),
  )

/** Patrols, newest first, shared by list and export. */
async function patrolPage(ctx: ListContext, query: Query, actions?: AllowedActs) {
  const { limit, offset } = pageSlice(query)
  const order = query.sort === 'time' ? sql`v.at asc` : sql`v.at desc`
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from ${tables} where ${conditionsOf(ctx, query)} order by ${order}, v.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  return { list: rows.map(({ total: _total, ...row }) => toPatrol(ctx, row, actions)), total: rows[0]?.total ?? 0 }
}

const addPatrol: HandlerOf<typeof calls.addPatrol> = async ({ query, body }, ctx) => {
  const [projectCode, ...more] = projectsFor(ctx, query.projectCode) ?? []
  if (!projectCode || more.length > 0) throw new AppError('invalidInput', '请先选择一个项目', { field: 'projectCode' })
  const finding = body.result === 'found' ? body.finding : null
  if (body.result === 'found' && !finding) throw new AppError('invalidInput', '请填写发现的问题', { field: 'finding' })
  const ids = [...new Set(body.cameraIds)]
  const { rows: cameras } = await sql<{ deviceId: string; name: string; state: CameraState }>`
    select d.id as device_id, d.name, case when not coalesce(l.online, false) or l.v ->> 'online' = '0' then 'offline' when l.v ->> 'stream' = '2' then 'covered'
      when l.v ->> 'stream' = '0' then 'noStream' else 'online' end as state
    from device d left join device_latest l on l.device_id = d.id
    where d.id = any (${ids}) and d.family = 'videoAi' and d.project_code = ${projectCode} order by d.name, d.id`.execute(ctx.db)
  if (cameras.length !== ids.length) throw new AppError('invalidInput', '摄像机不属于这个项目', { field: 'cameraIds' })
  const seenBy = finding === null ? null : body.deviceId
  if (seenBy !== null && !ids.includes(seenBy)) throw new AppError('invalidInput', '发现问题的摄像机不在这一轮里', { field: 'deviceId' })
  const photos = finding === null ? [] : await keptFiles(ctx, fileIdsOf(body.photos), [], 'photos')
  const id = ctx.newId()
  const camera = cameras.find((one) => one.deviceId === seenBy)?.name
  const result = finding === null ? 0 : await tellSite(ctx, projectCode, camera ? `${camera}：${finding}` : finding)
  await sql`insert into video_patrol (id, project_code, at, cameras, result, finding, photos, device_id, by_id, by_name, by_group, state, told)
    values (${id}, ${projectCode}, ${new Date(ctx.clock.now())}, ${JSON.stringify(cameras)}::jsonb, ${body.result}, ${finding}, ${photos}::text[], ${seenBy},
      ${ctx.user.id}, ${ctx.user.name}, ${ctx.group.name}, ${finding === null ? null : 'open'}, ${result})`.execute(ctx.db)
  ctx.note(`视频巡查 ${cameras.length} 路：${finding ?? calls.patrolResults.fine}`, id)
  return toPatrol(ctx, await getPatrol(ctx, id, projectCode), actionsOf(ctx))
}

/** Notifies the alarm handlers of the site and its contractor of a finding. */
async function tellSite(ctx: Context, projectCode: string, text: string): Promise<number> {
  const { rows } = await sql<{
    corpCode: string | null
  }>`select contractor_corp_code as corp_code from project where project_code = ${projectCode}`.execute(ctx.db)
  return tellKeepers(ctx, {
    projectCode,
    corpCode: rows[0]?.corpCode ?? '',
    code: calls.answersFindings,
    kind: 'notify',
    title: '视频巡查发现问题，请处理',
    text: `${ctx.group.name} ${ctx.user.name}：${text}`,
    link: '/monitorIndex?patrols=1&state=open',
  })
}

async function getPatrol(ctx: Context, id: string, projectCode: string): Promise<Row> {
  const { rows } = await sql<Row>`select ${columns} from ${tables}
    where ${allOf(...equals('v.id', id), ...inProjects('v.project_code', projectsFor(ctx, projectCode)))}`.execute(ctx.db)
  return found(rows[0], '巡查记录')
}

/** The finding at the given version, in the state the step requires. */
async function findingAt(ctx: Context, id: string, projectCode: string, from: 'open' | 'answered', version: number): Promise<Row> {
  const patrol = await getPatrol(ctx, id, projectCode)
  if (patrol.state === null) throw new AppError('refused', '这次巡查没有发现，无需处理')
  if (patrol.version !== version) throw await conflictOf(ctx, 'videoPatrol', { id: patrol.id }, '巡查')
  if (patrol.state !== from)
    throw new AppError('refused', `发现${calls.findingStates[patrol.state]}，不能这样处理`, { state: patrol.state })
  return patrol
}

const answerPatrol: HandlerOf<typeof calls.answerPatrol> = async ({ params, query, body }, ctx) => {
  const patrol = await findingAt(ctx, params.id, query.projectCode, 'open', body.version)
  const photos = await keptFiles(ctx, fileIdsOf(body.photos), patrol.answerPhotos, 'photos')
  const now = ctx.clock.now()
  await changeRow(ctx, 'videoPatrol', {
    key: { id: patrol.id },
    version: body.version,
    noun: '巡查',
    values: {
      state: 'answered',
      answer: body.answer,
      answerPhotos: photos,
      answerBy: ctx.user.name,
      answerById: ctx.user.id,
      answerAt: new Date(now),
    },
  })
  ctx.note(`答复视频巡查发现：${body.answer}`, patrol.id)
  tellLooker(ctx, patrol, `${patrol.projectName} 已处理：${body.answer}`)
  return toPatrol(ctx, await getPatrol(ctx, patrol.id, patrol.projectCode), actionsOf(ctx))
}

/** Notifies the author of the patrol of the answer. */
function tellLooker(ctx: Context, patrol: Row, text: string): void {
  const reported = {
    userId: patrol.byId,
    kind: 'notify',
    title: '视频巡查发现已答复，请确认',
    text,
    link: '/VideoSurveillances?by=log&state=answered',
  }
  ctx.afterCommit(() => tellOne(ctx.system, reported, ctx.clock.now()))
}

const judgePatrol: HandlerOf<typeof calls.judgePatrol> = async ({ params, query, body }, ctx) => {
  const patrol = await findingAt(ctx, params.id, query.projectCode, 'answered', body.version)
  if (patrol.answerById === ctx.user.id) throw new AppError('refused', '不能确认自己的答复，请由其他人确认')
  if (body.action === 'return' && !body.reason) throw new AppError('invalidInput', '请填写退回原因', { field: 'reason' })
  const isAgreed = body.action === 'confirm'
  await changeRow(ctx, 'videoPatrol', {
    key: { id: patrol.id },
    version: body.version,
    noun: '巡查',
    values: { state: isAgreed ? 'closed' : 'open', verdict: body.reason, verdictBy: ctx.user.name, verdictAt: new Date(ctx.clock.now()) },
  })
  ctx.note(isAgreed ? '确认视频巡查答复' : `退回视频巡查答复：${body.reason}`, patrol.id)
  if (!isAgreed) await tellSite(ctx, patrol.projectCode, `答复被退回：${body.reason}`)
  return toPatrol(ctx, await getPatrol(ctx, patrol.id, patrol.projectCode), actionsOf(ctx))
}

export function registerPatrolExport(): void {
  exportOf(
    calls.patrolList,
    {
      title: '视频巡查记录',
      widths: { projectName: 28, time: 20, finding: 48 },
      ...byPages(patrolPage),
    },
    {
      time: (r) => formatInstant(r.time),
      cameras: (r) => r.cameras.length,
      result: (r) => calls.patrolResults[r.result],
      state: (r) => (r.state === null ? null : calls.findingStates[r.state]),
    },
  )
}
