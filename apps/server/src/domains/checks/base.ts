import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'

interface NewCheck {
  id: string
  /** A process type, for example safetyInspection. */
  kind: string
  projectCode: string
  inspectType: string
  checkTime: Date
  checkers: readonly string[]
  part: string
  placeId?: string | null
  remark: string | null
  photos?: string[]
  dangerLevel?: string | null
  problemCount?: number
  /** The company that it concerns; default: the whole site. */
  corpCode?: string | null
  /** Groups that know of it before it is shown; default: the caller's. */
  groups?: readonly string[]
}

/**
 * Begins a check of the caller's group; until it is submitted nobody else knows of it.
 * @throws AppError `refused` at `id` when another record has it
 */
export async function insertCheck(ctx: Context, { checkers, groups = [ctx.group.id], ...given }: NewCheck): Promise<void> {
  await ctx.db
    .insertInto('siteCheck')
    .values({
      ...given,
      checkers: [...checkers],
      groups: [...groups],
      checkerGroup: ctx.group.id,
      checkerGroupName: ctx.group.name,
      checkerId: ctx.user.id,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
}

/** Removes a check that was never submitted, with all that belongs to it. */
export async function removeCheck(ctx: Context, id: string): Promise<void> {
  await sql`delete from site_check where id = ${id} and state = '0'`.execute(ctx.db)
}

interface Submitted {
  code: string
  state: string
  shownAt: Date
  problemCount: number
  dangerLevel: string | null
}
/** Shows a check of a kind that keeps its own states beside it. `state`: that of its least advanced notice. */
export async function showCheck(ctx: Pick<Context, 'db' | 'clock'>, id: string, values: Submitted) {
  await changeRow(ctx, 'siteCheck', { key: { id }, version: null, noun: '检查', by: null, values })
}

/** What a task says of a check that has not begun, or how it went. */
type CheckValues = Partial<Pick<NewCheck, 'inspectType' | 'checkTime' | 'checkers' | 'remark' | 'part'>>
export async function changeCheck(ctx: Pick<Context, 'db'>, id: string, { checkers, ...values }: CheckValues): Promise<void> {
  await ctx.db
    .updateTable('siteCheck')
    .set({ ...values, ...(checkers ? { checkers: [...checkers] } : {}) })
    .where('id', '=', id)
    .execute()
}

/** Lets further groups know of a check and its problems before it is shown. */
export async function widenCheck(ctx: Pick<Context, 'db'>, id: string, groups: readonly string[]): Promise<void> {
  await sql`update site_check set groups = ${[...groups]} where id = ${id}`.execute(ctx.db)
  await sql`update site_check_problem set groups = ${[...groups]} where check_id = ${id}`.execute(ctx.db)
}
