import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import * as contract from '@zhugong/contract/places/units'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, found, oneProject } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { openProject } from './open-project.ts'

export function unitRoutes(serve: Serve): void {
  serve(contract.listUnitProjects, listUnitProjects)
  serve(contract.createUnitProject, createUnitProject)
  serve(contract.changeUnitProject, changeUnitProject)
  serve(contract.removeUnitProject, removeUnitProject)
}

/** Dictionary unitProjectState. */
const unitStates = { building: '1', stopped: '3', planned: '4', completed: '6', accepted: '7', closed: '8' } as const
/** 施工准备 and 已竣工 in dictionary projectPhase. */
const phases = { preparing: '1', accepted: '7' } as const

/** The state of a unit: what its whole project is held to, otherwise how far it has come itself. */
export function stateOfUnit({ phase, progressPercent }: Pick<Row<'unitProject'>, 'phase' | 'progressPercent'>, prjStatus: string): string {
  if (prjStatus === projectStates.closed) return unitStates.closed
  if (phase === phases.accepted) return unitStates.accepted
  if (progressPercent >= 100) return unitStates.completed
  if (prjStatus === projectStates.stopped) return unitStates.stopped
  return progressPercent === 0 && (phase === null || phase === phases.preparing) ? unitStates.planned : unitStates.building
}

const listUnitProjects: HandlerOf<typeof contract.listUnitProjects> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const { rows } = await sql<Row<'unitProject'> & { prjStatus: string }>`
    select u.*, p.prj_status from unit_project u join project p using (project_code)
    where u.project_code = ${projectCode} order by u.seq, u.id`.execute(ctx.db)
  const list = rows.map((unit) => {
    const state = stateOfUnit(unit, unit.prjStatus)
    return rowOf(contract.unitProject, unit, { state, stateName: dictName('unitProjectState', state) ?? state })
  })
  return { list, total: list.length }
}

const taken = (error: unknown) => (isUniqueViolation(error) ? new AppError('refused', '已有同名单体', { field: 'name' }) : error)

const createUnitProject: HandlerOf<typeof contract.createUnitProject> = async ({ body }, ctx) => {
  const { projectCode: named, ...fields } = body
  const projectCode = await openProject(ctx, named)
  const { rows } = await sql<{ n: number; last: number | null }>`
    select count(*)::int as n, max(seq) as last from unit_project where project_code = ${projectCode}`.execute(ctx.db)
  if ((rows[0]?.n ?? 0) >= contract.mostUnits) throw new AppError('refused', `最多 ${contract.mostUnits} 个单体`)
  const id = ctx.newId()
  await ctx.db
    .insertInto('unitProject')
    .values({ id, projectCode, seq: (rows[0]?.last ?? 0) + 1, ...fields, createBy: ctx.user.id, createTime: new Date(ctx.clock.now()) })
    .execute()
    .catch((error: unknown) => {
      throw taken(error)
    })
  ctx.note(`新增单体工程：${fields.name}`, projectCode)
  return { id, version: 0 }
}

async function unitFor(ctx: Context, id: string): Promise<Row<'unitProject'>> {
  const { rows } = await sql<Row<'unitProject'>>`select * from unit_project where id = ${id}`.execute(ctx.db)
  const unit = found(rows[0], '单体工程')
  await openProject(ctx, unit.projectCode)
  return unit
}

const changeUnitProject: HandlerOf<typeof contract.changeUnitProject> = async ({ params: { id }, body }, ctx) => {
  const { projectCode } = await unitFor(ctx, id)
  const { version, ...values } = body
  const change = { key: { id, projectCode }, version, noun: '单体工程', by: ctx.user.id, values }
  const next = await changeRow(ctx, 'unitProject', change).catch((error: unknown) => {
    throw taken(error)
  })
  ctx.note(`修改单体工程：${values.name}`, projectCode)
  return { id, version: next }
}

const removeUnitProject: HandlerOf<typeof contract.removeUnitProject> = async ({ params: { id } }, ctx) => {
  const { projectCode, name } = await unitFor(ctx, id)
  await sql`delete from unit_project where id = ${id} and project_code = ${projectCode}`.execute(ctx.db)
  ctx.note(`删除单体工程：${name}`, projectCode)
  return undefined
}
