import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import { type RegistrationField, registrationFields } from '@zhugong/contract/organisation/model'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { areaPrefix } from '../access/public.ts'

export type Registration = Partial<Record<RegistrationField, string | undefined>>
type Registered = Pick<Row<'project'>, RegistrationField>

/** The fields of `wanted` that differ; omitted ones stay unchanged. */
export function changedFields(before: Registered, wanted: Registration): Partial<Record<RegistrationField, string>> {
  const changed: Partial<Record<RegistrationField, string>> = {}
  for (const field of Object.keys(registrationFields) as RegistrationField[]) {
    const value = wanted[field]
    if (value !== undefined && value !== before[field]) changed[field] = value
  }
  return changed
}

/**
 * Throws at the field if the caller may not change a project's registration. A project or a company never may (it applies). An authority
 * may inside its area, and between itself and the authorities below it. Named companies and authorities must exist, and the area must fit
 * the supervisor.
 */
export async function requireRegistrar(
  ctx: Context,
  before: Registered & Pick<Row<'project'>, 'projectCode'>,
  changed: Partial<Record<RegistrationField, string>>,
): Promise<void> {
  const field = Object.keys(changed)[0] as RegistrationField | undefined
  if (!field) return
  if (ctx.group.type !== groupTypes.platform && ctx.group.type !== groupTypes.government)
    throw new AppError('forbidden', `${registrationFields[field]}由监管机构核定，请提交变更申请`, { field })
  if (changed.areaCode) requireOwnArea(ctx, [before.areaCode, changed.areaCode])
  if (changed.superviseOrg) await requireOwnLine(ctx, [before.superviseOrg, changed.superviseOrg])
  await requireSound(ctx, before, changed)
}

/** An authority may work only inside its own area; other changes need the common superior or the platform. */
export function requireOwnArea(ctx: Pick<Context, 'group'>, areas: readonly string[]): void {
  if (!areas.every((area) => isOfArea(ctx, area)))
    throw new AppError('forbidden', '所在地须在本机构辖区内，跨辖区由共同的上级机构或平台办理', { field: 'areaCode' })
}

/** Whether the caller regulates an area: an authority inside its own area, others anywhere. */
export function isOfArea(ctx: Pick<Context, 'group'>, areaCode: string): boolean {
  return ctx.group.type !== groupTypes.government || areaCode.startsWith(areaPrefix(ctx.group.areaCode ?? 'none'))
}

/** An authority may transfer supervision only between itself and the authorities below it. */
export async function requireOwnLine(ctx: Context, govs: readonly (string | null)[]): Promise<void> {
  if (ctx.group.type !== groupTypes.government) return
  for (const gov of govs) {
    if (gov === null || (await isBelow(ctx, gov))) continue
    throw new AppError('forbidden', '监督机构只能在本机构和下级机构之间指派', { field: 'superviseOrg' })
  }
}

/** Whether an authority is the caller's own or below it. */
export async function isBelow(ctx: Pick<Context, 'db' | 'group'>, govCode: string): Promise<boolean> {
  const { rows } = await sql<{ below: boolean }>`select zg_is_below(${govCode}, ${ctx.group.code}) as below`.execute(ctx.db)
  return rows[0]?.below ?? false
}

/** Validates what an application or a change names: enabled companies, and an authority whose area contains the project. */
export async function requireSound(
  ctx: Pick<Context, 'system'>,
  before: Registered & Pick<Row<'project'>, 'projectCode'>,
  changed: Partial<Record<RegistrationField, string>>,
): Promise<void> {
  if (changed.contractorCorpCode) await requireCorporation(ctx, 'contractorCorpCode', changed.contractorCorpCode)
  if (changed.buildCorpCode) await requireCorporation(ctx, 'buildCorpCode', changed.buildCorpCode)
  const areaCode = changed.areaCode ?? before.areaCode
  const supervisor = changed.superviseOrg ?? before.superviseOrg
  if (supervisor && (changed.areaCode || changed.superviseOrg))
    await requireSupervisor(ctx, { govCode: supervisor, areaCode, projectCode: before.projectCode })
}

export async function requireCorporation(
  ctx: Pick<Context, 'system'>,
  field: 'contractorCorpCode' | 'buildCorpCode',
  corpCode: string,
): Promise<void> {
  const label = registrationFields[field]
  const known = await ctx.system.selectFrom('corporation').select('enable').where('corpCode', '=', corpCode).executeTakeFirst()
  if (!known) throw new AppError('invalidInput', `${label}不在企业库中，请先登记企业`, { field })
  if (!isOn(known.enable)) throw new AppError('refused', `${label}已停用`, { field })
}

/** The supervisor must be enabled, and its area must contain the project or the project must have been assigned to it manually. */
export async function requireSupervisor(
  ctx: Pick<Context, 'system'>,
  at: { govCode: string; areaCode: string; projectCode: string | null },
): Promise<void> {
  const gov = await ctx.system
    .selectFrom('government')
    .select(['name', 'areaCode', 'enable', 'addedProjects'])
    .where('govCode', '=', at.govCode)
    .executeTakeFirst()
  if (!gov || !isOn(gov.enable)) throw new AppError('invalidInput', '监督机构不存在或已停用', { field: 'superviseOrg' })
  const isGiven = at.projectCode !== null && gov.addedProjects.includes(at.projectCode)
  if (!isGiven && !at.areaCode.startsWith(areaPrefix(gov.areaCode)))
    throw new AppError('invalidInput', `监督机构“${gov.name}”的辖区不含项目所在地，请一并变更`, { field: 'superviseOrg' })
}
