import { AppError } from '@zhugong/contract/kit/errors'
import type * as brand from '@zhugong/contract/organisation/brand'
import { panelOf } from '@zhugong/contract/screens/catalogue'
import { fitsPlace, type ScreenSetting } from '@zhugong/contract/screens/model'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changedMeanwhile, changeRow } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes, requireCode } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { areaPrefix, brandsAbove, shownBrand } from '../access/public.ts'
import { getBrand, saveBrand } from '../organisation/public.ts'
import { levelOf, type Tenant, type Whose, whoseWall } from './groups.ts'
import { choicesOf, closedPanels, inForceOf, settingOf } from './in-force.ts'

/** A group's presentation has two parts: branding and screen. */
export const readPresentation: HandlerOf<typeof brand.readPresentation> = async ({ query: { part, ...whose } }, ctx) =>
  part === 'screen' ? readScreen(ctx, whose) : getBrand({ query: {} }, ctx)

export const savePresentation: HandlerOf<typeof brand.saveBrand> = async ({ body }, ctx) =>
  body.part === 'screen' ? saveScreen(ctx, body) : saveBrand(ctx, body)

async function readScreen(ctx: Context, whose: Whose) {
  requireCode(ctx, 'screens.set')
  const tenant = await whoseWall(ctx, whose)
  const [choices, kept, closed, districts, middle] = await Promise.all([
    choicesOf(ctx.system, tenant),
    settingOf(ctx.system, tenant.id),
    closedPanels(ctx.system, tenant, formatDay(ctx.clock.now())),
    districtsOf(ctx, tenant),
    middleOf(ctx, tenant),
  ])
  const force = inForceOf(choices, kept.value)
  if (!force) throw new AppError('refused', '没有可用的大屏模板')
  const { choice, source } = force
  return {
    part: 'screen' as const,
    ...pick(kept, 'value', 'version', 'updateBy'),
    updateTime: kept.updateTime && formatInstant(kept.updateTime),
    group: {
      id: tenant.id,
      type: levelOf(tenant),
      code: tenant.code,
      name: tenant.name,
      sysName: shownBrand(tenant, await brandsAbove(ctx.system, tenant)).sysName.value ?? tenant.name,
    },
    inForce: { templateId: choice.id, name: choice.name, source, from: choice.fromName },
    choices: choices.map(({ id, name, level, version, body, delivered }) => ({ id, name, level, version, body, delivered })),
    closed,
    districts,
    middle,
  }
}

async function districtsOf(ctx: Context, tenant: Tenant): Promise<{ areaCode: string; name: string }[]> {
  if (levelOf(tenant) !== groupTypes.government) return []
  const front = tenant.areaCode ? areaPrefix(tenant.areaCode) : ''
  const { rows } = await sql<{ areaCode: string }>`
    select distinct area_code from project where area_code like ${`${front}%`} order by 1 limit 100`.execute(ctx.db)
  return rows.map(({ areaCode }) => ({ areaCode, name: areaName(areaCode) ?? areaCode }))
}

async function middleOf(ctx: Context, tenant: Tenant): Promise<{ lng: number; lat: number } | null> {
  const front = levelOf(tenant) === groupTypes.government && tenant.areaCode ? areaPrefix(tenant.areaCode) : ''
  const { rows } = await sql<{ lng: number | null; lat: number | null }>`
    select round(avg(lng)::numeric, 4)::float8 as lng, round(avg(lat)::numeric, 4)::float8 as lat from project
    where lng > 0 and area_code like ${`${front}%`}`.execute(ctx.db)
  const { lng = null, lat = null } = rows[0] ?? {}
  return lng === null || lat === null ? null : { lng, lat }
}

async function saveScreen(ctx: Context, { value, version, ...whose }: brand.ScreenGiven): Promise<undefined> {
  requireCode(ctx, 'screens.set')
  const tenant = await whoseWall(ctx, whose)
  await requireFitting(ctx, tenant, value)
  const row = { value: JSON.stringify(value) }
  if (version === 0)
    await ctx.db
      .insertInto('screenSetting')
      .values({ groupId: tenant.id, ...row, updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.name })
      .execute()
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? changedMeanwhile('大屏设置') : error
      })
  else await changeRow(ctx, 'screenSetting', { key: { groupId: tenant.id }, version, noun: '大屏设置', by: ctx.user.name, values: row })
  ctx.note(`保存大屏设置：${tenant.name}`, tenant.id)
  return undefined
}

const wrong = (field: string, message: string) =>
  new AppError('invalidInput', message, { field: `value.${field}`, fields: [{ field: `value.${field}`, message }] })

/** Validates screen settings: templates available to the group, matching panels, its own devices and projects. */
async function requireFitting(ctx: Context, tenant: Tenant, value: ScreenSetting): Promise<void> {
  const choices = await choicesOf(ctx.system, tenant)
  if (value.templateId && !choices.some((one) => one.id === value.templateId))
    throw wrong('templateId', '这个模板没有分配给该机构，或已停用')
  const body = inForceOf(choices, value)?.choice.body
  const closed = await closedPanels(ctx.system, tenant, formatDay(ctx.clock.now()))
  for (const [uid, key] of Object.entries(value.swaps)) {
    const place = body?.pages.flatMap((page) => page.panels).find((one) => one.uid === uid)
    if (!place) throw wrong('swaps', `模板中没有位置 ${uid}`)
    if (!fitsPlace(levelOf(tenant), key, place)) throw wrong('swaps', `“${panelOf(key)?.title ?? key}”放不进这个位置`)
    if (closed.includes(key)) throw wrong('swaps', `“${panelOf(key)?.title ?? key}”所属应用未开通`)
  }
  if (value.incident) {
    const { rows } = await sql`select 1 from project where project_code = ${value.incident}`.execute(ctx.db)
    if (rows.length === 0) throw wrong('incident', '项目不存在或不在您的管辖范围内')
  }
  const devices = [...new Set(value.placed.map((one) => one.deviceId))]
  if (devices.length === 0) return
  if (tenant.type !== groupTypes.project) throw wrong('placed', '只有项目大屏可以摆放设备')
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from device where id = any (${devices}) and project_code = ${tenant.code}`.execute(ctx.db)
  if (rows[0]?.n !== devices.length) throw wrong('placed', '有设备不属于该项目')
}
