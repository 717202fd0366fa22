import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { projectFill } from '@zhugong/contract/organisation/model'
import * as contract from '@zhugong/contract/organisation/projects'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { oneProject, projectsFor } from '#kit/context'
import { allOf, contains, inProjects, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { followFence, storedFence } from './fences.ts'
import { projectColumns, sameName } from './project-input.ts'
import { createProject, createProjectFast } from './project-opening.ts'
import { chips, conditions, countWhere, getRaw, order, type RawProject, select, toRow } from './project-rows.ts'
import { missingForStart, requireOwnFacts } from './project-rules.ts'
import { removeProject, switchProjectStatus } from './project-states.ts'
import { changedFields, requireRegistrar } from './registration.ts'
import { changeProjectState, decideStateApply, listStateApplies } from './state-applies.ts'

export function projectRoutes(serve: Serve) {
  serve(contract.listProjects, listProjects)
  serve(contract.projectCounts, projectCounts)
  serve(contract.pickProjects, pickProjects)
  serve(contract.fillProject, fillProject)
  serve(contract.createProject, createProject)
  serve(contract.createProjectFast, createProjectFast)
  serve(contract.updateProject, updateProject)
  serve(contract.removeProject, removeProject)
  serve(contract.switchProjectStatus, switchProjectStatus)
  serve(contract.changeProjectState, changeProjectState)
  serve(contract.listStateApplies, listStateApplies)
  serve(contract.decideStateApply, decideStateApply)
  serve(contract.assignSupervisor, assignSupervisor)
  serve(contract.actualProject, actualProject)
}

export const listProjects: HandlerOf<typeof contract.listProjects> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const where = conditions(query, projectsFor(ctx))
  const { rows } =
    await sql<RawProject>`select * from (${select}) p where ${where} order by ${order(query.sort)} limit ${limit} offset ${offset}`.execute(
      ctx.db,
    )
  return { list: rows.map((row) => toRow(row, ctx)), total: await countWhere(ctx, where) }
}

const projectCounts: HandlerOf<typeof contract.projectCounts> = async (_input, ctx) => {
  const within = allOf(...inProjects('p.projectCode', projectsFor(ctx)))
  const { rows } = await sql<Record<keyof typeof chips | 'total', number>>`
      select count(*)::int as total, ${sql.join(
        Object.entries(chips).map(([name, condition]) => sql`count(*) filter (where ${condition})::int as ${sql.id(name)}`),
      )} from project p where ${within}`.execute(ctx.db)
  return rows[0] ?? { total: 0, building: 0, stopped: 0, toStart: 0, noSuperviseNo: 0, noFence: 0, silent: 0 }
}

const pickProjects: HandlerOf<typeof contract.pickProjects> = async ({ query }, ctx) => {
  const where = allOf(...contains('name', query.name), ...inProjects('projectCode', projectsFor(ctx)))
  const { limit, offset } = pageSlice(query)
  const rows = await ctx.db
    .selectFrom('project')
    .select(['projectCode', 'name', 'areaCode', 'prjStatus'])
    .where('enable', '=', '1')
    .where(where)
    .orderBy('areaCode')
    .orderBy('name')
    .limit(limit)
    .offset(offset)
    .execute()
  const total = await ctx.db
    .selectFrom('project')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('enable', '=', '1')
    .where(where)
    .executeTakeFirstOrThrow()
  return { list: rows.map((r) => ({ ...r, areaName: areaName(r.areaCode) })), total: total.n }
}

export const fillProject: HandlerOf<typeof contract.fillProject> = async ({ params }, ctx) => {
  const p = await getRaw(ctx, params.projectCode)
  return rowOf(projectFill, p, {
    ...toRow(p, ctx),
    areaRule: storedFence(p.areaRule),
    linkPhone: p.linkPhoneMask,
    sitePlan: p.sitePlan ?? null,
    missingForStart: await missingForStart(ctx.db, p),
  })
}

export const updateProject: HandlerOf<typeof contract.updateProject> = async ({ params, body }, ctx) => {
  const before = await getRaw(ctx, params.projectCode)
  if (before.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
  await requireRegistrar(ctx, before, changedFields(before, body))
  requireOwnFacts(ctx, before, body)
  if (body.areaRule !== undefined) await followFence(ctx, before, body.areaRule)
  try {
    await changeRow(ctx, 'project', {
      key: { projectCode: params.projectCode },
      version: body.version ?? before.version,
      noun: '项目',
      by: ctx.user.id,
      values: { ...projectColumns(ctx, body) },
    })
  } catch (error) {
    throw sameName(error)
  }
  ctx.note(`修改项目 ${before.name}`, params.projectCode)
  return undefined
}

const assignSupervisor: HandlerOf<typeof contract.assignSupervisor> = async ({ body }, ctx) => {
  for (const code of body.projectCodes) {
    const project = await getRaw(ctx, code)
    await requireRegistrar(ctx, project, changedFields(project, { superviseOrg: body.govCode }))
  }
  await ctx.db.updateTable('project').set({ superviseOrg: body.govCode }).where('projectCode', 'in', body.projectCodes).execute()
  ctx.note(`指派监督机构：${body.projectCodes.length} 个项目`, body.govCode)
  return undefined
}

const actualProject: HandlerOf<typeof contract.actualProject> = async ({ query }, ctx) => {
  const p = await getRaw(ctx, oneProject(ctx, query.projectCode))
  return {
    ...pick(
      p,
      'projectCode',
      'name',
      'prjStatus',
      'address',
      'lng',
      'lat',
      'contractorCorpName',
      'buildCorpName',
      'startDate',
      'completeDate',
      'onSite',
    ),
    prjStatusName: dictName('projectState', p.prjStatus),
    areaName: areaName(p.areaCode),
    areaRule: storedFence(p.areaRule),
    sitePlan: p.sitePlan ?? null,
    phaseName: dictName('projectPhase', p.phase),
  }
}
