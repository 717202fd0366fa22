import { adviceMoves, answerDays, complaint, unanswered } from '@zhugong/contract/advice/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Stated } from '../process/public.ts'

/** An item as the engine knows it: of the groups that handle it, and of no project, so that the project it is about learns nothing. */
export type Advice = Row<'advice'> & Pick<Stated, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>

export const toStated = (row: Row<'advice'>): Advice => ({
  ...row,
  projectCode: null,
  corpCode: null,
  shownAt: row.createTime,
  groups: row.secret ? row.handlers : [...row.handlers, row.submitterGroup],
})

export const typeName = (type: string): string => dictName('feedbackType', type) ?? type
/** Shown instead of the submitter of a complaint. */
const nobody = { anonymous: '匿名', named: '实名（已隐去）' } as const
export const maskOf = ({ anonymous }: Pick<Advice, 'anonymous'>): string => (anonymous ? nobody.anonymous : nobody.named)

const isSubmitter = (ctx: Pick<Context, 'user'>, row: Pick<Advice, 'submitterId'>) => row.submitterId === ctx.user.id

/** 意见反馈: put by anybody, answered by whom it is put to, asked again and closed by whoever put it. */
export const adviceKind: Kind<Advice, typeof adviceMoves> = {
  kind: 'advice',
  noun: '意见',
  table: 'advice',
  moves: adviceMoves,
  stateName: (state) => dictName('feedbackState', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Row<'advice'>>`select * from advice where id = ${id} for update`.execute(ctx.db)
    return toStated(found(rows[0], '意见'))
  },
  turns: {
    addressee: (ctx, row) => row.addresseeGroup === ctx.group.id && !isSubmitter(ctx, row),
    submitter: (ctx, row) => isSubmitter(ctx, row),
  },
  hinder: () => undefined,
  doer: (ctx, row) => {
    const hidden = row.secret && isSubmitter(ctx, row)
    return hidden ? { id: '', name: maskOf(row), groupName: '' } : { id: ctx.user.id, name: ctx.user.name, groupName: ctx.group.name }
  },
  todos: (row) => {
    if (row.state !== unanswered) return []
    const title = `${row.type === complaint ? '投诉举报' : '回复意见'}：${row.title}`
    return [
      {
        turn: 'addressee',
        forGroup: row.addresseeGroup,
        codes: [adviceMoves.reply.needs],
        title,
        link: pageOf(row),
        due: addDays(formatDay(row.askedAt), answerDays),
      },
    ]
  },
}

export const pageOf = ({ id }: Pick<Advice, 'id'>): string => `/jgt/adviceReply/reply?id=${id}`

/** Names of the steps in an item's history: the actions of people, and what happens by itself. */
export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(adviceMoves).map(([action, { label }]) => [action, label])),
  create: '提交',
  unmask: '查看投诉人',
  expire: '自动关闭',
}
