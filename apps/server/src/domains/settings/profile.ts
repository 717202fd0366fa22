import type { publicSettings } from '@zhugong/contract/identity/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { renameAreas } from '@zhugong/contract/settings/dictionaries'
import type { Config } from '#kit/config'
import type { Shared } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { brandsAbove, shownBrand } from '../access/public.ts'
import { shownLinks } from '../files/public.ts'

export type Profile = OutputFor<typeof publicSettings>
export interface DemoAccount {
  role: string
  account: string
  password: string
  groupName: string
}

export const version = '0.1.0'

const neutral: Omit<Profile, 'mqttHost' | 'serverHost' | 'resourceHost' | 'version' | 'demoAccounts' | 'forgotAllowed' | 'maintenance'> = {
  mainHead: '筑工',
  subHead: '智慧工地与劳务实名制管理平台',
  privateCloudIdentifier: '筑工',
  logoImage: '',
  backgroundImage: '',
  appQrcodePrj: '',
  appQrcodeGov: '',
  prjBtnName: '项目端',
  govBtnName: '监管端',
  helpDoc: '',
  serviceHotline: '',
  footers: [],
  keepLiveAllowed: true,
  primaryColor: null,
  map: null,
}

/** The public profile; with `org` the published name, logo and colour of that group and nothing else about it. */
export async function profileOf(
  { system: db, ...links }: Pick<Shared, 'system' | 'secrets' | 'clock'>,
  config: Config,
  org: string | undefined,
  demoAccounts: readonly DemoAccount[] | undefined,
): Promise<Profile> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', 'profile').executeTakeFirst()
  const group = org
    ? await db.selectFrom('tenant').selectAll().where('code', '=', org).where('enable', '=', '1').executeTakeFirst()
    : undefined
  // Branding as the group's users see it after login: per field, with fields locked by higher groups.
  const look = group && shownBrand(group, await brandsAbove(db, group))
  const saved: Partial<Profile> = row?.value ?? {}
  return {
    ...neutral,
    // Without a host: the host of the page.
    mqttHost: `:${config.mqttWsPort}`,
    ...saved,
    maintenance: stillAhead(saved.maintenance, links.clock.now()),
    ...(look?.sysName.value ? { mainHead: look.sysName.value } : {}),
    ...(look?.logo.value ? { logoImage: shownLinks(links, [look.logo.value])[0] ?? '' } : {}),
    primaryColor: look?.primaryColor.value ?? null,
    serverHost: '',
    resourceHost: '',
    forgotAllowed: config.smsUrl !== undefined || config.smtpUrl !== undefined,
    demoAccounts: demoAccounts?.length ? [...demoAccounts] : undefined,
    version,
  }
}

/** Past maintenance is not shown; it stays stored until the next one. */
const stillAhead = (reported: Profile['maintenance'] | undefined, now: number): Profile['maintenance'] =>
  reported && (parseInstant(reported.until) ?? 0) > now ? reported : null

/** Refuses a maintenance notice whose end is in the past. */
export function refusePast(requested: { until: string } | null | undefined, now: number): void {
  if (requested && (parseInstant(requested.until) ?? now) <= now)
    throw new AppError('invalidInput', '结束时间已过', { field: 'maintenance.until' })
}

export async function saveProfile(db: Tx, change: Record<string, unknown>, userId: string): Promise<void> {
  const before = await db.selectFrom('setting').select('value').where('key', '=', 'profile').forUpdate().executeTakeFirst()
  const value = JSON.stringify({ ...(before?.value ?? {}), ...change })
  await db
    .insertInto('setting')
    .values({ key: 'profile', value, updateBy: userId })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updateBy: userId, updateTime: new Date() }))
    .execute()
}

export const areaNamesKey = 'area-names'

/** Loads the deployment's own names of divisions at start-up. */
export async function loadAreaNames(db: Db): Promise<void> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', areaNamesKey).executeTakeFirst()
  if (row) renameAreas(row.value as Record<string, string>)
}
