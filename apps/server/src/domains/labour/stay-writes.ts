import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import type { NewRow, RowUpdate } from '#kit/db'
import type { Stay } from './stay-store.ts'

type Writer = Pick<Context, 'db' | 'clock' | 'user'>

/** Updates a stay; throws if its version changed since it was read. */
export const changeStay = (ctx: Writer, stay: Stay, values: Omit<RowUpdate<'projectWorker'>, 'version' | 'updateBy'>): Promise<number> =>
  changeRow(ctx, 'projectWorker', { key: { id: stay.id }, version: stay.version, noun: '在册人员', by: ctx.user.id, values })

/**
 * Creates the person's next stay at the same site, from `at` (epoch ms), after the previous one ended. Checks, training and issued
 * items are copied. Returns its id.
 */
export async function continueStay(
  ctx: Writer & Pick<Context, 'newId'>,
  stay: Stay,
  place: Pick<Stay, 'corpCode' | 'teamId' | 'workType' | 'isTeamLeader'>,
  at: number,
): Promise<string> {
  const id = ctx.newId()
  const { createTime: _made, updateBy: _by, updateTime: _at, ...same } = stay
  const next = {
    ...same,
    ...place,
    id,
    entryTime: new Date(at),
    entryAttachment: JSON.stringify([]),
    exitAttachment: JSON.stringify([]),
    version: 0,
    createBy: ctx.user.id,
  }
  await ctx.db
    .insertInto('projectWorker')
    .values(next as NewRow<'projectWorker'>)
    .execute()
  return id
}
