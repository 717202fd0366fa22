import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { minuteMs } from '@zhugong/contract/kit/time'
import { itemResults } from '@zhugong/contract/scoring/score'
import { nextCheck } from '@zhugong/contract/upkeep/due'
import { type createMachineCheck, results } from '@zhugong/contract/upkeep/inspections'
import { itemsOf, testTypes } from '@zhugong/contract/upkeep/items'
import { sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import { insertCheck, inspectTypeOf, issueProblems, showCheck, showProblems, siteNumber, writeProblems } from '../checks/public.ts'
import { fileIdsOf, findingLeadMs, keptFiles, usePhotos } from '../files/public.ts'
import { recordTest, scrapMachine, suspendMachine } from '../machines/public.ts'
import { fillSeat, writeLog } from '../process/public.ts'
import { deviceInspect, inspectKind } from './inspect-kind.ts'
import { type MachineOf, machineOf, requireStanding } from './machine-of.ts'
import type { KeptItem } from './tables.ts'

type Body = ParsedFor<typeof createMachineCheck>['body']

/** A device's clock may be this much ahead. */
const clockToleranceMs = 5 * minuteMs
/** 起重机械与设备 and 限期整改通知书 in dictionaries rectifyCategory and rectifyNoticeType. */
const words = { category: '04', noticeType: '2' } as const
/** Letters of the series of numbers of a site's machine checks. */
const series = 'SB'
/** Stage under which photographs of a check are kept as evidence. */
export const checkStage = 'check'

const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** Submits a check of a machine: its problems become notices, and an unfit machine is suspended in the same transaction. */
export async function submitInspection(ctx: Context, given: string, body: Body) {
  const projectCode = oneProject(ctx, given)
  const { rows } = await sql<{
    code: string | null
    state: string
    stops: boolean
  }>`select c.code, c.state, d.suspended_at is not null as stops
    from site_check c join device_inspect d on d.check_id = c.id where c.id = ${body.id} and c.create_by = ${ctx.user.id}`.execute(ctx.db)
  const known = rows[0]
  if (known) return { id: body.id, code: known.code, state: known.state, suspended: known.stops }
  const machine = await machineOf(ctx, body.machineId, projectCode)
  requireStanding(machine)
  if (machine.scrappedAt) throw wrong('machineId', `${machine.name}检查结论为报废，不再检查`)
  const now = ctx.clock.now()
  const at = body.checkDate === null ? now : (parseInstant(body.checkDate) ?? now)
  if (at > now + clockToleranceMs) throw wrong('checkDate', '检查时间不能晚于现在')
  const items = await keptItems(ctx, machine.deviceType, body)
  const failed = items.filter((one) => one.result === itemResults.wrong)
  requireConclusion(body, machine, failed)
  const photos = await keptFiles(ctx, fileIdsOf(body.photos), [], 'photos')
  const reports = await keptFiles(ctx, fileIdsOf(body.reports), [], 'reports')
  const day = formatDay(at)
  await insertCheck(ctx, {
    id: body.id,
    kind: deviceInspect,
    projectCode,
    corpCode: machine.corpCode,
    inspectType: inspectTypeOf(ctx, projectCode),
    checkTime: new Date(at),
    checkers: body.checkers.length ? body.checkers : [ctx.user.name],
    part: `${machine.name} ${machine.position}`.slice(0, 100),
    remark: body.remark,
    photos,
  })
  const shownAt = new Date(now)
  const stops = body.result === results.stop || body.result === results.scrap
  await ctx.db
    .insertInto('deviceInspect')
    .values({
      checkId: body.id,
      projectCode,
      corpCode: machine.corpCode,
      shownAt,
      groups: [ctx.group.id],
      stayId: machine.id,
      machineName: machine.name,
      deviceType: machine.deviceType,
      type: body.type,
      day,
      checkOrg: body.checkOrg ?? ctx.group.name,
      items: JSON.stringify(items),
      failItems: failed.map((one) => one.name),
      result: body.result,
      nextDate: body.nextDate ?? nextCheck(body.type, day),
      reports,
      suspendedAt: stops ? shownAt : null,
    })
    .execute()
  const draft = await inspectKind.lock(ctx, body.id)
  await writeProblems(ctx, draft, body.problems)
  await showProblems(ctx, draft, shownAt)
  await issueProblems(ctx, draft, words)
  await keepPhotos(ctx, { ...draft, shownAt }, [...photos, ...items.flatMap((one) => one.photos)])
  const open =
    await sql`select from rectify where source_kind = ${deviceInspect} and source_id = ${body.id} and state <> '7' limit 1`.execute(ctx.db)
  const state = open.rows.length ? '1' : '7'
  const code = await siteNumber(ctx, projectCode, series)
  const levels = body.problems.map((one) => one.dangerLevel).sort()
  await showCheck(ctx, body.id, { code, state, shownAt, problemCount: body.problems.length, dangerLevel: levels.at(-1) ?? null })
  const suspended = await stop(ctx, machine, body, code)
  if (testTypes.includes(body.type) && body.result === results.fit)
    await recordTest(ctx, machine.id, { inspectOrg: body.checkOrg ?? ctx.group.name, inspectDate: day, inspectReport: reports })
  const row = await inspectKind.lock(ctx, body.id)
  await writeLog(ctx, deviceInspect, row, { action: 'submit', from: '0', to: state, opinion: summary(body, failed, suspended) })
  if (body.signature) {
    const seat = (await inspectKind.seats(ctx, row)).find((one) => one.expects === ctx.user.name)
    if (!seat) throw wrong('signature', '只有检查人本人可以签名')
    await fillSeat(ctx, deviceInspect, row, seat, { image: body.signature })
  }
  ctx.note('登记设备检查', body.id)
  return { id: body.id, code, state, suspended }
}

const summary = ({ problems }: Body, failed: readonly KeptItem[], suspended: boolean) =>
  failed.length === 0 && problems.length === 0
    ? '逐项合格'
    : `${failed.length} 项不合格，${problems.length} 个问题${suspended ? '，设备已停用' : ''}`

/** Every item of the list with its result. @throws AppError at the item */
async function keptItems(ctx: Context, deviceType: string, body: Body): Promise<KeptItem[]> {
  const list = itemsOf(deviceType, body.type)
  const byCode = new Map(body.items.map((one, at) => [one.code, { ...one, at }]))
  const strange = body.items.findIndex((one) => !list.some((item) => item.code === one.code))
  if (strange >= 0) throw wrong(`items.${strange}.code`, '该检查项不在本类设备的检查表中')
  const missing = list.filter((one) => !byCode.has(one.code))
  if (missing.length > 0)
    throw wrong(
      'items',
      `还有 ${missing.length} 项未填写：${missing
        .slice(0, 3)
        .map((one) => one.name)
        .join('、')}${missing.length > 3 ? '…' : ''}`,
    )
  return Promise.all(
    list.map(async ({ code, group, name }) => {
      const { result = itemResults.notApplicable, note = null, photos = [], at = 0 } = byCode.get(code) ?? {}
      return { code, group, name, result, note, photos: await keptFiles(ctx, fileIdsOf(photos), [], `items.${at}.photos`) }
    }),
  )
}

/** The conclusion has to fit the items and the state of the machine. @throws AppError at the field */
function requireConclusion({ result, problems, items, type, reports }: Body, machine: MachineOf, failed: readonly KeptItem[]): void {
  if (result === results.fit && failed.length > 0) throw wrong('result', `有 ${failed.length} 项不合格，结论不能为合格`)
  if (result === results.fit && problems.length > 0) throw wrong('result', '写了问题，结论不能为合格')
  if (result !== results.fit && result !== results.scrap && failed.length === 0) throw wrong('result', '没有不合格项，结论应为合格')
  if (result === results.stop && machine.state !== '6' && machine.state !== '7')
    throw wrong('result', `${machine.name}不在使用中，无须停用，请选限期整改`)
  if (testTypes.includes(type) && reports.length === 0) throw wrong('reports', '第三方检测、定期检验须上传报告')
  if (result === results.scrap) return
  for (const { code, name } of failed) {
    if (problems.some((one) => one.itemCode === code)) continue
    const at = items.findIndex((one) => one.code === code)
    throw wrong(`items.${at}.result`, `“${name}”不合格，请写明问题、整改人和期限`)
  }
  if (result === results.stop && problems.every((one) => one.mended)) throw wrong('result', '问题已全部当场改正，结论不能为停用整改')
}

async function stop(ctx: Context, machine: MachineOf, { result }: Body, code: string): Promise<boolean> {
  if (result === results.scrap) await scrapMachine(ctx, machine.id, `设备检查 ${code} 结论为报废`)
  else if (result === results.stop) await suspendMachine(ctx, { stayId: machine.id }, { by: 'check', reason: `设备检查 ${code} 停用整改` })
  return result === results.stop || result === results.scrap
}

async function keepPhotos(
  ctx: Context,
  {
    id: objectId,
    projectCode,
    corpCode,
    shownAt,
    groups,
    checkTime,
  }: { id: string; projectCode: string; corpCode: string | null; shownAt: Date; groups: string[]; checkTime: Date },
  files: string[],
): Promise<void> {
  const notBefore = new Date(startOfDay(formatDay(checkTime)) - findingLeadMs)
  await usePhotos(ctx, { kind: '设备检查', objectId, stage: checkStage, projectCode, corpCode, shownAt, groups, files, notBefore })
}
