import { expertMoves, expertStates } from '@zhugong/contract/experts/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Stated } from '../process/public.ts'

/** A file as the engine knows it: of its library, and of no project. */
export type Expert = Row<'expert'> & Pick<Stated, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>

export const toStated = (row: Row<'expert'>): Expert => ({
  ...row,
  projectCode: null,
  corpCode: null,
  shownAt: row.createTime,
  groups: [row.libraryGroup],
})

export const stateName = (state: string): string => dictName('expertState', state) ?? state
export const pageOf = ({ id }: Pick<Expert, 'id'>): string => `/person/expert/form?id=${id}`
/** Days within which an application is to be decided. */
const decideDays = 10
/** Days before the end of a term from which on it can be renewed. */
const mostAhead = 180
const isLibrary = (ctx: Pick<Context, 'group'>, row: Pick<Expert, 'libraryGroup'>) => row.libraryGroup === ctx.group.id

export const expertKind: Kind<Expert, typeof expertMoves> = {
  kind: 'expert',
  noun: '专家',
  table: 'expert',
  moves: expertMoves,
  stateName,
  lock: async (ctx, id) => {
    const { rows } = await sql<Row<'expert'>>`select * from expert where id = ${id} for update`.execute(ctx.db)
    return toStated(found(rows[0], '专家'))
  },
  turns: {
    library: (ctx, row) => isLibrary(ctx, row),
    wish: (ctx, row) => isLibrary(ctx, row) && row.wish !== null,
  },
  hinder: (ctx, row, action) => {
    const decides = action === 'pass' || action === 'accept'
    if (decides && row.writtenBy === ctx.user.id) return '登记人不能审核自己登记的专家，请由另一人审核'
    if (action === 'pass' && row.twin) return '该证件号在库内已有档案，请驳回并在原档案上办理'
    if (
      action === 'renew' &&
      row.state === expertStates.listed &&
      row.validEnd &&
      row.validEnd > addDays(formatDay(ctx.clock.now()), mostAhead)
    )
      return `聘期至 ${row.validEnd}，届满前 ${mostAhead} 日内才能续聘`
    return undefined
  },
  todos: (row) => {
    const waits = row.state === expertStates.waiting
    if (!waits && !(row.state === expertStates.listed && row.wish)) return []
    return [
      {
        turn: 'library',
        forGroup: row.libraryGroup,
        codes: [expertMoves.pass.needs],
        title: waits ? `专家入库审核：${row.name}` : `专家专业变更审核：${row.name}`,
        link: pageOf(row),
        due: addDays(formatDay(row.submitTime ?? row.updateTime), decideDays),
      },
    ]
  },
}

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(expertMoves).map(([action, { label }]) => [action, label])),
  create: '登记',
  apply: '提交申请',
  withdraw: '撤回申请',
  expire: '聘期届满',
}
