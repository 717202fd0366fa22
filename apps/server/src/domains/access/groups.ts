import { AppError } from '@zhugong/contract/kit/errors'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'

interface NewGroup {
  type: 1 | 2 | 3
  code: string
  name: string
  areaCode: string
  sysName?: string | null
}

/** Opens the group of accounts that an authority (type 1) or a project (type 3) is from its first moment, a company (2) once it is let in. */
export async function openGroup(ctx: Pick<Context, 'db' | 'newId'>, group: NewGroup): Promise<string> {
  const id = ctx.newId()
  try {
    await ctx.db
      .insertInto('tenant')
      .values({ id, ...group })
      .execute()
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('refused', `“${group.name}”已经开通`) : error
  }
  return id
}

interface GroupChange {
  sysName?: string | null
  logo?: string | null
  screen?: string | null
  lng?: number | null
  lat?: number | null
  primaryColor?: string | null
  /** JSON text. */
  settings?: string
}

/** Writes how a group appears and what it follows, unless somebody else did meanwhile. */
export async function changeGroup(ctx: Context, id: string, version: number, change: GroupChange): Promise<void> {
  const done = await ctx.db
    .updateTable('tenant')
    .set({ ...change, updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.name, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new AppError('conflict', '设置已被他人修改，请刷新后重试')
}
