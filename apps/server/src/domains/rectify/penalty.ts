import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import {
  type changePenalty as contract,
  type PenaltyRow,
  penaltyDocType,
  penaltyMoves,
  penaltyStateNames,
  penaltyStates,
} from '@zhugong/contract/rectify/penalty'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { tellKeepers } from '../notify/public.ts'
import { drawNumber, type Kind, type Outcome, offersFor, replaceTodos, take, writeLog } from '../process/public.ts'
import { pageOf } from './kind.ts'
import type { Notice } from './notice.ts'

type Penalty = Row<'rectifyPenalty'>

/** 行政处罚建议书: drafted by the product, completed by an officer, issued by the head of the authority or dropped. */
export const penaltyKind: Kind<Penalty, typeof penaltyMoves> = {
  kind: 'rectifyPenalty',
  noun: '行政处罚建议书',
  table: 'rectifyPenalty',
  moves: penaltyMoves,
  stateName: (state) => penaltyStateNames[state] ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Penalty>`select * from rectify_penalty where id = ${id} for update`.execute(ctx.db)
    return found(rows[0], '行政处罚建议书')
  },
  turns: { issuer: (ctx, row) => ctx.group.id === row.issuerGroup },
  hinder: () => undefined,
  todos: (row) =>
    row.state === penaltyStates.draft
      ? [
          {
            turn: 'issuer',
            forGroup: row.issuerGroup,
            codes: [penaltyMoves.issue.needs],
            title: '审定行政处罚建议书',
            link: `/jgt/project/project_detail?id=${row.rectifyId}`,
            due: null,
          },
        ]
      : [],
}

/** Drafts the proposal of a notice that was rechecked in vain, unless there is one already. */
export async function draftPenalty(ctx: Context, notice: Notice): Promise<void> {
  const { rows: open } = await sql`select from rectify_penalty
    where rectify_id = ${notice.id} and state in (${penaltyStates.draft}, ${penaltyStates.issued})`.execute(ctx.db)
  if (open.length > 0) return
  const id = ctx.newId()
  await ctx.db
    .insertInto('rectifyPenalty')
    .values({
      id,
      rectifyId: notice.id,
      ...pick(notice, 'projectCode', 'corpCode', 'issuerGroup'),
      groups: [notice.issuerGroup],
      ...(await proposalOf(ctx, notice)),
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
  const row = await penaltyKind.lock(ctx, id)
  await writeLog(ctx, penaltyKind.kind, row, { action: 'create', from: null, to: row.state })
  await replaceTodos(ctx, penaltyKind, row)
}

/** The facts as the record has them, and the clauses of its problems; the amount is left to the officer. */
export async function proposalOf(ctx: Pick<Context, 'db'>, notice: Row<'rectify'>): Promise<{ facts: string; clause: string }> {
  const { rows: names } = await sql<{ project: string; corp: string }>`select p.name as project, c.corp_name as corp
    from project p, corporation c where p.project_code = ${notice.projectCode} and c.corp_code = ${notice.corpCode}`.execute(ctx.db)
  type Failed = { round: number; at: Date; reasons: string | null }
  const { rows: failed } = await sql<Failed>`select y.round, y.recheck_at as at,
      (select string_agg(l.seq || '. ' || l.description || '（' || coalesce(a.recheck_opinion, '') || '）', '；' order by l.seq)
        from rectify_answer a join rectify_line l on l.id = a.line_id
        where a.rectify_id = y.rectify_id and a.round = y.round and not a.recheck_passed) as reasons
    from rectify_reply y where y.rectify_id = ${notice.id} and not y.recheck_passed order by y.round`.execute(ctx.db)
  const { rows: clauses } = await sql<{ clause: string }>`select distinct clause from rectify_line
    where rectify_id = ${notice.id} and clause is not null order by 1`.execute(ctx.db)
  const { project = '', corp = '' } = names[0] ?? {}
  const issued = notice.issueTime ? formatDay(notice.issueTime) : ''
  const rounds = failed.map(({ round, at, reasons }) => `第 ${round} 轮 ${formatDay(at)} 复查不合格：${reasons ?? ''}`)
  return {
    facts: [
      `${corp}承建的${project}，经 ${notice.checkDate} 检查发现问题，${notice.issuerGroupName}于 ${issued} 下发 ${notice.code ?? ''}，责令限期整改。`,
      `经 ${failed.length} 次复查仍不合格。`,
      ...rounds.map((one) => `${one}。`),
    ]
      .join('\n')
      .slice(0, mostFacts),
    clause: [...(notice.majorClause ? [notice.majorClause] : []), ...clauses.map((one) => one.clause)].join('；').slice(0, mostClause),
  }
}
const mostFacts = 3_000
const mostClause = 1_000

/** The proposals of a notice that the caller may know of. */
export async function penaltiesOf(ctx: Context, notice: Pick<Notice, 'id'>): Promise<PenaltyRow[]> {
  const { rows } = await sql<Penalty>`select * from rectify_penalty where rectify_id = ${notice.id} order by create_time, id`.execute(
    ctx.db,
  )
  return rows.map((row) => {
    const { id, code, facts, clause, amountYuan, state, issuedBy, dropReason, version } = row
    return {
      ...{ id, code, facts, clause, amountYuan, state, issuedBy, dropReason, version },
      stateName: penaltyKind.stateName(state),
      createTime: formatInstant(row.createTime),
      issueTime: row.issueTime && formatInstant(row.issueTime),
      actions: offersFor(ctx, penaltyKind, row),
    }
  })
}

export const changePenalty: HandlerOf<typeof contract> = async ({ params, body }, ctx) => {
  const after = await take(ctx, penaltyKind, { ...body, id: params.id }, (row) => write(ctx, row, body))
  if (body.action === 'issue') await tellOfProposal(ctx, after)
  return undefined
}

async function write(ctx: Context, row: Penalty, body: ParsedFor<typeof contract>['body']): Promise<Outcome<Penalty>> {
  if (body.action === 'drop') return { values: { dropReason: body.reason }, opinion: body.reason }
  const { facts, clause, amountYuan = null } = body
  const values = { facts, clause, amountYuan }
  if (body.action === 'save') return { values }
  const now = new Date(ctx.clock.now())
  const { year, no } = await drawNumber(ctx, row.issuerGroup, penaltyDocType)
  const code = `${ctx.group.name}罚建〔${year}〕第${String(no).padStart(4, '0')}号`
  return { values: { ...values, code, shownAt: now, issueTime: now, issuedBy: ctx.user.name }, opinion: `出具${code}` }
}

async function tellOfProposal(ctx: Context, row: Penalty): Promise<void> {
  const { projectCode, corpCode, code, rectifyId } = row
  await tellKeepers(ctx, {
    projectCode,
    corpCode,
    code: 'inspection.rectifySign',
    title: '收到行政处罚建议书',
    text: code ?? '',
    link: pageOf({ origin: 'gov', id: rectifyId, sourceKind: null, sourceId: null }),
    kind: 'rectify',
  })
}
