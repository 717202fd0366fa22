import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { changeMachine } from '@zhugong/contract/machines/calls'
import { ageLimitOf, retireDateOf, testMonths } from '@zhugong/contract/machines/verdict'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { keptFiles } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { drawNumber, type Outcome } from '../process/public.ts'
import type { Machine } from './missing.ts'

export type Body = ParsedFor<typeof changeMachine>['body']
type BodyOf<A extends Body['action']> = Extract<Body, { action: A }>
type MachineFields = Omit<BodyOf<'save'>, 'action' | 'version' | 'useCorp' | 'maintainCorp' | 'position'>

const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** The columns of a machine; its age limit follows from type, moment and class. @throws AppError `invalidInput` at the field */
export async function machineColumns(ctx: Context, given: MachineFields, before: readonly string[] = []) {
  const { deviceType, ratedMoment, hoistClass, manufactureDate, appraisedUntil } = given
  const today = formatDay(ctx.clock.now())
  if (manufactureDate > today) throw wrong('manufactureDate', '出厂日期不能晚于今天')
  if (deviceType === '1' && ratedMoment === null) throw wrong('ratedMoment', '请填写额定力矩，使用年限按力矩确定')
  if (deviceType === '2' && hoistClass === null) throw wrong('hoistClass', '请选择升降机类别，使用年限按类别确定')
  const ageLimit = ageLimitOf(deviceType, ratedMoment, hoistClass)
  const retireDate = retireDateOf(manufactureDate, ageLimit)
  const appraisalFiles = await keptFiles(ctx, given.appraisalFiles, before, 'appraisalFiles')
  if (appraisedUntil !== null && appraisalFiles.length === 0) throw wrong('appraisalFiles', '请上传评估报告')
  const { name, model, manufactureNo, manufacturer, ownerCorp } = given
  return {
    deviceType,
    name,
    model,
    manufactureNo,
    manufacturer,
    manufactureDate,
    ownerCorp,
    ratedMoment,
    hoistClass: deviceType === '2' ? hoistClass : null,
    ageLimit,
    retireDate,
    appraisedUntil,
    appraisalFiles,
  }
}

/** @throws AppError at `field` when the company is not on the site */
export async function requireUnitAt(ctx: Context, projectCode: string, corpCode: string, field: string): Promise<void> {
  await requirePresentUnit(ctx, projectCode, corpCode).catch((error: unknown) => {
    throw error instanceof AppError ? wrong(field, error.message) : error
  })
}

interface Stage {
  date: string | null
  unit?: string | null
  files?: readonly string[]
  note?: string | null
}

/** Keeps what was done at a stage: date, unit, papers and person. */
export async function keepStage(
  ctx: Context,
  row: Machine,
  stage: string,
  { date, unit = null, files = [], note = null }: Stage,
): Promise<void> {
  const { id: stayId, projectCode, corpCode, shownAt, groups } = row
  await ctx.db
    .insertInto('machineStage')
    .values({
      id: ctx.newId(),
      stayId,
      projectCode,
      corpCode,
      shownAt,
      groups,
      stage,
      date,
      unit,
      files: await keptFiles(ctx, files),
      note,
      byName: ctx.user.name,
      at: new Date(ctx.clock.now()),
    })
    .execute()
}

const corpName = async (ctx: Pick<Context, 'db'>, code: string) =>
  (await sql<{ name: string }>`select corp_name as name from corporation where corp_code = ${code}`.execute(ctx.db)).rows[0]?.name ?? code

function requireDay(ctx: Context, field: string, date: string, from: string | null): void {
  if (date > formatDay(ctx.clock.now())) throw wrong(field, '日期不能晚于今天')
  if (from !== null && date < from) throw wrong(field, `日期不能早于上一阶段（${from}）`)
}

async function crew(ctx: Context, row: Machine, kind: 'operator' | 'installer', workers: readonly string[]): Promise<void> {
  const ids = [...new Set(workers)]
  const { rows } = await sql<{ id: string }>`select distinct worker_id as id from project_worker where worker_id = any (${ids})
    and project_code = ${row.projectCode} and exit_time is null`.execute(ctx.db)
  const known = new Set(rows.map((one) => one.id))
  // Somebody who was named before stays named after he has left: his certificate and his leaving count, not the form.
  const before = await sql<{ id: string }>`select worker_id as id from machine_person where stay_id = ${row.id} and kind = ${kind}`.execute(
    ctx.db,
  )
  for (const one of before.rows) known.add(one.id)
  if (ids.some((id) => !known.has(id))) throw wrong(kind === 'operator' ? 'operators' : 'installers', '有人员不在本项目，请重新选择')
  await sql`delete from machine_person where stay_id = ${row.id} and kind = ${kind}`.execute(ctx.db)
  const { id: stayId, projectCode, corpCode, shownAt, groups } = row
  if (ids.length > 0)
    await ctx.db
      .insertInto('machinePerson')
      .values(ids.map((workerId, at) => ({ id: ctx.newId(), stayId, projectCode, corpCode, shownAt, groups, kind, seq: at + 1, workerId })))
      .execute()
}

/** The next test, `testMonths` after the last one. */
export function nextTest(inspectDate: string): string {
  const [year = 0, month = 1, day = 1] = inspectDate.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + testMonths + 1, 0)).getUTCDate()
  const at = new Date(Date.UTC(year, month - 1 + testMonths, Math.min(day, last)))
  return at.toISOString().slice(0, 10)
}

type Written = Outcome<Machine>
type Values = Partial<Row<'machineStay'>>
const set = (values: Values, more: Omit<Written, 'values'> = {}): Written => ({ ...more, values: values as Partial<Machine> })

/** What an action changes beside the state. */
export async function writeMachine(ctx: Context, row: Machine, body: Body): Promise<Written> {
  const today = formatDay(ctx.clock.now())
  switch (body.action) {
    case 'save': {
      await requireUnitAt(ctx, row.projectCode, body.useCorp, 'useCorp')
      const columns = await machineColumns(ctx, body, row.appraisalFiles)
      await ctx.db
        .updateTable('specialMachine')
        .set({ ...columns, updateBy: ctx.user.id })
        .where('id', '=', row.machineId)
        .execute()
      return set({ corpCode: body.useCorp, maintainCorp: body.maintainCorp, position: body.position })
    }
    case 'file':
      await takeRecord(ctx, row, body.recordNo)
      await keepStage(ctx, row, 'file', { date: today, unit: row.ownerCorp, files: body.files, note: body.recordNo })
      return set({ confirmedAt: null })
    case 'confirm':
      return set({ confirmedAt: new Date(ctx.clock.now()) }, { opinion: body.opinion })
    case 'sendBack': {
      const to = row.state === '1' ? '0' : row.state === '2' ? '1' : (row.beforeDismantle ?? '6')
      return set({ confirmedAt: to === '1' ? new Date(ctx.clock.now()) : null, beforeDismantle: null }, { to, opinion: body.opinion })
    }
    case 'noticeInstall': {
      await requireUnitAt(ctx, row.projectCode, body.installCorp, 'installCorp')
      await crew(ctx, row, 'installer', body.installers)
      await keepStage(ctx, row, 'noticeInstall', {
        date: body.installDate,
        unit: await corpName(ctx, body.installCorp),
        files: body.files,
      })
      return set({ installCorp: body.installCorp, installDate: body.installDate, maxHeight: body.maxHeight, confirmedAt: null })
    }
    case 'install':
      requireDay(ctx, 'date', body.date, null)
      await keepStage(ctx, row, 'install', { date: body.date })
      return {}
    case 'selfCheck':
      requireDay(ctx, 'date', body.date, null)
      await keepStage(ctx, row, 'selfCheck', { date: body.date, files: body.files })
      return {}
    case 'saveTest': {
      requireDay(ctx, 'inspectDate', body.inspectDate, null)
      requireDay(ctx, 'acceptDate', body.acceptDate, body.inspectDate)
      return set({ ...(await tested(ctx, row, body)), acceptDate: body.acceptDate })
    }
    case 'testPass':
      await keepStage(ctx, row, 'testPass', { date: row.acceptDate, unit: row.inspectOrg, files: row.inspectReport })
      return {}
    case 'staff':
      await crew(ctx, row, 'operator', body.operators)
      await requireDevice(ctx, row, body.deviceId)
      return set({ deviceId: body.deviceId, maintainCorp: body.maintainCorp })
    case 'retest': {
      requireDay(ctx, 'inspectDate', body.inspectDate, row.inspectDate)
      const values = await tested(ctx, row, body)
      await keepStage(ctx, row, 'retest', { date: body.inspectDate, unit: body.inspectOrg, files: body.inspectReport })
      return set(values, { opinion: `${body.inspectOrg} ${body.inspectDate}，下次检验 ${values.nextInspectDate}` })
    }
    case 'register':
      return register(ctx, row, body.opinion, today)
    case 'suspend':
      await keepStage(ctx, row, 'suspend', { date: today, note: body.opinion })
      return set({ suspendKind: 'hand', suspendReason: body.opinion }, { opinion: body.opinion })
    case 'resume':
      requireDay(ctx, 'date', body.date, null)
      await keepStage(ctx, row, 'resume', { date: body.date, files: body.files, note: body.opinion })
      return set({ suspendKind: null, suspendReason: null }, { opinion: body.opinion })
    case 'noticeDismantle':
      await requireUnitAt(ctx, row.projectCode, body.dismantleCorp, 'dismantleCorp')
      await keepStage(ctx, row, 'noticeDismantle', {
        date: body.date,
        unit: await corpName(ctx, body.dismantleCorp),
        files: body.files,
      })
      return set({ dismantleCorp: body.dismantleCorp, beforeDismantle: row.state, confirmedAt: null })
    case 'dismantle':
      requireDay(ctx, 'date', body.date, null)
      await keepStage(ctx, row, 'dismantle', { date: body.date, files: body.files })
      return {}
  }
}

/** @throws AppError at `recordNo` when another machine has the number */
async function takeRecord(ctx: Context, row: Machine, recordNo: string): Promise<void> {
  await ctx.db
    .updateTable('specialMachine')
    .set({ recordNo, updateBy: ctx.user.id })
    .where('id', '=', row.machineId)
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'special_machine_record') ? wrong('recordNo', '该产权备案编号已有机械，请用“换项目”转入') : error
    })
}

export type Test = Pick<BodyOf<'retest'>, 'inspectOrg' | 'inspectDate' | 'inspectReport'>
export async function tested(ctx: Context, row: Machine, body: Test) {
  return {
    inspectOrg: body.inspectOrg,
    inspectDate: body.inspectDate,
    inspectReport: await keptFiles(ctx, body.inspectReport, row.inspectReport, 'inspectReport'),
    nextInspectDate: nextTest(body.inspectDate),
  }
}

/** @throws AppError at `deviceId` unless it is a crane or lift of the site that no other machine has */
async function requireDevice(ctx: Context, row: Machine, deviceId: string | null): Promise<void> {
  if (deviceId === null) return
  const { rows } = await sql<{
    taken: boolean
  }>`select exists (select from machine_stay s where s.device_id = d.id and s.state <> '9' and s.id <> ${row.id}) as taken
    from device d where d.id = ${deviceId} and d.project_code = ${row.projectCode} and d.family in ('towerCrane', 'lifter')`.execute(ctx.db)
  if (!rows[0]) throw wrong('deviceId', '监测设备不存在或不属于本项目')
  if (rows[0].taken) throw wrong('deviceId', '该监测设备已关联另一台机械')
}

/** 使用登记: the number is drawn last, so that the series of the authority has no gaps. */
async function register(ctx: Context, row: Machine, opinion: string, today: string): Promise<Written> {
  const { year, no } = await drawNumber(ctx, ctx.group.id, 'spdevice')
  const useRegNo = `${ctx.group.name}机登〔${year}〕第${String(no).padStart(4, '0')}号`
  const nextInspectDate = row.nextInspectDate ?? (row.inspectDate ? nextTest(row.inspectDate) : null)
  await keepStage(ctx, row, 'register', { date: today, unit: ctx.group.name, note: useRegNo })
  return set({ useRegNo, useRegDate: today, nextInspectDate }, { opinion: [opinion, useRegNo].filter(Boolean).join('，') })
}
