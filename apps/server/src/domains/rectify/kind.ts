import { mostExtensions, type RectifyAction, type RectifyState, rectifyMoves } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { mayAct } from '#kit/acts'
import { formatDay } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Kind, Todo } from '../process/public.ts'
import type { Notice } from './notice.ts'
import { rectifySeats } from './seats.ts'
import { sourceOf } from './sources.ts'

const ofSite = (ctx: Context) => ctx.group.type === groupTypes.project
const supervises = (ctx: Context, projectCode: string) => ctx.principal.scope.supervised.includes(projectCode)

/**
 * 整改单: ordered by an authority, the site, its company or 监理; answered by the responsible company; reviewed by 监理; closed by
 * whoever issued it.
 */
export const rectifyKind: Kind<Notice, typeof rectifyMoves> & { seats: typeof rectifySeats } = {
  kind: 'rectify',
  noun: '整改单',
  table: 'rectify',
  moves: rectifyMoves,
  stateName: (state) => dictName('rectifyState', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Notice>`select r.*,
        exists (select from rectify_extension x where x.rectify_id = r.id and x.agreed is null) as extend_asked
      from rectify r where r.id = ${id} for update of r`.execute(ctx.db)
    return found(rows[0], '整改单')
  },
  turns: {
    issuer: (ctx, row) => ctx.group.id === row.issuerGroup,
    // The part in the project decides which company: `own` in the moves.
    responsible: (ctx) => ofSite(ctx) || ctx.group.type === groupTypes.corporation,
    // The signature call has the wider reach of its other seats, so the part in the project is asked here.
    addressee: (ctx, row) => (ofSite(ctx) || ctx.group.type === groupTypes.corporation) && mayAct(ctx, 'own', row),
    supervisor: (ctx, row) => supervises(ctx, row.projectCode),
  },
  hinder: (ctx, row, action) => hindrances[action]?.(ctx, row),
  seats: rectifySeats,
  todos: (row) => todosOf(row),
}

/** Who answered does not judge his own answer, and what was asked for once is not asked for again. */
const hindrances: Partial<Record<RectifyAction, (ctx: Context, row: Notice) => string | undefined>> = {
  jlPass: (ctx, row) => notTheReplier(ctx, row),
  jlReturn: (ctx, row) => notTheReplier(ctx, row),
  recheckPass: (ctx, row) => notTheReplier(ctx, row),
  recheckFail: (ctx, row) => notTheReplier(ctx, row),
  applyExtend: (_ctx, row) =>
    row.extendAsked ? '已有一次延期申请待审批' : row.extendCount >= mostExtensions ? `延期至多 ${mostExtensions} 次` : undefined,
  decideExtend: (_ctx, row) => (row.extendAsked ? undefined : '没有待审批的延期申请'),
  urge: (ctx, row) => (row.urgedAt && formatDay(row.urgedAt) === formatDay(ctx.clock.now()) ? '今天已经催办过，每天至多一次' : undefined),
}
const notTheReplier = (ctx: Context, row: Notice) => (row.replierId === ctx.user.id ? '回复人不能复核、复查自己的回复' : undefined)

type Doer = Pick<Todo, 'turn' | 'codes'> & { verb: string }
const replies: Doer = { turn: 'responsible', codes: [rectifyMoves.reply.needs], verb: '回复整改' }
const rechecks: Doer = { turn: 'issuer', codes: rectifyMoves.recheckPass.needs, verb: '复查整改' }
const doers: Partial<Record<RectifyState, Doer>> = {
  1: { turn: 'responsible', codes: [rectifyMoves.sign.needs], verb: '签收整改通知' },
  2: replies,
  3: replies,
  4: { turn: 'supervisor', codes: [rectifyMoves.jlPass.needs], verb: '复核整改' },
  5: rechecks,
  6: { ...replies, verb: '重新回复整改' },
}

/** Who has to act on a notice in this state. */
export const doerOf = (state: string): Doer | undefined => doers[state as RectifyState]

function todosOf(row: Notice): Todo[] {
  const doer = doerOf(row.state)
  if (!doer) return []
  const of = ({ turn, codes, verb }: Doer): Todo => ({
    turn,
    codes,
    title: `${verb} ${row.code ?? ''}`,
    link: turn === 'issuer' && row.origin === 'gov' ? `${verb === rechecks.verb ? recheckPage : govPage}?id=${row.id}` : pageOf(row),
    // Deciding an extension has no deadline of its own: only the notice climbs its ladder.
    due: verb === decidesExtension.verb ? null : row.deadline,
    ...(turn === 'issuer' ? { forGroup: row.issuerGroup } : {}),
  })
  return row.extendAsked ? [of(doer), of(decidesExtension)] : [of(doer)]
}
const decidesExtension: Doer = { turn: 'issuer', codes: rectifyMoves.decideExtend.needs, verb: '审批延期' }

/** Where an authority reads a notice, and where it rechecks a reply. */
const govPage = '/jgt/project/project_detail'
const recheckPage = '/jgt/project/shenhe'
/** The page on which both sides see a notice. */
export const pageOf = ({ id, origin, ...row }: Pick<Notice, 'origin' | 'id' | 'sourceKind' | 'sourceId'>): string =>
  sourceOf(row)?.noticePage?.(id) ??
  (origin === 'gov' ? `/safetySupervisionRectification/details?id=${id}` : `/safetyP/abarbeitung/details?id=${id}`)

/** Names of the steps in a notice's history: the actions of people, and what happens by itself. */
export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(rectifyMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
  mend: '当场改正',
  again: '再次告警',
  agrees: '读数已恢复',
  deem: '视同送达',
  entrust: '转办',
  late: '逾期提醒',
  stop: '全面停工',
  resume: '停工结束',
}
