import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { familyOf } from '@zhugong/contract/telemetry/families'
import * as contract from '@zhugong/contract/works/calls'
import { reviewResults, type WorkAction, workMoves } from '@zhugong/contract/works/moves'
import { signWork } from '@zhugong/contract/works/seats'
import { sql } from 'kysely'
import { type Context, found, groupTypes, oneProject, projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { concludedReviews } from '../experts/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { registerPlaceUse } from '../places/public.ts'
import { drawNumber, forgetRecord, offersFor, replaceTodos, sign, take, writeLog } from '../process/public.ts'
import { readWork } from './detail.ts'
import { pageOf, source, workKind } from './kind.ts'
import type { Work } from './missing.ts'
import { conditions, countRows, countsOf, readRows, suspectsOf, toRow } from './rows.ts'
import { type Body, workColumns, writeWork } from './writes.ts'

export function workRoutes(serve: Serve): void {
  registerPlaceUse(placesOfWorks)
  serve(contract.listWorks, listWorks)
  serve(contract.workChoices, choices)
  serve(contract.getWork, readWork)
  serve(contract.createWork, createWork)
  serve(contract.changeWork, changeWork)
  serve(contract.removeWork, removeWork)
  serve(signWork, ({ params, body }, ctx) => sign(ctx, workKind, params.id, body).then(() => undefined))
}

async function placesOfWorks(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`select distinct place_id from bigproject where place_id = any (${[...ids]})`.execute(
    ctx.db,
  )
  return rows.map((one) => one.placeId)
}

const listWorks: HandlerOf<typeof contract.listWorks> = async ({ query }, ctx) => {
  const where = conditions(query)
  const rows = await readRows(ctx, where, query.projectCode, { sort: query.sort, ...pageSlice(query) })
  return {
    list: rows.map(toRow),
    total: await countRows(ctx, where, query.projectCode),
    counts: await countsOf(ctx, query.projectCode),
    suspects: await suspectsOf(ctx, query.projectCode),
  }
}

/** Number series of a project's dangerous works. */
const series = 'WD'

const createWork: HandlerOf<typeof contract.createWork> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  if (ctx.group.type === groupTypes.government) throw new AppError('forbidden', '危大工程由施工单位登记')
  const columns = await workColumns(ctx, projectCode, body)
  requireOwn(ctx, projectCode, columns.corpCode)
  const { rows } = await sql<{
    name: string
  }>`select coalesce(short_name, name) as name from project where project_code = ${projectCode}`.execute(ctx.db)
  const now = new Date(ctx.clock.now())
  const { year, no } = await drawNumber(ctx, projectCode, series)
  const id = ctx.newId()
  const code = `${found(rows[0], '项目').name}-${series}-${year}-${String(no).padStart(3, '0')}`
  await ctx.db
    .insertInto('bigproject')
    .values({
      id,
      code,
      projectCode,
      ...columns,
      shownAt: now,
      groups: [ctx.group.id],
      stateSince: now,
      createBy: ctx.user.id,
      createTime: now,
    })
    .execute()
  const row = await workKind.lock(ctx, id)
  await writeLog(ctx, source, row, { action: 'create', from: null, to: row.state })
  await replaceTodos(ctx, workKind, row)
  ctx.note('登记危大工程', id)
  return { id, code }
}

/** @throws AppError when a company that only manages its own registers a work of another one */
function requireOwn(ctx: Context, projectCode: string, corpCode: string): void {
  const { limited, corps } = ctx.principal.scope
  if (limited.includes(projectCode) && !corps.includes(corpCode))
    throw new AppError('invalidInput', '只能登记本单位实施的危大工程', { field: 'subCorp' })
}

const changeWork: HandlerOf<typeof contract.changeWork> = async ({ params: { id }, query, body }, ctx) => {
  await requireIn(ctx, id, query.projectCode)
  let noticeId: string | null = null
  const after = await take(ctx, workKind, { id, action: body.action, version: body.version }, async (row) => {
    const { noticeId: made, ...outcome } = await writeWork(ctx, row, body)
    noticeId = made ?? null
    if (body.action === 'save') requireOwn(ctx, row.projectCode, outcome.values?.corpCode ?? row.corpCode)
    const to = outcome.to ?? [workMoves[body.action].to].flat()[0] ?? row.state
    return to === row.state ? outcome : { ...outcome, values: { ...outcome.values, stateSince: new Date(ctx.clock.now()) } }
  })
  await tell(ctx, body, after)
  return { noticeId }
}

const removeWork: HandlerOf<typeof contract.removeWork> = async ({ params: { id }, query }, ctx) => {
  await requireIn(ctx, id, query.projectCode)
  const row = await workKind.lock(ctx, id)
  if (row.state !== '0') throw new AppError('refused', `危大工程${workKind.stateName(row.state)}，只有未编制方案的可以删除`)
  if (!offersFor(ctx, workKind, row).some((one) => one.action === 'save')) throw new AppError('forbidden', '危大工程由施工单位删除')
  await forgetRecord(ctx, source, id)
  await ctx.db.deleteFrom('bigproject').where('id', '=', id).execute()
  ctx.note('删除误登记的危大工程', id)
  return undefined
}

/** @throws AppError `notFound` when the work is not of the project that the call names, or outside the scope */
async function requireIn(ctx: Context, id: string, projectCode: string): Promise<void> {
  const projects = projectsFor(ctx, projectCode)
  const { rows } = await sql<{ projectCode: string }>`select project_code from bigproject where id = ${id}`.execute(ctx.db)
  const row = found(rows[0], '危大工程')
  if (projects && !projects.includes(row.projectCode)) found(undefined, '危大工程')
}

const choices: HandlerOf<typeof contract.workChoices> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const used = await sql<{ id: string }>`select activity_id as id from bigproject where project_code = ${projectCode}
    and activity_id is not null`.execute(ctx.db)
  const taken = new Set(used.rows.map((one) => one.id))
  const devices = await sql<{ id: string; name: string; family: string }>`select id, name, family from device
    where project_code = ${projectCode} and status = '1' and family in ('foundationPit', 'highFormwork', 'towerCrane', 'lifter', 'unloadingPlatform')
    order by family, name limit 300`.execute(ctx.db)
  const units = await sql<{
    id: string
    name: string
  }>`select id, name from unit_project where project_code = ${projectCode} order by seq`.execute(ctx.db)
  const corps = await sql<{
    code: string
    name: string
    part: string
  }>`select distinct on (c.corp_code) c.corp_code as code, k.corp_name as name,
      c.corp_type as part from project_corp c join corporation k using (corp_code)
    where c.project_code = ${projectCode} and c.exit_time is null order by c.corp_code, c.corp_type`.execute(ctx.db)
  const people = await sql<{ name: string; post: string }>`select w.name, coalesce(t.team_name, '') as post from project_worker pw
      join worker w on w.id = pw.worker_id left join team t on t.id = pw.team_id
    where pw.project_code = ${projectCode} and pw.exit_time is null order by t.team_name nulls last, w.name limit 300`.execute(ctx.db)
  return {
    activities: (await concludedReviews(ctx, projectCode))
      .filter((one) => one.overScale && !taken.has(one.id))
      .map(({ id, code, title, date, result, signed }) => ({
        id,
        code,
        title,
        date,
        resultName: reviewResults[result as keyof typeof reviewResults],
        signed,
      })),
    devices: devices.rows.map(({ family, ...one }) => ({ ...one, familyName: familyOf(family)?.name ?? family })),
    units: units.rows,
    corps: corps.rows.map(({ code, name, part }) => ({ code, name: `${name}（${dictName('projectCorpType', part) ?? part}）` })),
    people: people.rows,
  }
}

interface Message {
  title: string
  to: 'builder' | 'supervisor'
}
/** Messages beside the to-do, by the action that was taken. */
const messages: Partial<Record<WorkAction, Message>> = {
  submit: { title: '收到危大工程专项方案，请审查', to: 'supervisor' },
  pass: { title: '危大工程专项方案已通过审查', to: 'builder' },
  return: { title: '危大工程专项方案被退回', to: 'builder' },
  passRevised: { title: '修改后的专项方案已通过', to: 'builder' },
  finish: { title: '危大工程实施完成，待验收', to: 'supervisor' },
  accept: { title: '危大工程验收合格', to: 'builder' },
  reject: { title: '危大工程验收不合格，请整改', to: 'builder' },
  superviseNote: { title: '收到危大工程监督意见', to: 'builder' },
}

async function tell(ctx: Context, { action }: Body, row: Work): Promise<void> {
  const message = messages[action]
  if (!message) return
  const { projectCode, corpCode } = row
  const text = `${row.name} ${row.code}，${workKind.stateName(row.state)}`
  const notification = { projectCode, title: message.title, text, link: pageOf(row.id), kind: source }
  if (message.to === 'builder') await tellKeepers(ctx, { ...notification, corpCode, code: workMoves.save.needs })
  if (message.to === 'builder') return
  const { rows } = await sql<{ corpCode: string }>`select distinct corp_code from project_corp where project_code = ${projectCode}
    and corp_type = '007' and exit_time is null`.execute(ctx.system)
  for (const one of rows) await tellKeepers(ctx, { ...notification, corpCode: one.corpCode, exceptSite: true, code: workMoves.pass.needs })
}
