import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/machines/calls'
import { type MachineAction, machineMoves } from '@zhugong/contract/machines/moves'
import { signMachine } from '@zhugong/contract/machines/seats'
import { sql } from 'kysely'
import { type Context, found, groupTypes, oneProject, projectsFor } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { tellKeepers } from '../notify/public.ts'
import { replaceTodos, sign, take, writeLog } from '../process/public.ts'
import { choices } from './crew.ts'
import { readDetail } from './detail.ts'
import { machineKind, pageOf, source } from './kind.ts'
import type { Machine } from './missing.ts'
import { conditions, countRows, countsOf, readRows, straysOf, toRow } from './rows.ts'
import { type Body, machineColumns, requireUnitAt, writeMachine } from './writes.ts'

export function machineRoutes(serve: Serve): void {
  serve(contract.listMachines, listMachines)
  serve(contract.machineChoices, choices)
  serve(contract.findMachine, findMachine)
  serve(contract.getMachine, readDetail)
  serve(contract.createMachine, createMachine)
  serve(contract.changeMachine, changeMachine)
  serve(signMachine, ({ params, body }, ctx) => sign(ctx, machineKind, params.id, body).then(() => undefined))
}

const listMachines: HandlerOf<typeof contract.listMachines> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const rows = await readRows(ctx, where, query.projectCode, { sort: query.sort, ...pageSlice(query) })
  return {
    list: rows.map(toRow),
    total: await countRows(ctx, where, query.projectCode),
    counts: await countsOf(ctx, query.projectCode),
    strays: await straysOf(ctx, query.projectCode),
  }
}

interface Known {
  id: string
  deviceType: string
  name: string
  model: string
  manufacturer: string
  manufactureDate: string
  ownerCorp: string
  busy: boolean
  scrapped: boolean
}
const byRecord = async (ctx: Pick<Context, 'db'>, recordNo: string): Promise<Known | undefined> =>
  (await sql<Known>`select * from zg_machine_by_record(${recordNo})`.execute(ctx.db)).rows[0]

const findMachine: HandlerOf<typeof contract.findMachine> = async ({ query }, ctx) => {
  oneProject(ctx, query.projectCode)
  const known = await byRecord(ctx, query.recordNo)
  if (!known) return { machine: null, busy: false }
  const { deviceType, name, model, manufacturer, manufactureDate, ownerCorp, busy } = known
  return { machine: { deviceType, name, model, manufacturer, manufactureDate, ownerCorp }, busy }
}

const createMachine: HandlerOf<typeof contract.createMachine> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  if (ctx.group.type === groupTypes.government) throw new AppError('forbidden', '起重机械由使用单位备案')
  await requireUnitAt(ctx, projectCode, body.useCorp, 'useCorp')
  const { limited, corps } = ctx.principal.scope
  if (limited.includes(projectCode) && !corps.includes(body.useCorp))
    throw new AppError('invalidInput', '只能登记本单位使用的机械', { field: 'useCorp' })
  const now = new Date(ctx.clock.now())
  const isMove = body.action === 'move'
  const machineId = isMove ? await moved(ctx, body.recordNo) : ctx.newId()
  if (!isMove) {
    const { action: _action, useCorp: _use, maintainCorp: _maintain, position: _position, ...fields } = body
    const columns = await machineColumns(ctx, fields)
    await ctx.db
      .insertInto('specialMachine')
      .values({ id: machineId, ...columns, createGroup: ctx.group.id, createBy: ctx.user.id, createTime: now })
      .execute()
  }
  const id = ctx.newId()
  await ctx.db
    .insertInto('machineStay')
    .values({
      id,
      machineId,
      projectCode,
      corpCode: body.useCorp,
      shownAt: now,
      groups: [ctx.group.id],
      position: body.position,
      maintainCorp: body.maintainCorp,
      // A machine that has been filed once stays filed.
      state: isMove ? '1' : '0',
      confirmedAt: isMove ? now : null,
      createBy: ctx.user.id,
      createTime: now,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'machine_stay_open') ? busy() : error
    })
  const row = await machineKind.lock(ctx, id)
  await writeLog(ctx, source, row, { action: isMove ? 'arrive' : 'create', from: null, to: row.state })
  await replaceTodos(ctx, machineKind, row)
  ctx.note(isMove ? '转入起重机械' : '新增监督设备', id)
  return { id }
}

const busy = () => new AppError('invalidInput', '该机械在另一工地尚未办理拆除完成，不能转入', { field: 'recordNo' })

/** @throws AppError at `recordNo` when there is no such machine, or it still stands elsewhere */
async function moved(ctx: Context, recordNo: string): Promise<string> {
  const known = await byRecord(ctx, recordNo)
  if (!known) throw new AppError('invalidInput', '没有该产权备案编号的机械', { field: 'recordNo' })
  if (known.scrapped) throw new AppError('invalidInput', '该机械检查结论为报废，不能再次安装使用', { field: 'recordNo' })
  if (known.busy) throw busy()
  return known.id
}

const changeMachine: HandlerOf<typeof contract.changeMachine> = async ({ params: { id }, query, body }, ctx) => {
  await requireIn(ctx, id, query.projectCode)
  const after = await take(ctx, machineKind, { id, action: body.action, version: body.version }, (row) => writeMachine(ctx, row, body))
  await tell(ctx, body, after)
  return undefined
}

/** @throws AppError `notFound` when the machine is not on the site that the call names, or outside the scope */
async function requireIn(ctx: Context, id: string, projectCode: string): Promise<void> {
  const projects = projectsFor(ctx, projectCode)
  const { rows } = await sql<{ projectCode: string }>`select project_code from machine_stay where id = ${id}`.execute(ctx.db)
  const row = found(rows[0], '设备')
  if (projects && !projects.includes(row.projectCode)) found(undefined, '设备')
}

/** Messages to the site beside the to-do, by the action that was taken. */
const messages: Partial<Record<MachineAction, string>> = {
  confirm: '监管机构已确认起重机械手续',
  sendBack: '起重机械手续被退回',
  register: '起重机械已办理使用登记',
  suspend: '起重机械被停用',
  resume: '起重机械恢复使用',
}

async function tell(ctx: Context, { action }: Body, row: Machine): Promise<void> {
  const title = messages[action]
  if (!title) return
  const { projectCode, corpCode } = row
  const text = `${row.name} ${row.recordNo ?? ''}，${machineKind.stateName(row.state)}`
  await tellKeepers(ctx, { projectCode, corpCode, code: machineMoves.save.needs, title, text, link: pageOf(row.id), kind: source })
}
