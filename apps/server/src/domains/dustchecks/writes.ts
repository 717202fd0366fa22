import type { changeDustCheck } from '@zhugong/contract/dustchecks/calls'
import { coreItems, monitorItem, passRateOf } from '@zhugong/contract/dustchecks/items'
import type { DustAction } from '@zhugong/contract/dustchecks/moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { minuteMs } from '@zhugong/contract/kit/time'
import { itemResults } from '@zhugong/contract/scoring/score'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import { issueProblems, showProblems, siteNumber, writeProblems } from '../checks/public.ts'
import { dropPhotoUses, fileIdsOf, findingLeadMs, keptFiles, showPhotoUses, usePhotos } from '../files/public.ts'
import type { Outcome } from '../process/public.ts'
import { evidenceOf } from './evidence.ts'
import { type DustCheck, dust } from './kind.ts'
import type { KeptDustItem } from './tables.ts'

type Body = Extract<ParsedFor<typeof changeDustCheck>['body'], { action: DustAction }>
/** What the checker writes. */
export type DustFields = Omit<Body, 'action' | 'version' | 'id'>

/** A device's clock may be this much ahead. */
const clockToleranceMs = 5 * minuteMs
/** 扬尘治理 and 限期整改通知书 in dictionaries rectifyCategory and rectifyNoticeType. */
const words = { category: '06', noticeType: '2' } as const
/** Letters of the series of numbers that a site's dust checks share. */
const series = 'YC'
export const proofStage = 'proof'
const whole = '全工地'

const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })

export const timeOf = (ctx: Pick<Context, 'clock'>, { checkTime }: Pick<DustFields, 'checkTime'>): number => {
  const now = ctx.clock.now()
  const at = checkTime === null ? now : (parseInstant(checkTime) ?? now)
  if (at > now + clockToleranceMs) throw wrong('checkTime', '检查时间不能晚于现在')
  return at
}

/** Columns of `site_check`. */
export async function baseColumns(ctx: Context, fields: DustFields, known: readonly string[]) {
  const levels = fields.problems.map((one) => one.dangerLevel).sort()
  return {
    checkTime: new Date(timeOf(ctx, fields)),
    checkers: fields.checkers.length ? fields.checkers : [ctx.user.name],
    part: whole,
    remark: fields.remark,
    photos: await keptFiles(ctx, fileIdsOf(fields.photos), known, 'photos'),
    dangerLevel: levels.at(-1) ?? null,
    problemCount: fields.problems.length,
  }
}

/** Stores what the checker wrote; when it is submitted, the check becomes known and its problems become notices. */
export async function writeDust(ctx: Context, row: DustCheck, action: DustAction, fields: DustFields): Promise<Outcome<DustCheck>> {
  const values = await baseColumns(ctx, fields, row.photos)
  const next = { ...row, ...values }
  await writeProblems(ctx, next, fields.problems)
  const items = await keptItems(ctx, fields, row.items)
  const fails = items.filter((one) => one.result === itemResults.wrong).map((one) => one.code)
  const own = {
    ...pick(fields, 'responseLevel', 'weather', 'pm10'),
    failCodes: fails,
    passRate: passRateOf(items),
  }
  await keepPhotos(ctx, next, [...values.photos, ...items.flatMap((one) => one.photos)])
  if (action === 'save') {
    await ctx.db
      .updateTable('dustCheck')
      .set({ ...own, items: JSON.stringify(items) })
      .where('checkId', '=', row.id)
      .execute()
    return { values }
  }
  const evidence = await evidenceOf(ctx, row.projectCode, values.checkTime.getTime())
  requireWhole(items, fields, evidence)
  const shownAt = new Date(ctx.clock.now())
  await ctx.db
    .updateTable('dustCheck')
    .set({
      ...own,
      items: JSON.stringify(items),
      pm10: fields.pm10 ?? evidence.pm10,
      result: resultOf(fields.problems),
      evidence: JSON.stringify(evidence),
      contradicted: own.passRate === 100 && evidence.alarms > 0,
      shownAt,
    })
    .where('checkId', '=', row.id)
    .execute()
  await showProblems(ctx, row, shownAt)
  await showPhotoUses(ctx, row.id, shownAt)
  await issueProblems(ctx, next, words)
  const open = await sql`select from rectify where source_kind = ${dust} and source_id = ${row.id} and state <> '7' limit 1`.execute(ctx.db)
  const code = await siteNumber(ctx, row.projectCode, series)
  const opinion =
    fails.length === 0 ? '逐项符合' : `${fails.length} 项不符合：${fails.map((one) => dictName('dustCheckItem', one) ?? one).join('、')}`
  return { to: open.rows.length ? '1' : '7', values: { ...values, shownAt, code }, opinion }
}

/** 符合要求, 当场改正 or 限期整改 in dictionary checkResult. */
const resultOf = (problems: DustFields['problems']): string =>
  problems.length === 0 ? '1' : problems.every((one) => one.mended) ? '2' : '3'

async function keptItems(ctx: Context, { items }: DustFields, before: readonly KeptDustItem[]): Promise<KeptDustItem[]> {
  const known = before.flatMap((one) => one.photos)
  const twice = items.findIndex((one, at) => items.some((other, i) => i < at && other.code === one.code))
  if (twice >= 0) throw wrong(`items.${twice}.code`, '检查项重复')
  return Promise.all(
    items.map(async (one, at) => ({ ...one, photos: await keptFiles(ctx, fileIdsOf(one.photos), known, `items.${at}.photos`) })),
  )
}

/** @throws AppError at the item that lacks its result, its proof or its problem */
function requireWhole(
  items: readonly KeptDustItem[],
  { problems }: DustFields,
  { stations, online }: { stations: number; online: number },
): void {
  const missing = coreItems.filter((core) => !items.some((one) => one.code === core.code))
  if (missing.length > 0) throw wrong('items', `六个百分百须逐项检查，还缺：${missing.map((one) => one.short).join('、')}`)
  for (const [at, { code, result, note, photos }] of items.entries()) {
    const name = dictName('dustCheckItem', code) ?? code
    const isCore = coreItems.some((one) => one.code === code)
    if (result === itemResults.notApplicable && isCore && !note) throw wrong(`items.${at}.note`, `“${name}”不涉及时须说明原因`)
    if (result === itemResults.right && isCore && photos.length === 0) throw wrong(`items.${at}.photos`, `“${name}”须附照片`)
    if (code === monitorItem && result === itemResults.right && stations > 0 && online === 0)
      throw wrong(`items.${at}.result`, '扬尘监测设备离线，该项不能为合格')
    if (result === itemResults.wrong && !problems.some((one) => one.itemCode === code))
      throw wrong(`items.${at}.result`, `“${name}”不符合，请写明问题、整改人和期限`)
  }
  const strange = problems.findIndex((one) => !items.some((item) => item.code === one.itemCode && item.result === itemResults.wrong))
  if (strange >= 0) throw wrong(`problems.${strange}.itemCode`, '问题须属于一个不符合的检查项')
}

async function keepPhotos(
  ctx: Context,
  { id: objectId, projectCode, corpCode, shownAt, groups, checkTime }: DustCheck,
  files: string[],
): Promise<void> {
  await dropPhotoUses(ctx, objectId, proofStage, files)
  const notBefore = new Date(startOfDay(formatDay(checkTime)) - findingLeadMs)
  await usePhotos(ctx, { kind: '扬尘检查', objectId, stage: proofStage, projectCode, corpCode, shownAt, groups, files, notBefore })
}
