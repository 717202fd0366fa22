import type { changeActivity, createActivity, getActivity } from '@zhugong/contract/experts/activities'
import { activityDetail } from '@zhugong/contract/experts/activities'
import { expertStates, leastReviewers, planReview } from '@zhugong/contract/experts/moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { normalPhone } from '@zhugong/contract/kit/normal'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, keptFiles, linkOf } from '../files/public.ts'
import { drawNumber, historyOf, type Outcome, offersFor, replaceTodos, take, writeLog } from '../process/public.ts'
import { type Activity, activityKind, activitySteps, toStated } from './activity-kind.ts'
import { activityFor, toRow } from './activity-rows.ts'
import { aboutOf, takenOf } from './candidates.ts'
import { drawKind, mayName } from './draw-kind.ts'
import { requireLibrary } from './library.ts'
import { hashOfPhone } from './register.ts'

type Guest = Pick<Row<'expert'>, 'id' | 'name' | 'workUnit' | 'phoneHash'> & { role: string }
type Body = ParsedFor<typeof createActivity>['body']
/** Of a draw, or of the body without one. */
type Frame = Pick<
  Row<'expertActivity'>,
  'libraryGroup' | 'groups' | 'shownAt' | 'aboutProject' | 'aboutName' | 'activityType' | 'date' | 'half' | 'overScale'
>

export const create: HandlerOf<typeof createActivity> = async ({ query, body }, ctx) => {
  const { frame, guests } = body.drawId ? await fromDraw(ctx, body.drawId) : await withoutDraw(ctx, aboutOf(ctx, query.projectCode), body)
  if (guests.length === 0) throw new AppError('invalidInput', '请选择专家', { field: 'experts' })
  const { year, no } = await drawNumber(ctx, ctx.group.id, activityKind.kind)
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  const row = await ctx.db
    .insertInto('expertActivity')
    .values({
      id,
      code: `ZJHD-${year}-${String(no).padStart(4, '0')}`,
      organiserGroup: ctx.group.id,
      organiserName: ctx.group.name,
      ...frame,
      ...pick(body, 'drawId', 'title', 'place', 'content'),
      noDrawReason: body.drawId ? null : body.noDrawReason,
      createBy: ctx.user.id,
      createTime: now,
      updateBy: ctx.user.id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该抽取已建活动', { field: 'drawId' }) : error
    })
  await ctx.db
    .insertInto('expertActivitySeat')
    .values(
      guests.map((one) => ({
        id: ctx.newId(),
        activityId: id,
        ...pick(frame, 'groups', 'shownAt', 'date', 'half'),
        expertId: one.id,
        expertName: one.name,
        ...pick(one, 'workUnit', 'phoneHash', 'role'),
      })),
    )
    .execute()
  const stated = toStated(row)
  await writeLog(ctx, activityKind.kind, stated, {
    action: 'create',
    from: null,
    to: stated.state,
    opinion: body.drawId ? null : body.noDrawReason,
  })
  await replaceTodos(ctx, activityKind, stated)
  ctx.note('新建专家活动', id)
  return { id }
}

async function fromDraw(ctx: Context, drawId: string): Promise<{ frame: Frame; guests: Guest[] }> {
  const { rows } = await sql<
    Row<'expertDraw'>
  >`select * from expert_draw where id = ${drawId} and organiser_group = ${ctx.group.id}`.execute(ctx.db)
  const draw = found(rows[0], '抽取')
  if (draw.state !== '1' && draw.state !== '2') throw new AppError('refused', '该抽取未完成或已取消', { field: 'drawId' })
  if (!mayName(ctx, draw)) throw new AppError('refused', '名单在会议当天公开，届时再新建活动', { field: 'drawId' })
  type Raw = Pick<Guest, 'id' | 'name' | 'workUnit'>
  const accepted = await sql<Raw>`select s.expert_id as id, s.expert_name as name, s.work_unit
    from expert_draw_seat s where s.draw_id = ${drawId} and s.reply = 'accepted' order by s.specialty, s.rank`.execute(ctx.db)
  // Whoever has left the library since the draw is not among the rows that a request sees.
  const { rows: phones } = await sql<Pick<Guest, 'id' | 'phoneHash'>>`select id, phone_hash from expert
    where id = any (${accepted.rows.map((one) => one.id)})`.execute(ctx.system)
  const phoneOf = new Map(phones.map((one) => [one.id, one.phoneHash]))
  const { libraryGroup, groups, shownAt, aboutProject, aboutName, purpose, meetingDate, half, overScale } = draw
  return {
    frame: { libraryGroup, groups, shownAt, aboutProject, aboutName, activityType: purpose, date: meetingDate, half, overScale },
    guests: accepted.rows.map((one, i) => ({ ...one, phoneHash: phoneOf.get(one.id) ?? '', role: i === 0 ? '组长' : '成员' })),
  }
}

async function withoutDraw(ctx: Context, projectCode: string | null, body: Body): Promise<{ frame: Frame; guests: Guest[] }> {
  const { activityType, date, half, overScale } = body
  if (ctx.group.type !== groupTypes.government && projectCode === null)
    throw new AppError('invalidInput', '请选择项目', { field: 'projectCode' })
  if (date < formatDay(ctx.clock.now())) throw new AppError('invalidInput', '活动日期不能早于今天', { field: 'date' })
  if (activityType === planReview && overScale) throw new AppError('refused', '超规模方案论证的专家须从专家库抽取', { field: 'drawId' })
  if (!body.noDrawReason || body.noDrawReason.length < 5)
    throw new AppError('invalidInput', '请写明未抽取原因，至少 5 个字', { field: 'noDrawReason' })
  const library = await requireLibrary(ctx, projectCode)
  const ids = body.experts.map((one) => one.expert)
  if (new Set(ids).size < ids.length) throw new AppError('invalidInput', '专家重复', { field: 'experts' })
  type Raw = Omit<Guest, 'role'>
  const { rows } =
    await sql<Raw>`select id, name, work_unit, phone_hash from expert where id = any (${ids}) and state = ${expertStates.listed}
    and library_group = ${library.groupId} and valid_end >= ${date}::date`.execute(ctx.db)
  if (rows.length < ids.length) throw new AppError('invalidInput', '有专家不在库或聘期已满，请重新选择', { field: 'experts' })
  const taken = await takenOf(ctx, ids, { meetingDate: date, half }, 0)
  const busy = rows.find((one) => taken.has(one.id))
  if (busy) throw new AppError('refused', `${busy.name}该时段已有安排`, { field: 'experts' })
  const { rows: projects } = await sql<{ name: string }>`select name from project where project_code = ${projectCode}`.execute(ctx.db)
  const roleOf = new Map(body.experts.map((one) => [one.expert, one.role]))
  return {
    frame: {
      libraryGroup: library.groupId,
      groups: [...new Set([ctx.group.id, library.groupId])],
      shownAt: new Date(ctx.clock.now()),
      aboutProject: projectCode,
      aboutName: projects[0]?.name ?? null,
      activityType,
      date,
      half,
      overScale,
    },
    guests: rows.map((one) => ({ ...one, role: roleOf.get(one.id) ?? '成员' })),
  }
}

export const change: HandlerOf<typeof changeActivity> = async ({ params: { id }, query, body }, ctx) => {
  aboutOf(ctx, query.projectCode)
  found(await activityFor(ctx, id), '活动')
  await take(ctx, activityKind, { id, action: body.action, version: body.version }, (row) => write(ctx, row, body))
  return undefined
}

async function write(ctx: Context, row: Activity, body: ParsedFor<typeof changeActivity>['body']): Promise<Outcome<Activity>> {
  switch (body.action) {
    case 'signIn':
      return signIn(ctx, row, body)
    case 'conclude': {
      const signed = await signedOf(ctx, row.id)
      if (row.activityType === planReview && row.overScale && signed < leastReviewers)
        throw new AppError('refused', `超规模方案论证须有 ${leastReviewers} 名以上专家签到，现有 ${signed} 名`, { field: 'result' })
      const isReview = row.activityType === planReview
      if (isReview === (body.result === 'done'))
        throw new AppError('invalidInput', isReview ? '请选择论证结论' : '请选择“已完成”', { field: 'result' })
      const [report] = await keptFiles(ctx, fileIdsOf(body.report ? [body.report] : []), [row.report], 'report')
      return { values: { result: body.result, conclusion: body.conclusion, report: report ?? row.report }, opinion: body.conclusion }
    }
    case 'pay':
      for (const { seat, feeCents } of body.fees)
        await sql`update expert_activity_seat set fee_cents = ${feeCents} where id = ${seat} and activity_id = ${row.id}`.execute(ctx.db)
      return {}
    case 'finish':
      if (row.activityType === planReview && row.report === null) throw new AppError('refused', '请先上传论证报告')
      return {}
    case 'cancel':
      await sql`update expert_activity_seat set held = false where activity_id = ${row.id}`.execute(ctx.db)
      if (row.drawId) await cancelDraw(ctx, row.drawId, body.note)
      return { opinion: body.note }
  }
}

async function signIn(ctx: Context, row: Activity, { seat, phone }: { seat: string; phone: string }): Promise<Outcome<Activity>> {
  if (row.date > formatDay(ctx.clock.now())) throw new AppError('refused', '活动当天才能签到')
  const { rows } = await sql<Pick<Row<'expertActivitySeat'>, 'id' | 'signAt'>>`select id, sign_at from expert_activity_seat
    where id = ${seat} and activity_id = ${row.id} and phone_hash = ${hashOfPhone(ctx, normalPhone(phone))}`.execute(ctx.db)
  const one = rows[0]
  if (!one) throw new AppError('refused', '手机号与该专家登记的不一致', { field: 'phone' })
  if (one.signAt) throw new AppError('refused', '该专家已签到', { field: 'seat' })
  await sql`update expert_activity_seat set sign_at = ${new Date(ctx.clock.now())} where id = ${seat}`.execute(ctx.db)
  return { opinion: `已签到 ${await signedOf(ctx, row.id)} 人` }
}

async function signedOf(ctx: Pick<Context, 'db'>, id: string): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from expert_activity_seat where activity_id = ${id} and sign_at is not null`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** The draw ends with its meeting, so that its experts are free again. */
async function cancelDraw(ctx: Context, id: string, note: string): Promise<void> {
  const draw = await drawKind.lock(ctx, id)
  if (draw.state === '3') return
  const values = { state: '3' }
  const version = await changeRow(ctx, 'expertDraw', { key: { id }, version: draw.version, noun: drawKind.noun, by: ctx.user.id, values })
  const after = { ...draw, ...values, version }
  await writeLog(ctx, drawKind.kind, after, { action: 'cancel', from: draw.state, to: after.state, opinion: `活动取消：${note}` })
  await replaceTodos(ctx, drawKind, after)
}

export const readActivity: HandlerOf<typeof getActivity> = async ({ params: { id } }, ctx) => {
  const row = found(await activityFor(ctx, id), '活动')
  const own = row.organiserGroup === ctx.group.id
  return rowOf(activityDetail, row, {
    ...toRow(row),
    report: linkOf(ctx, row.report),
    own,
    seats: mayName(ctx, row) ? await seatsOf(ctx, id, own) : null,
    timeline: await historyOf(ctx, activityKind.kind, id, activitySteps),
    actions: offersFor(ctx, activityKind, toStated(withoutCounts(row))),
  })
}

const withoutCounts = ({
  drawCode: _code,
  experts: _experts,
  signed: _signed,
  scored: _scored,
  ...row
}: NonNullable<Awaited<ReturnType<typeof activityFor>>>) => row

async function seatsOf(ctx: Context, id: string, own: boolean) {
  const mayPay = own && ctx.codes.has('experts.activity')
  const { rows } = await sql<Row<'expertActivitySeat'> & { total: number | null }>`select s.*, c.total from expert_activity_seat s
    left join expert_score c on c.seat_id = s.id where s.activity_id = ${id} order by s.role <> '组长', s.expert_name, s.id`.execute(ctx.db)
  return rows.map((one) => ({
    ...pick(one, 'id', 'expertId', 'workUnit', 'role', 'total'),
    name: one.expertName,
    signTime: one.signAt && formatInstant(one.signAt),
    feeCents: mayPay ? one.feeCents : null,
  }))
}
