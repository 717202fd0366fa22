import { createHash } from 'node:crypto'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { taskStates } from '@zhugong/contract/measuring/moves'
import { type createMeasureTask, mostTaskPlaces, mostTasksAtOnce } from '@zhugong/contract/measuring/tasks'
import { nameJoint } from '@zhugong/contract/places/tree'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { requirePresentUnit } from '../labour/public.ts'
import { drawNumber, replaceTodos, writeLog } from '../process/public.ts'
import { type Task, taskKind } from './kind.ts'
import { judgingColumns } from './rules.ts'

type Body = ParsedFor<typeof createMeasureTask>['body']
type Rule = Row<'measureRule'>
type Place = Pick<Row<'sitePlace'>, 'id' | 'kind' | 'path' | 'fullName' | 'archivedAt'>
const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })

export interface Member {
  id: string
  name: string
  groupId: string
  groupName: string
}
export async function membersOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<Member[]> {
  const { rows } = await sql<Member>`select * from zg_measure_members(${projectCode})`.execute(ctx.db)
  return rows
}

/** Creates one task, or one for every floor; answers their ids, also for a repeated request. */
export async function createTasks(ctx: Context, requested: string, body: Body): Promise<string[]> {
  const projectCode = oneProject(ctx, requested)
  if (ctx.group.type === groupTypes.government) throw new AppError('forbidden', '实测实量由企业或项目组织')
  const template = await templateFor(ctx, body.templateId)
  const rules = await rulesOf(ctx, template.id)
  if (rules.length === 0) throw wrong('templateId', '该模板还没有评判规则')
  if (body.unitCorp) await requirePresentUnit(ctx, projectCode, body.unitCorp, 'unitCorp', '责任分包')
  if (body.deadline !== null && body.deadline < formatDay(ctx.clock.now())) throw wrong('deadline', '要求完成日期不能早于今天')
  const members = await membersOf(ctx, projectCode)
  const memberId = body.action === 'own' ? ctx.user.id : body.memberId
  const member = members.find((one) => one.id === memberId)
  if (!member) throw wrong('memberId', body.action === 'own' ? '您不是本项目的测量人员' : '该人员没有本项目的实测实量录入权限')
  const places = await placesFor(ctx, projectCode, body.placeIds)
  const batches = body.action === 'assign' && body.perFloor ? byFloor(body.id, places) : [{ id: body.id, floor: null, places }]
  if (batches.length > mostTasksAtOnce) throw wrong('placeIds', `一次最多指派 ${mostTasksAtOnce} 个任务`)
  const ids = batches.map((one) => one.id)
  const { rows: known } = await sql<{
    id: string
    createBy: string
  }>`select id, create_by from measure_task where id = any (${ids})`.execute(ctx.db)
  if (known.some((one) => one.createBy !== ctx.user.id)) throw new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' })
  const made = new Set(known.map((one) => one.id))
  for (const batch of batches) if (!made.has(batch.id)) await insertTask(ctx, { projectCode, body, template, rules, member, ...batch })
  ctx.note(`${body.action === 'own' ? '自建' : '指派'}实测实量任务 ${ids.length} 个：${body.taskName}`, ids)
  return ids
}

async function templateFor(ctx: Context, id: string): Promise<Row<'measureTemplate'>> {
  const { rows } = await sql<Row<'measureTemplate'>>`select * from measure_template where id = ${id}`.execute(ctx.db)
  if (!rows[0]) throw wrong('templateId', '模板不存在或已删除')
  return rows[0]
}
async function rulesOf(ctx: Context, templateId: string): Promise<Rule[]> {
  const { rows } = await sql<Rule>`select * from measure_rule where template_id = ${templateId} and superseded_at is null
    order by item_code, standard_name, id`.execute(ctx.db)
  return rows
}

/** @throws AppError at `placeIds` unless all are rooms, floors or areas in use of the project */
async function placesFor(ctx: Context, projectCode: string, ids: readonly string[]): Promise<Place[]> {
  const { rows } = await sql<Place>`select id, kind, path, full_name, archived_at from site_place
    where id = any (${[...new Set(ids)]}) and project_code = ${projectCode} order by full_name, id`.execute(ctx.db)
  if (rows.length !== new Set(ids).size) throw wrong('placeIds', '部位不存在或不属于该项目')
  const archived = rows.find((one) => one.archivedAt !== null)
  if (archived) throw wrong('placeIds', `${archived.fullName} 已停用，请重新选择`)
  const coarse = rows.find((one) => one.kind === 'building' || one.kind === 'unit')
  if (coarse) throw wrong('placeIds', `${coarse.fullName} 是楼栋或单元，请选择楼层或房间`)
  return rows
}

/** A task for every floor, with ids that follow from the device's. */
function byFloor(id: string, places: readonly Place[]) {
  const floorOf = (place: Place) => (place.kind === 'room' ? (place.path.at(-2) ?? place.id) : place.id)
  return [...Map.groupBy(places, floorOf)].map(([floor, within]) => ({
    id: createHash('md5').update(`${id} ${floor}`).digest('hex'),
    floor: within[0]?.kind === 'room' ? within[0].fullName.split(nameJoint).slice(0, -1).join(nameJoint) : (within[0]?.fullName ?? null),
    places: within,
  }))
}

/** How several places are called together: the place around them. */
export function commonName(places: readonly Pick<Place, 'fullName'>[]): string {
  const [first, ...others] = places.map((one) => one.fullName.split(nameJoint))
  if (!first) return ''
  if (others.length === 0) return first.join(nameJoint)
  const shared = first.filter((name, i) => others.every((one) => one[i] === name && first.slice(0, i).every((n, k) => one[k] === n)))
  return shared.length > 0 ? `${shared.join(nameJoint)}（${places.length} 处）` : `${first.join(nameJoint)} 等 ${places.length} 处`
}

interface Given {
  id: string
  projectCode: string
  body: Body
  template: Row<'measureTemplate'>
  rules: readonly Rule[]
  member: Member
  floor: string | null
  places: readonly Place[]
}

async function insertTask(ctx: Context, { id, projectCode, body, template, rules, member, floor, places }: Given): Promise<void> {
  if (places.length > mostTaskPlaces) throw wrong('placeIds', `一个任务最多 ${mostTaskPlaces} 个部位，请按楼层分别指派`)
  const now = new Date(ctx.clock.now())
  const { year, no } = await drawNumber(ctx, projectCode, 'measureTask')
  const own = body.action === 'own'
  const of = { taskId: id, projectCode, corpCode: body.unitCorp }
  const points = rules.reduce((sum, one) => sum + one.areaCount * one.pointCount, 0)
  await ctx.db
    .insertInto('measureTask')
    .values({
      id,
      projectCode,
      corpCode: body.unitCorp,
      shownAt: now,
      groups: [ctx.group.id],
      taskNo: `CL-${year}-${String(no).padStart(4, '0')}`,
      taskName: floor === null ? body.taskName : `${body.taskName} ${floor.split(nameJoint).join(' ')}`.slice(0, 100),
      checkType: ctx.group.type === groupTypes.project ? '2' : '1',
      templateId: template.id,
      templateName: template.name,
      templateRevision: template.revision,
      targetRate: template.targetRate,
      placeName: commonName(places),
      placeCount: places.length,
      authorGroup: ctx.group.id,
      authorGroupName: ctx.group.name,
      memberId: member.id,
      memberName: member.name,
      memberGroup: member.groupId,
      deadline: body.deadline,
      totalItems: rules.length,
      totalPoints: points * places.length,
      state: own ? taskStates.own : taskStates.assigned,
      createBy: ctx.user.id,
      createTime: now,
    })
    .execute()
  await ctx.db
    .insertInto('measureTaskPlace')
    .values(places.map((place, seq) => ({ ...of, placeId: place.id, seq })))
    .execute()
  await ctx.db
    .insertInto('measureTaskItem')
    .values(rules.map((rule, i) => ({ ...of, ...itemColumns(rule), no: i + 1, ruleId: rule.id })))
    .execute()
  const row: Task = await taskKind.lock(ctx, id)
  await writeLog(ctx, taskKind.kind, row, { action: own ? 'own' : 'create', from: null, to: row.state })
  await replaceTodos(ctx, taskKind, row)
}

/** What a task takes over of a rule. */
const itemColumns = (rule: Rule) => pick(rule, 'originId', 'revision', ...judgingColumns)
