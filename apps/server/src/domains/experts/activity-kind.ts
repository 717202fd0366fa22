import { activityMoves, activityStates } from '@zhugong/contract/experts/moves'
import { sql } from 'kysely'
import { addDays } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Stated } from '../process/public.ts'

/** An activity as the engine knows it: of its organiser and of the library. Its history names nobody. */
export type Activity = Omit<Row<'expertActivity'>, 'shownAt' | 'groups'> & Pick<Stated, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>

export const toStated = ({ groups: _groups, shownAt: _shown, ...row }: Row<'expertActivity'>): Activity => ({
  ...row,
  projectCode: null,
  corpCode: null,
  shownAt: row.createTime,
  groups: [...new Set([row.organiserGroup, row.libraryGroup])],
})

export const stateName = (state: string): string => activityStates[state as unknown as keyof typeof activityStates] ?? state
export const pageOf = ({ id }: Pick<Activity, 'id'>): string => `/person/expert/dailyActivity?id=${id}`
/** Days after the activity within which it is filed. */
const fileDays = 7

export const activityKind: Kind<Activity, typeof activityMoves> = {
  kind: 'expertActivity',
  noun: '活动',
  table: 'expertActivity',
  moves: activityMoves,
  stateName,
  lock: async (ctx, id) => {
    const { rows } = await sql<Row<'expertActivity'>>`select * from expert_activity where id = ${id} for update`.execute(ctx.db)
    return toStated(found(rows[0], '活动'))
  },
  turns: { organiser: (ctx: Pick<Context, 'group'>, row) => row.organiserGroup === ctx.group.id },
  hinder: () => undefined,
  todos: (row) =>
    row.state === '2' || row.state === '3'
      ? [
          {
            turn: 'organiser',
            forGroup: row.organiserGroup,
            codes: [activityMoves.conclude.needs],
            title: `专家活动归档：${row.title}`,
            link: pageOf(row),
            due: addDays(row.date, fileDays),
          },
        ]
      : [],
}

export const activitySteps: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(activityMoves).map(([action, { label }]) => [action, label])),
  create: '新建',
}
