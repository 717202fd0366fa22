import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { changeBadAction, createBadAction } from '@zhugong/contract/misconduct/calls'
import { badTargets, mostPointsFor, sameFactDays, shortestFact } from '@zhugong/contract/misconduct/codes'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, type Condition, condition } from '#kit/list'
import { keptFiles } from '../files/public.ts'
import { drawNumber, type Outcome } from '../process/public.ts'
import { monthsLater } from './days.ts'
import { applyEffects, holdExpert, releaseExpert, takeBack } from './effects.ts'
import type { Misconduct } from './kind.ts'
import { answerPlea, openPlea } from './pleas.ts'
import { seen } from './rows.ts'
import { findDecider, findTarget, requireType, type Target } from './targets.ts'

export type Body = ParsedFor<typeof changeBadAction>['body']
export type Fields = Omit<ParsedFor<typeof createBadAction>['body'], 'id' | 'action' | 'projectCode'>
type Place = Pick<Misconduct, 'id' | 'projectCode'>

const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })

const targetOf = (row: Pick<Misconduct, 'targetType' | 'workerId' | 'teamId' | 'expertId' | 'corpCode'>): string =>
  (row.targetType === badTargets.company ? row.corpCode : (row.workerId ?? row.teamId ?? row.expertId)) ?? ''

export { targetOf }

/** The columns a draft fills. */
export async function draftValues(ctx: Context, { projectCode }: Pick<Misconduct, 'projectCode'>, given: Fields, before?: Misconduct) {
  const { target, rectifyId, files, ...plain } = given
  requireType(given.targetType, given.type)
  if (given.score > mostPointsFor(given.targetType)) throw wrong('score', `扣分最多 ${mostPointsFor(given.targetType)} 分`)
  if (given.occurrenceDate && given.occurrenceDate > formatDay(ctx.clock.now())) throw wrong('occurrenceDate', '发生日期不能晚于今天')
  const found = await findTarget(ctx, { targetType: given.targetType, target, projectCode, occurrenceDate: null })
  return {
    ...plain,
    ...found,
    sourceId: await givenNotice(ctx, projectCode, rectifyId, before),
    files: await keptFiles(ctx, files, before?.files),
  }
}

/** @throws AppError `invalidInput` when the caller sees no such notice in the project */
async function givenNotice(
  ctx: Context,
  projectCode: string | null,
  id: string | null,
  before: Misconduct | undefined,
): Promise<string | null> {
  if (!id || id === before?.sourceId) return id
  const { rows } = await sql`select from rectify where id = ${id} and project_code = ${projectCode}`.execute(ctx.db)
  if (!rows[0]) throw wrong('rectifyId', '整改单不存在或不属于该项目')
  return id
}

type About = Pick<Target, 'workerId' | 'teamId' | 'expertId' | 'corpCode'> & {
  targetType: string
  type: string
  occurrenceDate: string | null
  rectifyId: string | null
}

/** Condition on `misconduct m`: records that may be about the same fact. */
export function sameFact(ctx: Pick<Context, 'group' | 'clock'>, id: string, about: About): Condition {
  const { targetType, workerId, teamId, expertId, corpCode, type, occurrenceDate: day, rectifyId } = about
  const near =
    day === null
      ? sql`false`
      : sql`m.type = ${type} and m.occurrence_date between ${addDays(day, -sameFactDays)}::date and ${addDays(day, sameFactDays)}::date`
  const who =
    targetType === badTargets.company
      ? sql`m.corp_code = ${corpCode}`
      : sql`coalesce(m.worker_id, m.team_id, m.expert_id) = ${workerId ?? teamId ?? expertId}`
  return allOf(
    seen(ctx),
    condition(sql`m.id <> ${id} and m.target_type = ${targetType} and m.state not in ('3', '7') and ${who}
      and (${near} or ${rectifyId}::text is not null and m.source_id = ${rectifyId})`),
  )
}

/** What submitting asks and sets: everything is complete, the target was there, and it is not the same fact again. */
export async function submitValues(ctx: Context, row: Place, given: Fields): Promise<Partial<Misconduct>> {
  if (!given.occurrenceDate) throw wrong('occurrenceDate', '请选择发生日期')
  if (given.fact.length < shortestFact) throw wrong('fact', `事实至少 ${shortestFact} 个字`)
  if (!given.basis) throw wrong('basis', '请填写认定依据')
  if (given.files.length === 0) throw wrong('files', '请上传证据')
  const { projectCode } = row
  const target = await findTarget(ctx, { ...given, projectCode })
  const decider = await findDecider(ctx, { ...given, projectCode, corpCode: target.corpCode })
  if (!given.apart) {
    const { rows } = await sql<{ code: string | null }>`select m.code from misconduct m left join project p using (project_code)
      where ${sameFact(ctx, row.id, { ...given, ...target })} limit 1`.execute(ctx.db)
    if (rows[0]) throw wrong('apart', `可能与 ${rows[0].code ?? '一份草稿'} 是同一事实，核对后确认不是再提交`)
  }
  return {
    ...target,
    proposerId: ctx.user.id,
    proposerName: ctx.user.name,
    proposeTime: new Date(ctx.clock.now()),
    decideGroup: decider.id,
    decideGroupName: decider.name,
    groups: [...new Set([ctx.group.id, decider.id])],
  }
}

/** Number of a record: of the series of its project, or of the library. Drawn once. */
export async function numberFor(ctx: Context, row: Misconduct): Promise<string> {
  if (row.code) return row.code
  const { rows } = await sql<{
    name: string
  }>`select coalesce(short_name, name) as name from project where project_code = ${row.projectCode}`.execute(ctx.db)
  const { year, no } = await drawNumber(ctx, row.projectCode ?? ctx.group.id, 'BL')
  return `${rows[0]?.name ?? '专家'}-BL-${year}-${String(no).padStart(3, '0')}`
}

/** What each action changes beside the state. */
export async function write(ctx: Context, row: Misconduct, body: Body): Promise<Outcome<Misconduct>> {
  const now = new Date(ctx.clock.now())
  const today = formatDay(now)
  switch (body.action) {
    case 'save':
    case 'submit': {
      const { action, version: _version, id: _id, ...fields } = body
      const values = await draftValues(ctx, row, fields, row)
      if (action === 'save') return { values }
      const submitted = await submitValues(ctx, row, fields)
      const after = { ...row, ...values, ...submitted }
      await holdExpert(ctx, after)
      return { values: { ...values, ...submitted, code: await numberFor(ctx, row) } }
    }
    case 'withdraw':
      await releaseExpert(ctx, row)
      return { values: { groups: [row.proposeGroup] } }
    case 'drop':
      return { opinion: body.opinion }
    case 'reject':
      await releaseExpert(ctx, row)
      return { values: { ...decided(ctx), decideOpinion: body.opinion }, opinion: body.opinion }
    case 'decide':
      return decide(ctx, row, body)
    case 'receive':
      return { values: received(row, `${ctx.group.name} ${ctx.user.name}`, now, today) }
    case 'serve': {
      const decideDay = row.decideTime ? formatDay(row.decideTime) : today
      if (body.receiveDate < decideDay || body.receiveDate > today) throw wrong('receiveDate', `送达日期应在 ${decideDay} 至 ${today} 之间`)
      const serveFiles = await keptFiles(ctx, body.files)
      const at = new Date(`${body.receiveDate}T12:00:00+08:00`)
      return { values: { ...received(row, body.receiver, at, today), serveFiles }, opinion: `${body.receiver} ${body.receiveDate} 收到` }
    }
    case 'appeal':
    case 'applyRepair':
      await openPlea(ctx, row, body.action === 'appeal' ? 'appeal' : 'repair', body)
      return { opinion: body.reason }
    case 'uphold':
      await answerPlea(ctx, row, false, body.opinion)
      return { opinion: body.opinion }
    case 'cancel':
      await answerPlea(ctx, row, true, body.opinion)
      return { values: await takeBack(ctx, row, true), opinion: body.opinion }
    case 'repair':
      await answerPlea(ctx, row, true, body.opinion)
      return { values: await takeBack(ctx, row, false), opinion: body.opinion }
    case 'refuseRepair':
      await answerPlea(ctx, row, false, body.opinion)
      return { opinion: body.opinion }
  }
}

const decided = (ctx: Context) => ({ deciderId: ctx.user.id, deciderName: ctx.user.name, decideTime: new Date(ctx.clock.now()) })

async function decide(ctx: Context, row: Misconduct, body: Extract<Body, { action: 'decide' }>): Promise<Outcome<Misconduct>> {
  const { level, score, months, appealDays, opinion } = body
  if (score > mostPointsFor(row.targetType)) throw wrong('score', `扣分最多 ${mostPointsFor(row.targetType)} 分`)
  const after = { ...row, level, score }
  const remembered = await applyEffects(ctx, after)
  // An expert's case stays with the library: nobody else learns of it.
  const shownAt = row.targetType === badTargets.expert ? null : new Date(ctx.clock.now())
  const { year, no } = await drawNumber(ctx, ctx.group.id, 'BLRD')
  const docCode = `${ctx.group.name}不良认定〔${year}〕第${String(no).padStart(4, '0')}号`
  return {
    values: { ...decided(ctx), ...remembered, level, score, months, appealDays, decideOpinion: opinion || null, shownAt, docCode },
    opinion: [opinion, `扣 ${score} 分，公示 ${months} 个月`, `出具${docCode}`].filter(Boolean).join('，'),
  }
}

/** The party has the decision: the publication begins, and the time to appeal runs from that day. */
const received = (row: Misconduct, receiver: string, receiveTime: Date, today: string) => ({
  receiver,
  receiveTime,
  publishStart: today,
  publishEnd: monthsLater(today, row.months ?? 0),
  appealUntil: addDays(formatDay(receiveTime), row.appealDays ?? 0),
})
