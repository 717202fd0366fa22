import type { PatrolAction } from '@zhugong/contract/checks/patrol-moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { itemResults } from '@zhugong/contract/scoring/score'
import type { createThemeCheck } from '@zhugong/contract/themes/calls'
import { resumeTheme } from '@zhugong/contract/themes/catalogue'
import { campaignStates } from '@zhugong/contract/themes/moves'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import type { Check, PatrolFields } from '../checks/public.ts'
import { insertSheet, markSaved, removeSheet, type StoredSheet, sheetsOf, showSheets, writeResults } from '../scoring/public.ts'
import { adoptObject, type CampaignObjectRow, objectsOf } from './objects.ts'

type Given = Omit<ParsedFor<typeof createThemeCheck>['body'], 'id' | 'action'>
type Campaign = Row<'themeCampaign'>
type GivenObject = Given['objects'][number]
/** What the checker writes, with what a check of objects does not ask for. */
export type ThemeFields = Given & PatrolFields

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** 专项检查, and 节前（节后复工）检查 in dictionary inspectType. */
const inspectTypes = { usual: '02', resume: '05' } as const
export const inspectTypeFor = ({ theme }: Pick<Campaign, 'theme'>): string =>
  theme === resumeTheme ? inspectTypes.resume : inspectTypes.usual

export const fieldsOf = (given: Given, { title }: Pick<Campaign, 'title'>): ThemeFields => ({
  ...given,
  part: title,
  placeId: null,
  photos: [],
})

/** The running campaign of a check, locked so that it is not closed meanwhile. @throws AppError `invalidInput` at `campaignId` */
export async function runningCampaign(ctx: Context, id: string, projectCode?: string): Promise<Campaign> {
  const { rows } = await sql<Campaign>`select * from theme_campaign where id = ${id} for update`.execute(ctx.db)
  const campaign = rows[0]
  if (!campaign || (projectCode !== undefined && campaign.projectCode !== projectCode)) throw refuse('campaignId', '专项检查不存在')
  if (campaign.state !== campaignStates.running) throw refuse('campaignId', '专项检查未在进行，不能登记检查')
  return campaign
}

/**
 * Stores what was found at each object. An object keeps the points that its campaign had when it was first stored.
 * @throws AppError `invalidInput` at the object; when the check is submitted also where something is missing
 */
export async function writeObjects(ctx: Context, check: Check, fields: ThemeFields, action: PatrolAction): Promise<void> {
  const campaign = await runningCampaign(ctx, fields.campaignId, check.projectCode)
  await linkCheck(ctx, check, campaign)
  const known = await objectsOf(ctx, campaign.id)
  const stored = await sheetsByObject(ctx, check.id)
  const kept = new Set<string>()
  for (const [at, given] of fields.objects.entries()) {
    const field = (name: string) => `objects.${at}.${name}`
    const found = known.find((one) => one.key === given.key)
    if (!found) throw refuse(field('key'), '检查对象不存在，请刷新')
    const object = found.id === null ? await adoptObject(ctx, campaign, found, new Set(known.map((one) => one.name))) : found
    if (object.id === null || kept.has(object.id)) throw refuse(field('key'), '检查对象重复')
    kept.add(object.id)
    const own = stored.get(object.id) ?? (await addSheet(ctx, check, campaign, object, at))
    await writeResults(
      ctx,
      own.sheet,
      given.items.map((one) => ({ ...one, deduction: 0 })),
      (i) => field(`items.${i}`),
    )
    await markSaved(ctx, own.sheet, given.notApplicable)
    if (action === 'submit') requireWhole(given, own, fields.problems, object.name, field)
  }
  for (const [objectId, { sheet }] of stored) if (!kept.has(objectId)) await removeSheet(ctx, sheet)
  if (action === 'submit') await show(ctx, check.id)
}

async function linkCheck(ctx: Context, check: Check, { id: campaignId }: Campaign): Promise<void> {
  const { id: checkId, projectCode, corpCode, shownAt, groups } = check
  await ctx.db
    .insertInto('themeCheck')
    .values({ checkId, campaignId, projectCode, corpCode, shownAt, groups })
    .onConflict((conflict) => conflict.column('checkId').doNothing())
    .execute()
  const { rows } = await sql<{ campaignId: string }>`select campaign_id from theme_check where check_id = ${checkId}`.execute(ctx.db)
  if (rows[0]?.campaignId !== campaignId) throw refuse('campaignId', '检查登记属于另一个专项检查')
}

async function sheetsByObject(ctx: Context, checkId: string): Promise<Map<string, StoredSheet>> {
  const sheets = await sheetsOf(ctx, checkId)
  const { rows } = await sql<{ sheetId: string; objectId: string }>`select sheet_id, object_id from theme_sheet
    where check_id = ${checkId}`.execute(ctx.db)
  return new Map(
    rows.flatMap(({ sheetId, objectId }): [string, StoredSheet][] => {
      const sheet = sheets.find((one) => one.sheet.id === sheetId)
      return sheet ? [[objectId, sheet]] : []
    }),
  )
}

type Stored = CampaignObjectRow & { id: string | null }

async function addSheet(ctx: Context, check: Check, campaign: Campaign, object: Stored, seq: number): Promise<StoredSheet> {
  // The name keeps objects of one register apart.
  const sheet = { seq, sheetCode: `T-${object.register}`, label: object.name, assignee: null, taskId: null }
  const items = campaign.points.map(({ code, name, requirement }) => ({
    id: null,
    itemCode: code,
    name,
    maxScore: 0,
    guarantee: false,
    clause: null,
    rule: requirement,
  }))
  await insertSheet(ctx, check, sheet, items)
  const own = (await sheetsOf(ctx, check.id)).find((one) => one.sheet.sheetCode === sheet.sheetCode && one.sheet.label === sheet.label)
  if (!own || object.id === null) throw new Error('the sheet was not stored')
  const { id: checkId, projectCode, corpCode, shownAt, groups } = check
  await ctx.db
    .insertInto('themeSheet')
    .values({ sheetId: own.sheet.id, checkId, objectId: object.id, projectCode, corpCode, shownAt, groups })
    .execute()
  return own
}

function requireWhole(
  { notApplicable, items }: GivenObject,
  { results }: StoredSheet,
  problems: ThemeFields['problems'],
  name: string,
  field: (name: string) => string,
): void {
  if (notApplicable !== null) return
  for (const known of results) {
    const result = items.find((one) => one.itemCode === known.itemCode)?.result ?? known.result
    if (result === itemResults.unchecked) throw refuse(field('items'), `“${name}”的“${known.name}”还没有结果`)
    if (result === itemResults.wrong && !problems.some((one) => one.itemCode === known.itemCode && one.part === name))
      throw refuse(field('items'), `“${name}”的“${known.name}”不合格，须写明问题、责任单位和期限`)
  }
}

async function show(ctx: Context, checkId: string): Promise<void> {
  const shownAt = new Date(ctx.clock.now())
  await showSheets(ctx, checkId, shownAt)
  for (const table of ['theme_check', 'theme_sheet'])
    await sql`update ${sql.table(table)} set shown_at = ${shownAt} where check_id = ${checkId}`.execute(ctx.db)
}
