import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type StopAction, type StopState, stopMoves, stopStates, stopTypes } from '@zhugong/contract/stops/moves'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'
import { stopSeats } from './seats.ts'

/** An application with what its rules ask beyond its own columns. */
export type Application = Row<'stopapply'> & {
  /** The stop that it brought about has not ended. */
  holding: boolean
  /** Its first day has not come. */
  coming: boolean
}

export const selectApplication = sql`select a.*, exists (select from project_stop s where s.source = 'stopapply' and s.source_id = a.id
  and s.until_day is null) as holding, exists (select from project_stop s where s.source = 'stopapply' and s.source_id = a.id
  and s.until_day is null and not s.begun) as coming from stopapply a`

const isAuthority = (ctx: Context) => ctx.group.type === groupTypes.government
const isSupervisor = (ctx: Context, row: Application) => ctx.principal.scope.supervised.includes(row.projectCode)

/** 停复工申请: written by the owner, reviewed by 监理, decided by the authority. */
export const stopKind: Kind<Application, typeof stopMoves> & { seats: typeof stopSeats } = {
  kind: 'stopapply',
  noun: '申请',
  table: 'stopapply',
  moves: stopMoves,
  stateName: (state) => dictName('stopApplyState', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Application>`${selectApplication} where a.id = ${id} for update of a`.execute(ctx.db)
    return found(rows[0], '申请')
  },
  turns: {
    applicant: (ctx, row) => ctx.group.id === row.applyGroup,
    supervisor: isSupervisor,
    authority: isAuthority,
    judge: (ctx, row) => (row.state === stopStates.supervisor ? isSupervisor(ctx, row) : isAuthority(ctx)),
  },
  hinder: (_ctx, row, action) => hindrances[action]?.(row),
  seats: stopSeats,
  todos: (row) => todosOf(row),
}

const hindrances: Partial<Record<StopAction, (row: Application) => string | undefined>> = {
  approve: (row) => (row.type === stopTypes.resume ? '复工须先安排现场核查' : undefined),
  cancel: (row) => (row.coming ? undefined : '只有尚未开始的停工可以取消，已停工的项目由建设单位申请复工'),
  arrange: (row) => (row.type === stopTypes.resume ? undefined : '只有复工申请须现场核查'),
}

/** What an application is called for short: 停工, 复工, 终止监督. */
const shortNames: Readonly<Record<string, string>> = { 1: '停工', 2: '复工', 3: '终止监督' }
export const shortName = (type: string): string => shortNames[type] ?? type

type Doer = Pick<Todo, 'turn' | 'codes'> & { verb: string }
const decides: Doer = { turn: 'authority', codes: [stopMoves.approve.needs], verb: '审定' }
const doers: Partial<Record<StopState, Doer>> = {
  1: { turn: 'supervisor', codes: [stopMoves.agree.needs], verb: '审核' },
  2: decides,
  3: { ...decides, verb: '现场核查' },
}
/** Who has to act on an application in this state. */
export const doerOf = (state: string): Doer | undefined => doers[state as StopState]

function todosOf(row: Application): Todo[] {
  const doer = doerOf(row.state)
  const name = `${shortName(row.type)}申请 ${row.code ?? ''}`
  if (doer) {
    const isTheirs = doer.turn === 'authority' && row.authorityGroup !== null
    return [
      {
        turn: doer.turn,
        codes: doer.codes,
        title: `${doer.verb}${name}`,
        link: pageOf(row.id),
        due: row.state === stopStates.siteCheck ? row.checkDate : null,
        ...(isTheirs && row.authorityGroup ? { forGroup: row.authorityGroup } : {}),
      },
    ]
  }
  // A stop that holds ends by an application of its owner, planned for this day.
  if (row.state !== stopStates.passed || !row.holding) return []
  return [
    {
      turn: 'applicant',
      forGroup: row.applyGroup,
      codes: [stopMoves.submit.needs],
      title: `按期申请复工（停工 ${row.code ?? ''}）`,
      link: pageOf(row.id),
      due: row.planResumeDate,
    },
  ]
}

export const pageOf = (id: string): string => `/jgt/stopapply/details?id=${id}`

/** Names of the steps in an application's history. */
export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(stopMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
  begin: '停工生效',
  end: '停工结束',
  late: '逾期未复工',
}
