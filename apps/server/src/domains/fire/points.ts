import { isPoint, subOf } from '@zhugong/contract/fire/catalogue'
import { itemsFor } from '@zhugong/contract/fire/judge'
import { fireMoves, fireStates } from '@zhugong/contract/fire/moves'
import type { FireEntry, fireItemsOf, writeFirePoint, writeFireSub } from '@zhugong/contract/fire/points'
import { results } from '@zhugong/contract/fire/rule'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, findingLeadMs, keptFiles, linksOf, usePhotos } from '../files/public.ts'
import { catalogueOf, itemsOf } from './catalogue.ts'
import type { FireCase } from './fire-case.ts'
import { entriesOf, keepJudgement, onlyOf, roundsOf, subsOf } from './judging.ts'
import { fireKind, isAssessor, readCase } from './kind.ts'
import { authorities } from './writes.ts'

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })
type Build = Row<'fireBuild'>

async function buildOf(ctx: Pick<Context, 'db'>, caseId: string, buildId: string): Promise<Build> {
  const build = await ctx.db.selectFrom('fireBuild').selectAll().where('id', '=', buildId).where('caseId', '=', caseId).executeTakeFirst()
  return found(build, '单体')
}

/** The catalogue of a case: the one it began with, or the one that would hold now. */
export const catalogueIdOf = async (ctx: Pick<Context, 'db' | 'system'>, row: FireCase): Promise<string | null> =>
  row.state < fireStates.onSite && row.authorityGroup ? ((await catalogueOf(ctx, row.authorityGroup))?.id ?? null) : row.catalogueId

export const readPoints: HandlerOf<typeof fireItemsOf> = async ({ query }, ctx) => {
  const row = await readCase(ctx, query.assessmentId)
  const projects = projectsFor(ctx)
  if (projects && !projects.includes(row.projectCode)) throw new AppError('notFound', '消防验收申请不存在')
  const build = await buildOf(ctx, row.id, query.buildId)
  const items = itemsFor(await itemsOf(ctx, await catalogueIdOf(ctx, row)), build)
  const entries = await entriesOf(ctx, row.id, build.id)
  const rounds = await roundsOf(ctx, row.id)
  const round = rounds.at(-1)
  return {
    round: round?.round ?? row.round,
    items,
    entries: entries.map((one) => shown(ctx, one)),
    subs: (await subsOf(ctx, row.id))
      .filter((one) => one.buildId === build.id)
      .map(({ round: of, subCode, total, absentReason }) => ({ round: of, subCode, total, absentReason })),
    only: round ? onlyOf(round.onlySubs, build.id) : null,
  }
}
const shown = (ctx: Pick<Context, 'secrets' | 'clock'>, one: Row<'firePoint'>): FireEntry => ({
  ...pick(
    one,
    'id',
    'round',
    'itemCode',
    'checkPart',
    'result',
    'productFail',
    'designValue',
    'actualValue',
    'tolerance',
    'description',
    'changeReason',
    'byName',
  ),
  photos: linksOf(ctx, one.photos),
  at: formatInstant(one.at),
})

/** Clocks of devices differ; a point that waited without network is dated by the device, back to this long ago. */
const [aheadMs, mostDelayMs] = [5 * 60_000, 3 * 86_400_000]
function momentOf(now: number, given: number | undefined): Date {
  return new Date(given === undefined || given > now + aheadMs || given < now - mostDelayMs ? now : Math.min(given, now))
}

/** The case, locked, if the caller may write findings of it now. @throws AppError `forbidden` or `refused` */
async function openCase(ctx: Context, id: string): Promise<FireCase> {
  const row = await fireKind.lock(ctx, id)
  if (!isAssessor(ctx, row)) throw new AppError('forbidden', '只有本案的评定人员可以记录')
  if (row.state !== fireStates.onSite)
    throw new AppError('refused', `申请${fireKind.stateName(row.state)}，不能${fireMoves.start.label}记录`)
  if (row.submittedAt !== null) throw new AppError('refused', '评定已提交，不能再修改')
  return row
}

/** The point of the case's catalogue, if the round looks at it. @throws AppError `invalidInput` at `itemCode` */
async function itemOf(ctx: Context, row: FireCase, build: Build, code: string) {
  const items = itemsFor(await itemsOf(ctx, row.catalogueId), build)
  const only = onlyOf((await roundsOf(ctx, row.id)).at(-1)?.onlySubs ?? null, build.id)
  const item = items.find((one) => one.code === code)
  if (!item || (only !== null && !only.includes(subOf(code)))) throw refuse('itemCode', '本次评定不检查该要点')
  return item
}

type PointBody = ParsedFor<typeof writeFirePoint>['body']
/** What the entry itself must have. @throws AppError `invalidInput` at the field */
function requireWhole(body: PointBody, needsValue: boolean, files: readonly string[]): void {
  const bad = body.result === results.fails || body.productFail
  if (bad && !body.description) throw refuse('description', '不符合须写明问题')
  if (bad && files.length === 0) throw refuse('photos', '不符合须附照片')
  if (body.productFail && body.result === results.absent) throw refuse('productFail', '不涉及的要点没有产品判定')
  if (!needsValue || body.result === results.absent) return
  if (!body.designValue) throw refuse('designValue', '请填写设计值')
  if (!body.actualValue) throw refuse('actualValue', '请填写实测值')
}

/** Adds an entry; whatever was written of the same point and place stays beside it. */
export const writePoint: HandlerOf<typeof writeFirePoint> = async ({ body }, ctx) => {
  const { id, assessmentId, buildId, itemCode, checkPart, photos, at: given, ...values } = body
  const repeated = await sql<{ byId: string }>`select by_id from fire_point where id = ${id} and case_id = ${assessmentId}`.execute(ctx.db)
  if (repeated.rows[0]?.byId === ctx.user.id) return { id }
  const row = await openCase(ctx, assessmentId)
  const build = await buildOf(ctx, row.id, buildId)
  const item = await itemOf(ctx, row, build, itemCode)
  if (!isPoint(item.code) || item.level === null) throw refuse('itemCode', '请选择要点')
  const files = await keptFiles(ctx, fileIdsOf(photos), [], 'photos')
  requireWhole(body, item.needsValue, files)
  const before = (await entriesOf(ctx, row.id, build.id))
    .filter((one) => one.round === row.round && one.itemCode === itemCode && one.checkPart === checkPart)
    .at(-1)
  const turns = before && (before.result === results.fails || before.productFail) && values.result !== results.fails && !values.productFail
  if (turns && !values.changeReason) throw refuse('changeReason', `${before.byName}已判不符合，更改须写明原因，原记录保留`)
  // An entry that waited on a device is older by the clock than what was written meanwhile; it is still the later write.
  const moment = momentOf(ctx.clock.now(), given)
  const at = before && moment <= before.at ? new Date(before.at.getTime() + 1) : moment
  const groups = authorities(row)
  await ctx.db
    .insertInto('firePoint')
    .values({
      id,
      caseId: row.id,
      ...pick(row, 'round', 'projectCode', 'corpCode'),
      buildId: build.id,
      shownAt: null,
      groups,
      itemCode,
      level: item.level,
      checkPart,
      ...values,
      photos: files,
      byId: ctx.user.id,
      byName: ctx.user.name,
      at,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  await usePhotos(ctx, {
    kind: '消防评定',
    objectId: row.id,
    stage: `${row.round} ${itemCode}`,
    projectCode: row.projectCode,
    corpCode: row.corpCode,
    shownAt: null,
    groups,
    files,
    notBefore: new Date(ctx.clock.now() - findingLeadMs),
  })
  await keepJudgement(ctx, row)
  ctx.note('记录消防评定要点', row.id)
  return { id }
}

export const writeSub: HandlerOf<typeof writeFireSub> = async ({ body }, ctx) => {
  const row = await openCase(ctx, body.assessmentId)
  const build = await buildOf(ctx, row.id, body.buildId)
  await itemOf(ctx, row, build, body.subCode)
  const { total, absentReason } = body
  await ctx.db
    .insertInto('fireSub')
    .values({
      caseId: row.id,
      ...pick(row, 'round', 'projectCode', 'corpCode'),
      buildId: build.id,
      subCode: body.subCode,
      shownAt: null,
      groups: authorities(row),
      total,
      absentReason,
    })
    .onConflict((on) => on.columns(['caseId', 'round', 'buildId', 'subCode']).doUpdateSet({ total, absentReason }))
    .execute()
  await keepJudgement(ctx, row)
  ctx.note('填写消防评定子项', row.id)
}
