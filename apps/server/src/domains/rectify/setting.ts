import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/rectify/calls'
import { majorLevel, stopNotices } from '@zhugong/contract/rectify/moves'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import type { Notice } from './notice.ts'

const noun = '整改设置'

const settingOf = (ctx: Pick<Context, 'db'>, projectCode: string) =>
  ctx.db.selectFrom('rectifySetting').selectAll().where('projectCode', '=', projectCode).executeTakeFirst()

export const getRectifySetting: HandlerOf<typeof contract.getRectifySetting> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const row = await settingOf(ctx, projectCode)
  return {
    projectCode,
    supervisorCloses: row?.supervisorCloses ?? false,
    changedBy: row?.changedBy ?? null,
    changedAt: row ? formatInstant(row.updateTime) : null,
    version: row?.version ?? 0,
  }
}

export const changeRectifySetting: HandlerOf<typeof contract.changeRectifySetting> = async ({ body }, ctx) => {
  const projectCode = oneProject(ctx, body.projectCode)
  const { supervisorCloses, version } = body
  const made = await ctx.db
    .insertInto('rectifySetting')
    .values({ id: ctx.newId(), projectCode, changedBy: ctx.user.name })
    .onConflict((oc) => oc.doNothing())
    .returning('projectCode')
    .executeTakeFirst()
  if (made && version !== 0) throw new AppError('conflict', `${noun}已被他人修改，请刷新后重试`)
  const values = { supervisorCloses, changedBy: ctx.user.name }
  await changeRow(ctx, 'rectifySetting', { key: { projectCode }, version, noun, by: ctx.user.id, values })
  ctx.note(`${supervisorCloses ? '允许' : '不再允许'}监理闭合一般隐患`, projectCode)
  return undefined
}

/** Whether the review of 监理 closes this notice: an ordinary hazard that the site itself ordered to be mended, where the site says so. */
export async function closedByReview(ctx: Context, row: Notice): Promise<boolean> {
  if (row.origin !== 'site' || row.level === majorLevel || stopNotices.includes(row.noticeType)) return false
  return (await settingOf(ctx, row.projectCode))?.supervisorCloses ?? false
}
