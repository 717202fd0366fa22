import { drawMoves, drawStates } from '@zhugong/contract/experts/moves'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Stated } from '../process/public.ts'

/** A draw as the engine knows it: of its organiser and its library. Its history names nobody. */
export type ExpertDraw = Omit<Row<'expertDraw'>, 'shownAt' | 'groups'> &
  Pick<Stated, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'> & {
    /** Who may see the names before the meeting. */
    knowing: string[]
    namesShownAt: Date | null
  }

export const toStated = ({ groups, shownAt, ...row }: Row<'expertDraw'>): ExpertDraw => ({
  ...row,
  projectCode: null,
  corpCode: null,
  shownAt: row.frozenAt,
  groups: [...new Set([row.organiserGroup, row.libraryGroup])],
  knowing: groups,
  namesShownAt: shownAt,
})

/** Whether the caller may see whom the draw named. */
export const mayName = (ctx: Pick<Context, 'group'>, row: Pick<Row<'expertDraw'>, 'groups' | 'shownAt'>): boolean =>
  row.shownAt !== null || row.groups.includes(ctx.group.id)

export const stateName = (state: string): string => drawStates[state as unknown as keyof typeof drawStates] ?? state
export const pageOf = ({ id }: Pick<ExpertDraw, 'id'>): string => `/person/expert/list?tab=draws&drawId=${id}`

export const drawKind: Kind<ExpertDraw, typeof drawMoves> = {
  kind: 'expertDraw',
  noun: '抽取',
  table: 'expertDraw',
  moves: drawMoves,
  stateName,
  lock: async (ctx, id) => {
    const { rows } = await sql<Row<'expertDraw'>>`select * from expert_draw where id = ${id} for update`.execute(ctx.db)
    return toStated(found(rows[0], '抽取'))
  },
  turns: {
    organiser: (ctx, row) => row.organiserGroup === ctx.group.id,
    caller: (ctx, row) => row.knowing.includes(ctx.group.id),
  },
  hinder: () => undefined,
  todos: (row) => {
    if (row.state === '0')
      return [
        {
          turn: 'organiser',
          forGroup: row.organiserGroup,
          codes: [drawMoves.draw.needs],
          title: `专家论证抽取：${row.title}`,
          link: pageOf(row),
          due: row.meetingDate,
        },
      ]
    if (row.state !== '1') return []
    const calls = row.knowing.includes(row.organiserGroup) ? row.organiserGroup : row.libraryGroup
    return [
      {
        turn: 'caller',
        forGroup: calls,
        codes: [drawMoves.reply.needs],
        title: `专家论证答复：${row.title}`,
        link: pageOf(row),
        due: row.meetingDate,
      },
    ]
  },
}

export const drawSteps: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(drawMoves).map(([action, { label }]) => [action, label])),
  create: '冻结名单',
  silent: '无应答，自动顺延',
}
