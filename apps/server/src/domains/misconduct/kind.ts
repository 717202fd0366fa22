import { type BadState, badStates, badTargets, repairMonths } from '@zhugong/contract/misconduct/codes'
import { type BadAction, badMoves } from '@zhugong/contract/misconduct/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'
import { monthsLater } from './days.ts'

/** A record with what its rules ask beyond its own columns. */
export type Misconduct = Row<'misconduct'> & {
  /** The target's company leads the project: its site answers too. */
  ofLeader: boolean
  /** What the party asked for and nobody has decided. */
  openPlea: 'appeal' | 'repair' | null
  /** Appeals that were decided. */
  appealed: number
}

export const selectMisconduct = sql`select m.*, coalesce(p.contractor_corp_code = m.corp_code, false) as of_leader,
    (select x.kind from misconduct_plea x where x.misconduct_id = m.id and x.granted is null) as open_plea,
    (select count(*)::int from misconduct_plea x where x.misconduct_id = m.id and x.kind = 'appeal' and x.granted is not null) as appealed
  from misconduct m left join project p using (project_code)`

export const pageOf = ({ id }: Pick<Misconduct, 'id'>): string => `/misconductDetails?id=${id}`
export const stateName = (state: string): string => dictName('misconductState', state) ?? state
const isExpert = (row: Pick<Misconduct, 'targetType'>) => row.targetType === badTargets.expert
const isPerson = (row: Pick<Misconduct, 'targetType'>) => row.targetType === badTargets.worker || row.targetType === badTargets.team

/** The target's own company, its site, or the library of an expert, who has no account. */
export function isParty(
  ctx: Pick<Context, 'group'>,
  row: Pick<Misconduct, 'targetType' | 'corpCode' | 'projectCode' | 'decideGroup' | 'ofLeader'>,
): boolean {
  if (isExpert(row)) return ctx.group.id === row.decideGroup
  if (ctx.group.type === groupTypes.corporation) return ctx.group.code === row.corpCode
  return ctx.group.type === groupTypes.project && ctx.group.code === row.projectCode && (isPerson(row) || row.ofLeader)
}
const isOwnCompany = (ctx: Context, row: Misconduct) => ctx.group.type === groupTypes.corporation && ctx.group.code === row.corpCode
const isDecider = (ctx: Context, row: Misconduct) => ctx.group.id === row.decideGroup && !isOwnCompany(ctx, row)

/** 不良行为: whoever proposes never decides, and nobody decides on his own company. */
export const badKind: Kind<Misconduct, typeof badMoves> = {
  kind: 'badaction',
  noun: '不良行为',
  table: 'misconduct',
  moves: badMoves,
  stateName,
  lock: async (ctx, id) => {
    const { rows } = await sql<Misconduct>`${selectMisconduct} where m.id = ${id} for update of m`.execute(ctx.db)
    return found(rows[0], '不良行为记录')
  },
  turns: {
    proposer: (ctx, row) => ctx.group.id === row.proposeGroup,
    decider: isDecider,
    // An authority above the one that decided hears an appeal as well: row-level security shows it the projects of its area only.
    judge: (ctx, row) => isDecider(ctx, row) || (!isExpert(row) && ctx.group.type === groupTypes.government),
    party: isParty,
  },
  hinder: (ctx, row, action) => lacksCode(ctx, row, action) ?? hindrances[action]?.(ctx, row),
  todos: (row) => todosOf(row),
}

const expertCode = 'experts.misconduct'
/** One call serves both registers: each asks for its own code. */
function lacksCode(ctx: Context, row: Misconduct, action: BadAction): string | undefined {
  const [inspection] = badMoves[action].needs
  const code = isExpert(row) ? expertCode : inspection
  return ctx.principal.codes.has(code) ? undefined : `您没有${badMoves[action].label}的权限`
}

const notProposer = (ctx: Context, row: Misconduct) =>
  row.proposerId === ctx.user.id ? '提出人不能认定、驳回或审理自己提出的记录，请由另一人办理' : undefined
const pleaOpen = (row: Misconduct) =>
  row.openPlea === 'repair' ? '信用修复申请待处理' : row.openPlea === 'appeal' ? '申诉待处理' : undefined
const unreceived = (row: Misconduct) => (row.receiveTime === null ? '认定书未签收或送达' : undefined)
const today = (ctx: Pick<Context, 'clock'>) => formatDay(ctx.clock.now())

const hindrances: Partial<Record<BadAction, (ctx: Context, row: Misconduct) => string | undefined>> = {
  drop: (_ctx, row) => (row.system ? undefined : '只有系统建议可以不采纳，自己的草稿请删除'),
  decide: notProposer,
  reject: notProposer,
  receive: (_ctx, row) => (row.receiveTime ? `已于 ${formatDay(row.receiveTime)} 签收` : undefined),
  serve: (_ctx, row) => (row.receiveTime ? `已于 ${formatDay(row.receiveTime)} 送达` : undefined),
  appeal: (ctx, row) =>
    unreceived(row) ??
    pleaOpen(row) ??
    (row.appealed > 0 ? '申诉已有结论，不能再次申诉' : undefined) ??
    (row.appealUntil && row.appealUntil < today(ctx) ? `申诉期已于 ${row.appealUntil} 届满` : undefined),
  uphold: (ctx, row) =>
    notProposer(ctx, row) ?? (row.deciderId === ctx.user.id ? '认定人不能维持自己的认定，请由另一人或上级机构审理' : undefined),
  cancel: notProposer,
  applyRepair: (ctx, row) =>
    unreceived(row) ??
    pleaOpen(row) ??
    (row.publishStart && monthsLater(row.publishStart, repairMonths) > today(ctx)
      ? `公示满 ${repairMonths} 个月（${monthsLater(row.publishStart, repairMonths)}）后可申请修复`
      : undefined),
  repair: (ctx, row) => notProposer(ctx, row) ?? (row.openPlea === 'repair' ? undefined : '没有待处理的修复申请'),
  refuseRepair: (ctx, row) => notProposer(ctx, row) ?? (row.openPlea === 'repair' ? undefined : '没有待处理的修复申请'),
}

/** Days within which a proposal is decided, a decision received, a plea answered. */
const [decideDays, receiveDays, pleaDays] = [15, 5, 20]

function todosOf(row: Misconduct): Todo[] {
  const name = `${dictName('badActionTarget', row.targetType) ?? ''}不良行为 ${row.code ?? ''}`
  const link = pageOf(row)
  const codesOf = (action: BadAction) => (isExpert(row) ? [expertCode] : [badMoves[action].needs[0]])
  const byDecider = (title: string, days: number, since: Date | null): Todo[] =>
    row.decideGroup === null
      ? []
      : [
          {
            turn: 'decider',
            forGroup: row.decideGroup,
            codes: codesOf('decide'),
            title: `${title}${name}`,
            link,
            due: since && addDays(formatDay(since), days),
          },
        ]
  const state = row.state as BadState
  if (state === badStates.draft && row.system)
    return [
      {
        turn: 'proposer',
        forGroup: row.proposeGroup,
        codes: codesOf('submit'),
        title: `系统建议：${row.targetName}拒不整改`,
        link,
        due: null,
      },
    ]
  if (state === badStates.waiting) return byDecider('认定', decideDays, row.proposeTime)
  if (state === badStates.rejected && !row.system)
    return [{ turn: 'proposer', forGroup: row.proposeGroup, codes: codesOf('submit'), title: `已驳回，请修改：${name}`, link, due: null }]
  if (state === badStates.appealed) return byDecider('审理申诉：', pleaDays, row.updateTime)
  if (state !== badStates.decided) return []
  if (row.openPlea === 'repair') return byDecider('处理修复申请：', pleaDays, row.updateTime)
  if (row.receiveTime !== null) return []
  const due = row.decideTime && addDays(formatDay(row.decideTime), receiveDays)
  if (isExpert(row)) return byDecider('登记送达：', receiveDays, row.decideTime)
  return [row.partyGroup, isPerson(row) || row.ofLeader ? row.siteGroup : null].flatMap((forGroup): Todo[] =>
    forGroup === null ? [] : [{ turn: 'party', forGroup, codes: codesOf('receive'), title: `签收认定书：${name}`, link, due }],
  )
}

/** Names of the steps in a record's history. */
export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(badMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
  suggest: '系统建议',
  expire: '公示期满',
}
