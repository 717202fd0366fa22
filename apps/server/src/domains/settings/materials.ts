import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import * as contract from '@zhugong/contract/settings/materials'
import { sql } from 'kysely'
import { changedMeanwhile, changeRow } from '#kit/change-row'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor, requireProject } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'
import { paperForSite, takenFrom, withEarlier } from './company-papers.ts'

/** Documents that a site submits and a higher group reviews. */
export function materialRoutes(serve: Serve) {
  serve(contract.listMaterials, listMaterials)
  serve(contract.bringMaterial, bringMaterial)
  serve(contract.submitMaterials, submitMaterials)
  serve(contract.judgeMaterial, judgeMaterial)
  serve(contract.acceptMaterials, acceptMaterials)
  serve(contract.askMaterial, askMaterial)
}

const { brought, waiting, accepted, returned } = contract.materialStates
/** Maximum additional documents requested from one project. */
const mostRequested = 30

type Paper = Row<'projectMaterial'>
type Project = Pick<Row<'project'>, 'projectCode' | 'name' | 'prjStatus'>

/** The complete list of a project: standard items and additionally requested ones. */
export async function materialsOf(ctx: Pick<Context, 'db' | 'secrets' | 'clock'>, project: Project): Promise<contract.MaterialRow[]> {
  const rows = await ctx.db
    .selectFrom('projectMaterial')
    .selectAll()
    .where('projectCode', '=', project.projectCode)
    .orderBy('createTime')
    .orderBy('id')
    .execute()
  const byItem = new Map(rows.map((row) => [row.item, row]))
  const due = contract.stagesDue(project.prjStatus)
  const listed = Object.entries(contract.materialItems).map(([item, { name, stage, requiredBy, runsOut }]) => {
    const row = byItem.get(item)
    return row
      ? toRow(ctx, project, row)
      : {
          ...blank,
          projectCode: project.projectCode,
          projectName: project.name,
          item,
          name,
          stage,
          requiredBy,
          runsOut: Boolean(runsOut),
          ...without(due.includes(stage)),
        }
  })
  return [...listed, ...rows.filter((row) => !(row.item in contract.materialItems)).map((row) => toRow(ctx, project, row))]
}

const without = (due: boolean) => {
  const state = due ? 'missing' : 'later'
  return { state, stateName: contract.materialStateNames[state] ?? state }
}
const blank = {
  id: null,
  due: null,
  files: [],
  validEnd: null,
  notNeeded: null,
  opinion: null,
  askedBy: null,
  sourceName: null,
  judgedBy: null,
  judgeTime: null,
  updateBy: null,
  updateTime: null,
  earlier: [],
  version: 0,
} as const satisfies Partial<contract.MaterialRow>

/** The number of documents the site must act on: missing, returned or expired. */
export const lacking = (papers: readonly contract.MaterialRow[]): number =>
  papers.filter((one) => one.state === 'missing' || one.state === returned || one.due === 'ended').length

function toRow(ctx: Pick<Context, 'secrets' | 'clock'>, project: Project, row: Paper): contract.MaterialRow {
  const item = contract.materialItems[row.item]
  const today = formatDay(ctx.clock.now())
  const isBlank = row.files.length === 0 && row.notNeeded === null
  const state = isBlank ? 'missing' : row.state
  const end = row.state === accepted ? row.validEnd : null
  return rowOf(contract.materialRow, row, {
    projectName: project.name,
    stage: row.stage as contract.MaterialStage,
    requiredBy: item?.requiredBy ?? (row.askedBy ? `${row.askedBy} 要求` : ''),
    runsOut: Boolean(item?.runsOut),
    state,
    stateName: contract.materialStateNames[state] ?? state,
    due: end && end < today ? 'ended' : end && end <= addDays(today, contract.materialWarnDays) ? 'ending' : null,
    files: linksOf(ctx, row.files),
    sourceName: row.sourceId ? `企业资料，第 ${row.sourceEdition} 版` : null,
    judgeTime: row.judgeTime && formatInstant(row.judgeTime),
    updateTime: formatInstant(row.updateTime),
    earlier: row.earlier.map((one) => ({
      ...one,
      files: linksOf(ctx, one.files),
    })),
  })
}

const listMaterials: HandlerOf<typeof contract.listMaterials> = async ({ query }, ctx) => {
  if (query.projectCode === '*') return waitingEverywhere(ctx)
  requireProject(ctx, query.projectCode)
  const list = await materialsOf(ctx, await getProject(ctx, query.projectCode))
  const stages = (Object.entries(contract.materialStages) as [contract.MaterialStage, string][]).map(([stage, name]) => {
    const own = list.filter((one) => one.stage === stage)
    return { stage, name, total: own.length, done: own.filter((one) => one.state === accepted && one.due !== 'ended').length }
  })
  return { list, total: list.length, stages }
}

/** Documents waiting for review in all visible projects, oldest first. */
async function waitingEverywhere(ctx: Context) {
  const { rows } = await sql<Paper & { projectName: string; prjStatus: string }>`
    select m.*, p.name as project_name, p.prj_status from project_material m join project p using (project_code)
    where m.state = ${waiting} and ${allOf(...inProjects('m.projectCode', projectsFor(ctx)))} order by m.update_time, m.id limit 200`.execute(
    ctx.db,
  )
  const list = rows.map((row) => toRow(ctx, { projectCode: row.projectCode, name: row.projectName, prjStatus: row.prjStatus }, row))
  return { list, total: list.length, stages: [] }
}

async function getProject(ctx: Pick<Context, 'db'>, projectCode: string) {
  return found(
    await ctx.db
      .selectFrom('project')
      .select(['projectCode', 'name', 'prjStatus'])
      .where('projectCode', '=', projectCode)
      .executeTakeFirst(),
    '项目',
  )
}

async function openProject(ctx: Context, requested: string): Promise<Project> {
  const project = await getProject(ctx, oneProject(ctx, requested))
  if (project.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
  return project
}

const bringMaterial: HandlerOf<typeof contract.bringMaterial> = async ({ query, body }, ctx) => {
  const project = await openProject(ctx, query.projectCode)
  const before = await ctx.db
    .selectFrom('projectMaterial')
    .selectAll()
    .where('projectCode', '=', project.projectCode)
    .where('item', '=', body.item)
    .forUpdate()
    .executeTakeFirst()
  const item = contract.materialItems[body.item]
  if (!item && !before) throw new AppError('invalidInput', '资料清单中没有这一项', { field: 'item' })
  if ((before?.version ?? 0) !== body.version) throw changedMeanwhile('资料')
  const now = new Date(ctx.clock.now())
  const source = body.source === null ? undefined : await paperForSite(ctx, project.projectCode, body.source)
  if (item?.runsOut && body.notNeeded === null && !(source ? source.validEnd : body.validEnd))
    throw new AppError('invalidInput', source ? '该项须有有效期，所选企业资料未填写' : '请填写有效期至', { field: 'validEnd' })
  const current = source
    ? takenFrom(source, { at: now, by: ctx.user.name })
    : {
        files: JSON.stringify(await keptFiles(ctx, fileIdsOf(body.files), before?.files ?? [])),
        validEnd: body.validEnd,
        notNeeded: body.notNeeded,
        state: brought,
        opinion: null,
        judgedBy: null,
        judgeTime: null,
        updateTime: now,
        updateBy: ctx.user.name,
        sourceId: null,
        sourceEdition: null,
      }
  ctx.note(`上传项目资料 ${item?.name ?? before?.name}：${project.name}`, before?.id ?? project.projectCode)
  if (before) {
    await changeRow(ctx, 'projectMaterial', {
      key: { id: before.id },
      version: before.version,
      by: ctx.user.name,
      noun: '资料',
      values: { ...current, earlier: JSON.stringify(withEarlier(before)) },
    })
    return { id: before.id }
  }
  const id = ctx.newId()
  await ctx.db
    .insertInto('projectMaterial')
    .values({
      id,
      projectCode: project.projectCode,
      item: body.item,
      stage: item?.stage ?? '1',
      name: item?.name ?? '',
      createTime: now,
      ...current,
    })
    .execute()
  return { id }
}

const submitMaterials: HandlerOf<typeof contract.submitMaterials> = async ({ query, body }, ctx) => {
  const project = await openProject(ctx, query.projectCode)
  const done = await ctx.db
    .updateTable('projectMaterial')
    .set((eb) => ({ state: waiting, updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.name, version: eb('version', '+', 1) }))
    .where('projectCode', '=', project.projectCode)
    .where('stage', '=', body.stage)
    .where('state', '=', brought)
    .where((eb) => eb.or([eb('notNeeded', 'is not', null), sql<boolean>`jsonb_array_length(files) > 0`]))
    .executeTakeFirst()
  const submitted = Number(done.numUpdatedRows)
  if (submitted === 0) throw new AppError('refused', `${contract.materialStages[body.stage]}没有待提交的资料`, { field: 'stage' })
  ctx.note(`提交${contract.materialStages[body.stage]}资料 ${submitted} 项：${project.name}`, project.projectCode)
  return { submitted }
}

const judgement = (ctx: Context, state: string, opinion: string) => ({
  state,
  opinion: opinion || null,
  judgedBy: `${ctx.group.name} ${ctx.user.name}`,
  judgeTime: new Date(ctx.clock.now()),
})

const judgeMaterial: HandlerOf<typeof contract.judgeMaterial> = async ({ params, query, body }, ctx) => {
  const within = allOf(...inProjects('projectCode', projectsFor(ctx, query.projectCode)))
  const row = found(
    await ctx.db.selectFrom('projectMaterial').selectAll().where('id', '=', params.id).where(within).executeTakeFirst(),
    '资料',
  )
  const project = await openProject(ctx, row.projectCode)
  if (row.state !== waiting) throw new AppError('refused', '该资料不在待审状态')
  if (row.version !== body.version) throw changedMeanwhile('资料')
  await changeRow(ctx, 'projectMaterial', {
    key: { id: row.id },
    version: row.version,
    by: null,
    noun: '资料',
    values: { ...judgement(ctx, body.action === 'accept' ? accepted : returned, body.opinion) },
  })
  ctx.note(`${body.action === 'accept' ? '接收' : '退回'}项目资料 ${row.name}：${project.name}`, row.id)
  return undefined
}

const acceptMaterials: HandlerOf<typeof contract.acceptMaterials> = async ({ query, body }, ctx) => {
  const project = await openProject(ctx, query.projectCode)
  const done = await ctx.db
    .updateTable('projectMaterial')
    .set((eb) => ({ ...judgement(ctx, accepted, ''), version: eb('version', '+', 1) }))
    .where('projectCode', '=', project.projectCode)
    .where('stage', '=', body.stage)
    .where('state', '=', waiting)
    .executeTakeFirst()
  const count = Number(done.numUpdatedRows)
  if (count === 0) throw new AppError('refused', `${contract.materialStages[body.stage]}没有待审的资料`, { field: 'stage' })
  ctx.note(`接收${contract.materialStages[body.stage]}资料 ${count} 项：${project.name}`, project.projectCode)
  return { accepted: count }
}

const askMaterial: HandlerOf<typeof contract.askMaterial> = async ({ query, body }, ctx) => {
  const project = await openProject(ctx, query.projectCode)
  const all = await materialsOf(ctx, project)
  if (all.some((one) => one.name === body.name)) throw new AppError('refused', '清单中已有同名资料', { field: 'name' })
  if (all.filter((one) => one.askedBy).length >= mostRequested)
    throw new AppError('refused', `一个项目最多要求补充 ${mostRequested} 项资料`, { field: 'name' })
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  await ctx.db
    .insertInto('projectMaterial')
    .values({
      id,
      projectCode: project.projectCode,
      item: id,
      stage: body.stage,
      name: body.name,
      state: brought,
      validEnd: null,
      askedBy: ctx.group.name,
      createTime: now,
      updateTime: now,
      updateBy: ctx.user.name,
    })
    .execute()
  ctx.note(`要求补充资料 ${body.name}：${project.name}`, id)
  return { id }
}
