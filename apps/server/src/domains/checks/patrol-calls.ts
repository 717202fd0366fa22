import type { PatrolAction } from '@zhugong/contract/checks/patrol-moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { createOnce, forgetRecord, type Outcome, offersFor, take, writeLog } from '../process/public.ts'
import { registerNoticeSource } from '../rectify/public.ts'
import { insertCheck } from './base.ts'
import type { Check, Patrol, PatrolKind } from './patrol-kind.ts'
import { inspectTypeOf, type PatrolFields, patrolColumns, writePatrol } from './patrol-writes.ts'
import { forgetProblemPhotos, writeProblems } from './problems.ts'

/** Problems of a patrol as a source of notices. */
export function registerPatrolSource({ kind, noun, page }: Patrol): void {
  registerNoticeSource(kind, {
    title: noun,
    page,
    projectOf: async (ctx, id) => {
      const { rows } = await sql<{ projectCode: string }>`select project_code from site_check where id = ${id} and kind = ${kind}`.execute(
        ctx.db,
      )
      return rows[0]?.projectCode
    },
  })
}

export const answerOf = ({ id, code, version, state }: Check) => ({ id, code, version, state })

interface Given<Fields> {
  id: string
  action: PatrolAction
  projectCode: string
  fields: Fields
  /** Dictionary inspectType; default: by who holds the check. */
  inspectType?: string
}
/** What one kind of patrol writes beside the base row and its problems, before the base row is written. */
type More<Fields> = (ctx: Context, row: Check, fields: Fields, action: PatrolAction) => Promise<void>
const nothing = async () => {}

/** Creates a draft, or submits at once. The device names the id: a repeated request creates nothing more. */
export async function createPatrol<Fields extends PatrolFields>(
  ctx: Context,
  patrol: Patrol,
  kind: PatrolKind,
  { id, action, projectCode, fields, inspectType = inspectTypeOf(ctx, projectCode) }: Given<Fields>,
  more: More<Fields> = nothing,
) {
  const row = await createOnce(ctx, kind, id, {
    among: sql`kind = ${patrol.kind}`,
    insert: async () => {
      const columns = await patrolColumns(ctx, projectCode, fields, [])
      await insertCheck(ctx, { id, kind: patrol.kind, ...columns, projectCode, inspectType })
    },
    again: ({ version }) => takePatrol(ctx, patrol, kind, { id, action, version, fields }, more),
    begin: async (draft) => {
      if (action !== 'save') return takePatrol(ctx, patrol, kind, { id, action, version: draft.version, fields }, more)
      await more(ctx, draft, fields, action)
      await writeProblems(ctx, draft, fields.problems)
      await writeLog(ctx, kind.kind, draft, { action: 'create', from: null, to: draft.state })
      ctx.note(`起草${patrol.noun}`, id)
      return draft
    },
  })
  return answerOf(row)
}

interface Change<Fields> {
  id: string
  action: PatrolAction
  version: number
  fields: Fields
}

/** Saves or submits a draft. */
export async function changePatrol<Fields extends PatrolFields>(
  ctx: Context,
  patrol: Patrol,
  kind: PatrolKind,
  change: Change<Fields>,
  more: More<Fields> = nothing,
) {
  return answerOf(await takePatrol(ctx, patrol, kind, change, more))
}

async function takePatrol<Fields extends PatrolFields>(
  ctx: Context,
  patrol: Patrol,
  kind: PatrolKind,
  { id, action, version, fields }: Change<Fields>,
  more: More<Fields>,
): Promise<Check> {
  const write = async (row: Check): Promise<Outcome<Check>> => {
    await more(ctx, row, fields, action)
    return writePatrol(ctx, patrol, row, action, fields)
  }
  return take(ctx, kind, { id, action, version }, write)
}

/** Throws a draft away. Whoever may still change it may also do that. */
export async function removePatrol(ctx: Context, kind: PatrolKind, id: string): Promise<void> {
  const row = await kind.lock(ctx, id)
  if (!offersFor(ctx, kind, row).some((one) => one.action === 'save')) throw new AppError('refused', '只有检查方可以删除，且只能删除草稿')
  await forgetRecord(ctx, kind.kind, id)
  await forgetProblemPhotos(ctx, id)
  await sql`delete from site_check where id = ${id}`.execute(ctx.db)
  ctx.note(`删除${kind.noun}草稿`, id)
}
