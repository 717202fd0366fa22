import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import type { BadLikeness, badActionOfNotice, getBadAction, previewBadAction } from '@zhugong/contract/misconduct/calls'
import { badActionDetail } from '@zhugong/contract/misconduct/calls'
import { badStates, inForce, typeDictionary } from '@zhugong/contract/misconduct/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Condition } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { effectOf } from './effects.ts'
import { badKind, type Misconduct, stateName, stepLabels } from './kind.ts'
import { pleasOf } from './pleas.ts'
import { closeness, rowFor, shownFact, toRow } from './rows.ts'
import { findDecider, findTarget } from './targets.ts'
import { sameFact, targetOf } from './writes.ts'

const open: readonly string[] = [badStates.draft, badStates.waiting, badStates.rejected]
const daysUntil = (day: string, now: number) => Math.round((Date.parse(day) - Date.parse(formatDay(now))) / dayMs)

export const readBadAction: HandlerOf<typeof getBadAction> = async ({ params: { id } }, ctx) => {
  const row = found(await rowFor(ctx, id), '不良行为记录')
  const { whole } = closeness(ctx, row)
  const inner = row.groups.includes(ctx.group.id)
  const isPublished = inForce.some((state) => state === row.state) && row.publishEnd !== null
  const about = { ...row, rectifyId: row.sourceId }
  return rowOf(badActionDetail, row, {
    ...toRow(ctx, row),
    target: whole ? targetOf(row) : '',
    fact: shownFact(ctx, row),
    files: whole ? linksOf(ctx, row.files) : [],
    rectifyId: whole ? row.sourceId : null,
    rectifyCode: whole ? await noticeCode(ctx, row) : null,
    proposeName: inner ? row.proposerName : null,
    proposeTime: row.proposeTime && formatInstant(row.proposeTime),
    decideName: whole ? row.deciderName : null,
    decideTime: row.decideTime && formatInstant(row.decideTime),
    decideOpinion: whole ? row.decideOpinion : null,
    receiver: whole ? row.receiver : null,
    receiveTime: row.receiveTime && formatInstant(row.receiveTime),
    serveFiles: whole ? linksOf(ctx, row.serveFiles) : [],
    appealUntil: whole ? row.appealUntil : null,
    daysLeft: isPublished && row.publishEnd ? Math.max(0, daysUntil(row.publishEnd, ctx.clock.now())) : null,
    pleas: whole ? await pleasOf(ctx, id) : [],
    effect: inner && open.includes(row.state) ? await effectOf(ctx, row, row.score) : null,
    likes: inner && open.includes(row.state) ? await likesOf(ctx, sameFact(ctx, id, about)) : [],
    waiting: waitingText(row),
    // Before the decision the history names who proposed: that stays with the institution.
    timeline: whole
      ? (await historyOf(ctx, badKind.kind, id, stepLabels)).map((one) => (inner || !early.has(one.action) ? one : { ...one, byName: '' }))
      : [],
    actions: offersFor(ctx, badKind, row),
    removable: isRemovable(ctx, row),
  })
}
const early: ReadonlySet<string> = new Set(['create', 'suggest', 'submit', 'withdraw', 'save'])

export const isRemovable = (ctx: Context, row: Misconduct): boolean =>
  row.state === badStates.draft && !row.system && row.proposeGroup === ctx.group.id

async function noticeCode(ctx: Pick<Context, 'db'>, row: Misconduct): Promise<string | null> {
  if (row.sourceId === null) return null
  const { rows } = await sql<{ code: string | null }>`select code from rectify where id = ${row.sourceId}`.execute(ctx.db)
  return rows[0]?.code ?? null
}

const mostLikes = 10
async function likesOf(ctx: Context, where: Condition): Promise<BadLikeness[]> {
  const { rows } =
    await sql<Misconduct>`select m.*, false as of_leader, null::text as open_plea, 0 as appealed from misconduct m left join project p using (project_code)
    where ${where} order by m.occurrence_date desc nulls last, m.id limit ${mostLikes}`.execute(ctx.db)
  return rows.map((row) => ({
    ...pick(row, 'id', 'code', 'occurrenceDate'),
    typeName: dictName(typeDictionary(row.targetType), row.type) ?? row.type,
    fact: shownFact(ctx, row),
    stateName: stateName(row.state),
  }))
}

/** In one sentence: whose turn it is. */
function waitingText(row: Misconduct): string {
  switch (row.state) {
    case badStates.draft:
      return row.system ? '系统建议，由监督员核实后提交或不采纳' : '草稿，提交后进入审核'
    case badStates.waiting:
      return `等待${row.decideGroupName ?? ''}认定`
    case badStates.decided:
      if (row.receiveTime === null) return '等待当事人签收，签收或送达后开始公示'
      if (row.openPlea === 'repair') return `等待${row.decideGroupName ?? ''}处理信用修复申请`
      return `公示至 ${row.publishEnd ?? ''}`
    case badStates.appealed:
      return `等待${row.decideGroupName ?? ''}审理申诉，申诉期间不停止执行`
    default:
      return `记录${stateName(row.state)}`
  }
}

/** The form is incomplete while it is being filled in: what cannot be told yet is left empty. */
const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })

export const preview: HandlerOf<typeof previewBadAction> = async ({ query }, ctx) => {
  const { targetType, target, type, occurrenceDate = null, score = 0, rectifyId = null, id = '' } = query
  const projectCode = query.projectCode === '*' ? null : query.projectCode
  const who = await orNull(findTarget(ctx, { targetType, target, projectCode, occurrenceDate: null }))
  if (!who) return { effect: null, likes: [], decider: null }
  const about = { ...who, targetType, type, occurrenceDate, rectifyId, level: '2' }
  const decider = await orNull(findDecider(ctx, { targetType, degree: '4', projectCode, corpCode: who.corpCode }))
  return { effect: await effectOf(ctx, about, score), likes: await likesOf(ctx, sameFact(ctx, id, about)), decider: decider?.name ?? null }
}

export const ofNotice: HandlerOf<typeof badActionOfNotice> = async ({ query: { rectifyId } }, ctx) => {
  type Raw = {
    projectCode: string
    projectName: string
    corpCode: string
    corpName: string
    code: string | null
    deadline: string
    problems: string | null
  }
  const { rows } =
    await sql<Raw>`select r.project_code, p.name as project_name, r.corp_code, c.corp_name, r.code, r.deadline::text as deadline,
      (select string_agg(l.description, '；' order by l.seq) from rectify_line l where l.rectify_id = r.id and l.state <> 'passed') as problems
    from rectify r join project p using (project_code) join corporation c on c.corp_code = r.corp_code where r.id = ${rectifyId}`.execute(
      ctx.db,
    )
  const notice = found(rows[0], '整改单')
  const { rows: known } = await sql<{ id: string }>`select id from misconduct where source_id = ${rectifyId} and state not in ('3', '7')
    and ${ctx.group.id} = any (groups) order by create_time desc limit 1`.execute(ctx.db)
  const { problems, ...head } = notice
  const overdueDays = Math.max(0, -daysUntil(notice.deadline, ctx.clock.now()))
  return { ...head, overdueDays, fact: factOf(notice.code, notice.deadline, overdueDays, problems), existing: known[0]?.id ?? null }
}

const mostFact = 1_900
/** The fact that an overdue notice proves. */
export const factOf = (code: string | null, deadline: string, overdueDays: number, problems: string | null): string =>
  `整改通知 ${code ?? ''} 要求于 ${deadline} 前完成整改，${overdueDays > 0 ? `逾期 ${overdueDays} 天` : '至今'}未按要求完成。未整改问题：${problems ?? '—'}`.slice(
    0,
    mostFact,
  )
