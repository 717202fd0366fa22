import { maskIdCard, maskPhone, normalizeIdCard } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { partTypes } from '@zhugong/contract/labour/codes'
import { answeringParts, singleParts } from '@zhugong/contract/labour/model'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import type { RawUnit } from './unit-list.ts'

/** Throws if a project tries to enter, change or remove its own owner, general contractor or supervisor. */
export function requirePartWriter(ctx: Pick<Context, 'group' | 'scopeChecks'>, corpType: string): void {
  if (ctx.scopeChecks && ctx.group.type === groupTypes.project && (answeringParts as readonly string[]).includes(corpType))
    throw new AppError('forbidden', `${dictName('projectCorpType', corpType)}由建设单位、总承包单位或平台登记和变更`, { field: 'corpType' })
}

/** Throws with the company's name if a part that only one company can have is taken. */
export async function requireFreePart(ctx: Pick<Context, 'db'>, projectCode: string, corpType: string): Promise<void> {
  if (!(singleParts as readonly string[]).includes(corpType)) return
  const present = await sql<{ name: string }>`
    select c.corp_name as name from project_corp u join corporation c using (corp_code)
    where u.project_code = ${projectCode} and u.corp_type = ${corpType} and u.exit_time is null`.execute(ctx.db)
  const name = present.rows[0]?.name
  if (name) throw new AppError('refused', `本项目已有${dictName('projectCorpType', corpType)}：${name}`, { field: 'corpType' })
}

/** Checks the parent unit: it must be present and must not be below this unit, because a parent sees the people below it. */
export async function requireParent(ctx: Context, projectCode: string, corpCode: string, parent: string | null | undefined): Promise<void> {
  if (!parent) return
  await requirePresentUnit(ctx, projectCode, parent, 'parentCorpCode', '上级发包单位')
  const { rows } = await sql<{ code: string }>`
    with recursive above as (
      select ${parent}::text as code
      union select u.parent_corp_code from project_corp u join above a on u.corp_code = a.code
        where u.project_code = ${projectCode} and u.parent_corp_code is not null)
    select code from above where code = ${corpCode}`.execute(ctx.db)
  if (rows.length) throw new AppError('invalidInput', '上级发包单位不能是本单位或其下级', { field: 'parentCorpCode' })
}

interface SiteUse {
  teams: number
  teamsPresent: number
  people: number
  peoplePresent: number
}

/** What a unit still has on the site, including rows invisible to the caller, so that a removal never misses anything. */
export async function siteUse(ctx: Pick<Context, 'db'>, projectCode: string, corpCode: string): Promise<SiteUse> {
  const { rows } = await sql<SiteUse>`select * from zg_site_use(${projectCode}, ${corpCode})`.execute(ctx.db)
  return rows[0] ?? { teams: 0, teamsPresent: 0, people: 0, peoplePresent: 0 }
}

/** Parts whose leader is a key person: another one needs the consent of the owner and the authority (project changes). */
const approvedLeaders: readonly string[] = [partTypes.leader, partTypes.supervisor]

/** Throws if a site or a company replaces 项目负责人 or 总监 of a project at work by an edit. A first entry and a correction by those above pass. */
export async function requireSameLeader(ctx: Pick<Context, 'db' | 'group'>, unit: RawUnit, pmName: string): Promise<void> {
  if (ctx.group.type < groupTypes.corporation || !approvedLeaders.includes(unit.corpType)) return
  if (unit.pmName === null || unit.pmName === pmName || unit.exitTime !== null) return
  const project = await ctx.db.selectFrom('project').select('prjStatus').where('projectCode', '=', unit.projectCode).executeTakeFirst()
  if (project?.prjStatus !== projectStates.building) return
  const role = unit.corpType === partTypes.supervisor ? '总监理工程师' : '项目负责人'
  throw new AppError('refused', `在建项目变更${role}须经审批，请在“项目变更”中申请`, { field: 'pmName' })
}

export function sealedLeader(ctx: Pick<Context, 'secrets'>, number: unknown, phone: unknown) {
  return {
    ...(typeof number === 'string' && number
      ? {
          pmIdCardNumber: ctx.secrets.seal(number),
          pmIdCardMask: maskIdCard(number),
          pmIdCardHash: ctx.secrets.blindIndex('id-card', normalizeIdCard(number)),
        }
      : {}),
    ...(typeof phone === 'string' && phone ? { pmPhone: ctx.secrets.seal(phone), pmPhoneMask: maskPhone(phone) } : {}),
  }
}

/** The unit if it is present; throws at the field otherwise. */
export async function requirePresentUnit(
  ctx: Pick<Context, 'db'>,
  projectCode: string,
  corpCode: string,
  field = 'corpCode',
  thing = '所在单位',
): Promise<{ entryTime: string }> {
  const unit = await ctx.db
    .selectFrom('projectCorp')
    .select('entryTime')
    .where('projectCode', '=', projectCode)
    .where('corpCode', '=', corpCode)
    .where('exitTime', 'is', null)
    .orderBy('entryTime')
    .executeTakeFirst()
  if (!unit) throw new AppError('refused', `${thing}不在本项目场内，请先办理单位进场`, { field })
  return unit
}

/** Throws with the names if a unit still has teams or people present. A company with a second part in the project may end one of them. */
export async function requireEmptyUnit(ctx: Context, unit: RawUnit): Promise<void> {
  const others = await ctx.db
    .selectFrom('projectCorp')
    .select('id')
    .where('projectCode', '=', unit.projectCode)
    .where('corpCode', '=', unit.corpCode)
    .where('exitTime', 'is', null)
    .where('id', '!=', unit.id)
    .executeTakeFirst()
  if (others) return
  const teams = await ctx.db
    .selectFrom('team')
    .select(['id', 'teamName as name'])
    .where('projectCode', '=', unit.projectCode)
    .where('corpCode', '=', unit.corpCode)
    .where('exitTime', 'is', null)
    .execute()
  if (teams.length)
    throw new AppError('refused', `“${unit.corpName}”还有 ${teams.length} 个班组在场，请先办理班组退场：${listed(teams)}`, { teams })
  const people = await ctx.db
    .selectFrom('projectWorker')
    .select(['id', 'workerName as name'])
    .where('projectCode', '=', unit.projectCode)
    .where('corpCode', '=', unit.corpCode)
    .where('exitTime', 'is', null)
    .execute()
  if (people.length)
    throw new AppError('refused', `“${unit.corpName}”还有 ${people.length} 人在场，请先办理人员退场：${listed(people)}`, { people })
  const { teamsPresent, peoplePresent } = await siteUse(ctx, unit.projectCode, unit.corpCode)
  if (teamsPresent + peoplePresent > 0)
    throw new AppError('refused', `“${unit.corpName}”还有 ${teamsPresent} 个班组、${peoplePresent} 人在场，不能退场`)
}

/** Up to eight names; the full list is in the error's details. */
export const listed = (things: readonly { name: string }[]): string =>
  things
    .slice(0, 8)
    .map((t) => t.name)
    .join('、') + (things.length > 8 ? ` 等 ${things.length} 个` : '')
