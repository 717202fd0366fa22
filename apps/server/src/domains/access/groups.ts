import { AppError } from '@zhugong/contract/kit/errors'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'

interface NewGroup {
  type: 1 | 2 | 3
  code: string
  name: string
  areaCode: string
  sysName?: string | null
}

/** Creates the account group: for an authority (type 1) or a project (3) on creation, for a company (2) on admission. */
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

/** Updates a group's appearance and settings; throws if its version changed meanwhile. */
export async function changeGroup(ctx: Context, id: string, version: number, change: GroupChange): Promise<void> {
  await changeRow(ctx, 'tenant', { key: { id }, version, noun: '设置', by: ctx.user.name, values: { ...change } })
}
