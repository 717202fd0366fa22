import { createHash } from 'node:crypto'
import type { DrawnQuota } from '@zhugong/contract/draw/lots'
import { type changeDraw, type freezeDraw, mostOfUnit, type verifyDraw } from '@zhugong/contract/experts/draws'
import { leastReviewers, planReview } from '@zhugong/contract/experts/moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { hourMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { drawRun, fileOf, freezeList } from '../draw/public.ts'
import { drawNumber, type Outcome, replaceTodos, take, writeLog } from '../process/public.ts'
import { aboutOf, findCandidates } from './candidates.ts'
import { drawKind, type ExpertDraw, toStated } from './draw-kind.ts'
import { drawFor } from './draw-rows.ts'
import { requireLibrary } from './library.ts'
import { nextOf, reached, replyTo } from './replies.ts'

/** In the published list a unit is its hash: the file does not tell who works where. */
const unitKey = (name: string) => createHash('sha256').update(name.replace(/\s/g, '')).digest('hex').slice(0, 16)

export const freeze: HandlerOf<typeof freezeDraw> = async ({ query, body }, ctx) => {
  const projectCode = aboutOf(ctx, query.projectCode)
  const byAuthority = ctx.group.type === groupTypes.government
  if (!byAuthority && projectCode === null) throw new AppError('invalidInput', '请选择项目', { field: 'projectCode' })
  const today = formatDay(ctx.clock.now())
  if (body.meetingDate < today) throw new AppError('invalidInput', '会议日期不能早于今天', { field: 'meetingDate' })
  const wantedAll = body.quotas.reduce((sum, one) => sum + one.seats, 0)
  if (body.overScale && body.purpose === planReview && wantedAll < leastReviewers)
    throw new AppError('invalidInput', `超规模方案论证不少于 ${leastReviewers} 名专家`, { field: 'quotas' })
  const library = await requireLibrary(ctx, projectCode)
  const before = await earlierDraw(ctx, projectCode, body)
  const found = await findCandidates(ctx, library, { projectCode, ...body, specialties: body.quotas.map((one) => one.specialty) })
  const short = body.quotas.find(({ specialty, seats }) => found.free.filter((one) => one.specialties.includes(specialty)).length < seats)
  if (short) throw new AppError('refused', `${dictName('expertSpecialty', short.specialty)}候选不足 ${short.seats} 人`, { field: 'quotas' })
  const id = ctx.newId()
  const hideNames = byAuthority ? body.hideNames : library.hideNames
  const knowing = byAuthority || !hideNames ? [...new Set([ctx.group.id, library.groupId])] : [library.groupId]
  const wanted = new Set(body.quotas.map((one) => one.specialty))
  const { listHash, commitment } = await freezeList(ctx, {
    kind: drawKind.kind,
    objectId: id,
    audience: [...new Set([ctx.group.id, library.groupId])],
    list: {
      lots: found.free.map((one) => ({
        key: one.id,
        classes: one.specialties.filter((code) => wanted.has(code)).sort(),
        unit: unitKey(one.workUnit),
      })),
      quotas: body.quotas.map(({ specialty, seats }) => ({ name: specialty, seats })),
      perUnit: mostOfUnit,
    },
  })
  const { year, no } = await drawNumber(ctx, ctx.group.id, drawKind.kind)
  const now = new Date(ctx.clock.now())
  const row = await ctx.db
    .insertInto('expertDraw')
    .values({
      id,
      code: `ZJCQ-${year}-${String(no).padStart(4, '0')}`,
      libraryGroup: library.groupId,
      organiserGroup: ctx.group.id,
      organiserName: ctx.group.name,
      groups: knowing,
      aboutProject: projectCode,
      aboutName: await projectName(ctx, projectCode),
      ...pick(body, 'purpose', 'title', 'meetingDate', 'half', 'place', 'overScale', 'replyHours'),
      hideNames,
      run: before ? before.run + 1 : 1,
      meeting: before?.meeting ?? id,
      reason: before ? body.reason : null,
      candidates: found.free.length,
      listHash,
      commitment,
      frozenAt: now,
      frozenName: ctx.user.name,
      shownAt: hideNames && body.meetingDate > today ? null : now,
      createBy: ctx.user.id,
      updateBy: ctx.user.id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('conflict', '该会议刚刚又抽取了一次，请刷新后再办') : error
    })
  await ctx.db
    .insertInto('expertDrawQuota')
    .values(
      body.quotas.map(({ specialty, seats }, seq) => ({
        drawId: id,
        seq,
        specialty,
        seats,
        candidates: found.free.filter((one) => one.specialties.includes(specialty)).length,
      })),
    )
    .execute()
  if (found.recused.length > 0)
    await ctx.db
      .insertInto('expertDrawRecusal')
      .values(
        found.recused.map(({ id: expertId, name, workUnit, reason, manual }) => ({
          drawId: id,
          expertId,
          expertName: name,
          workUnit,
          reason,
          manual,
        })),
      )
      .execute()
  const stated = toStated(row)
  const opinion = `候选 ${found.free.length} 人，回避 ${found.recused.length} 人${before ? `；第 ${row.run} 次，原因：${body.reason}` : ''}`
  await writeLog(ctx, drawKind.kind, stated, { action: 'create', from: null, to: stated.state, opinion })
  await replaceTodos(ctx, drawKind, stated)
  // The hashes are also in the audit log, which the organiser cannot write.
  ctx.note(`冻结专家抽取名单，名单 ${listHash}，承诺 ${commitment}`, id)
  return { id }
}

/**
 * The last draw for the same meeting; undefined for the first.
 * @throws AppError when there is one that is not named, is still open, or has no reason
 */
async function earlierDraw(
  ctx: Context,
  projectCode: string | null,
  { repeatOf, reason, meetingDate, half }: ParsedFor<typeof freezeDraw>['body'],
): Promise<Pick<Row<'expertDraw'>, 'run' | 'meeting'> | undefined> {
  type Before = Pick<Row<'expertDraw'>, 'id' | 'code' | 'run' | 'meeting' | 'state'>
  if (repeatOf) {
    const { rows } = await sql<Before & { last: number; open: string | null }>`select d.id, d.code, d.run, d.meeting, d.state,
        (select max(x.run) from expert_draw x where x.meeting = d.meeting) as last,
        (select x.code from expert_draw x where x.meeting = d.meeting and x.state <> '3' limit 1) as open
      from expert_draw d where d.id = ${repeatOf} and d.organiser_group = ${ctx.group.id}`.execute(ctx.db)
    const before = found(rows[0], '原抽取')
    if (before.open) throw new AppError('refused', `请先取消上一次抽取 ${before.open}`)
    if (!reason || reason.length < 5) throw new AppError('invalidInput', '请写明重抽原因，至少 5 个字', { field: 'reason' })
    return { run: before.last, meeting: before.meeting }
  }
  const { rows } = await sql<Before>`select id, code, run, meeting, state from expert_draw
    where organiser_group = ${ctx.group.id} and meeting_date = ${meetingDate}::date and half = ${half}
      and about_project is not distinct from ${projectCode} limit 1`.execute(ctx.db)
  if (rows[0]) throw new AppError('refused', `该会议已有抽取 ${rows[0].code}，请从该记录重抽并写明原因`)
  return undefined
}

async function projectName(ctx: Context, projectCode: string | null): Promise<string | null> {
  if (projectCode === null) return null
  const { rows } = await sql<{ name: string }>`select name from project where project_code = ${projectCode}`.execute(ctx.db)
  return found(rows[0], '项目').name
}

export const change: HandlerOf<typeof changeDraw> = async ({ params: { id }, query, body }, ctx) => {
  aboutOf(ctx, query.projectCode)
  found(await drawFor(ctx, id), '抽取')
  await take(ctx, drawKind, { id, action: body.action, version: body.version }, (row) => write(ctx, row, body))
  return undefined
}

async function write(ctx: Context, row: ExpertDraw, body: ParsedFor<typeof changeDraw>['body']): Promise<Outcome<ExpertDraw>> {
  switch (body.action) {
    case 'draw': {
      const drawn = await drawRun(ctx, {
        kind: drawKind.kind,
        objectId: row.id,
        groups: row.knowing,
        shownAt: row.namesShownAt,
        witnesses: body.witnesses,
      })
      await seat(ctx, row, drawn)
      return { opinion: body.witnesses.map((one) => `${one.name} ${one.digits}`).join('，') }
    }
    case 'reply': {
      const words = await replyTo(ctx, row, body.seat, body.answer, body.note)
      return { ...(await reached(ctx, row.id)), opinion: words }
    }
    case 'next': {
      const words = await nextOf(ctx, row, body.seat, body.note)
      return { ...(await reached(ctx, row.id)), opinion: words }
    }
    case 'cancel':
      return { opinion: body.note }
  }
}

/** Invites whoever was drawn; the others wait in their order. */
async function seat(ctx: Context, row: ExpertDraw, drawn: readonly DrawnQuota[]): Promise<void> {
  const now = ctx.clock.now()
  const ids = drawn.flatMap((one) => [...one.seats, ...one.reserve])
  type Known = Pick<Row<'expert'>, 'id' | 'name' | 'workUnit' | 'phoneMask'>
  // Frozen names count, also when they have left the library since.
  const { rows } = await sql<Known>`select id, name, work_unit, phone_mask from expert where id = any (${ids})`.execute(ctx.system)
  const known = new Map(rows.map((one) => [one.id, one]))
  const seats = drawn.flatMap(({ name: specialty, seats: chosen, reserve }) =>
    [...chosen, ...reserve].flatMap((expertId, i) => {
      const expert = known.get(expertId)
      if (!expert) return []
      const invited = i < chosen.length
      return [
        {
          id: ctx.newId(),
          drawId: row.id,
          groups: row.knowing,
          shownAt: row.namesShownAt,
          specialty,
          rank: i + 1,
          expertId,
          expertName: expert.name,
          workUnit: expert.workUnit,
          phoneMask: expert.phoneMask,
          reply: invited ? ('invited' as const) : ('standby' as const),
          meetingDate: row.meetingDate,
          half: row.half,
          dueAt: invited ? new Date(now + row.replyHours * hourMs) : null,
        },
      ]
    }),
  )
  await ctx.db.insertInto('expertDrawSeat').values(seats).execute()
}

export const verify: HandlerOf<typeof verifyDraw> = async ({ params: { id } }, ctx) => {
  found(await drawFor(ctx, id), '抽取')
  return fileOf(ctx, drawKind.kind, id)
}
