import type { Context } from '#kit/context'
import type { NewRow, RowUpdate } from '#kit/db'
import type { Stay } from './stay-store.ts'

type Writer = Pick<Context, 'db' | 'clock' | 'user'>

/** Changes a stay as it was read; false when somebody else has changed it since. */
export async function changeStay(ctx: Writer, stay: Stay, changes: RowUpdate<'projectWorker'>): Promise<boolean> {
  const done = await ctx.db
    .updateTable('projectWorker')
    .set({ ...changes, version: stay.version + 1, updateBy: ctx.user.id, updateTime: new Date(ctx.clock.now()) })
    .where('id', '=', stay.id)
    .where('version', '=', stay.version)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}

/** The next row of the same person at the same site, from `at` (epoch ms), when the one before ended; what was checked, taught and handed out goes along. Answers its id. */
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
