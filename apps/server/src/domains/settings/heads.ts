import { groupTypeName } from '@zhugong/contract/access/group-types'
import { isOn } from '@zhugong/contract/kit/enable'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { completenessOf, gapsOf } from '@zhugong/contract/organisation/project-gaps'
import { paperWarnDays } from '@zhugong/contract/settings/company-papers'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { type getSettingsHead as call, type ParentKind, recentShown } from '@zhugong/contract/settings/parents'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor, requireProject } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { areaPrefix } from '../access/public.ts'
import { lacking, materialsOf } from './materials.ts'

type Head = NonNullable<OutputFor<typeof call>['head']>
type Recent = OutputFor<typeof call>['recent']

/** Days before the end of a licence from which a warning is shown. */
const licenceWarningDays = 90

/** The subject of the settings pages and the pending items per page. Reads the tables of several domains, like a dashboard. */
export const getSettingsHead: HandlerOf<typeof call> = async ({ query }, ctx) => {
  const code = codeOf(ctx, query.kind, query)
  if (code === undefined) return { head: null, recent: await recentOf(ctx, query.kind) }
  return { head: await headOf[query.kind](ctx, code), recent: [] }
}

interface Named {
  projectCode?: string | undefined
  corpCode?: string | undefined
  govCode?: string | undefined
}

/** The requested code, else the selected one or the caller's own; undefined if it is ambiguous. */
function codeOf(ctx: Context, kind: ParentKind, named: Named): string | undefined {
  const own = (type: number) => (ctx.group.type === type ? ctx.group.code : undefined)
  if (kind === 'org') return ctx.group.id
  if (kind === 'enterprise') return named.corpCode || own(groupTypes.corporation)
  if (kind === 'government') return named.govCode || own(groupTypes.government)
  const requested = named.projectCode && named.projectCode !== '*' ? named.projectCode : undefined
  return requested ?? (ctx.projectCode === '*' ? own(groupTypes.project) : ctx.projectCode)
}

const headOf: Record<ParentKind, (ctx: Context, code: string) => Promise<Head>> = {
  site: projectHead,
  project: projectHead,
  enterprise: companyHead,
  government: bodyHead,
  org: ownHead,
}

async function projectHead(ctx: Context, code: string): Promise<Head> {
  requireProject(ctx, code)
  const p = found(await ctx.db.selectFrom('project').selectAll().where('projectCode', '=', code).executeTakeFirst(), '项目')
  const gaps = gapsOf(p, formatDay(ctx.clock.now()), p.prjStatus === projectStates.building)
  const papers = await materialsOf(ctx, p)
  const site = ctx.group.type === groupTypes.project
  const waiting = papers.filter((one) => one.state === '1').length
  const bad = lacking(papers)
  const { rows } = await sql<{ corpName: string | null; govName: string | null; fences: number; changes: number }>`
    select (select corp_name from corporation where corp_code = ${p.contractorCorpCode}) as corp_name,
      (select name from government where gov_code = ${p.superviseOrg}) as gov_name,
      (select count(*)::int from project_fence where project_code = ${code} and state = '0') as fences,
      (select count(*)::int from project_change where project_code = ${code} and state = '1') as changes`.execute(ctx.db)
  const [beside = { corpName: null, govName: null, fences: 0, changes: 0 }] = rows
  const complete = completenessOf(gaps)
  return {
    code,
    title: p.name,
    tag: dictName('projectState', p.prjStatus) ?? p.prjStatus,
    tagTone: p.prjStatus === projectStates.stopped ? 'warning' : p.prjStatus === projectStates.building ? 'fine' : 'neutral',
    enable: p.enable,
    facts: [
      { label: '完整度', value: `${complete}%`, tone: complete < 80 ? 'warning' : 'fine' },
      { label: '所在地', value: areaName(p.areaCode) },
      { label: '总承包', value: beside.corpName },
      { label: '监督机构', value: beside.govName },
      { label: '待审变更', value: `${beside.changes} 项`, tone: beside.changes ? ('warning' as const) : undefined },
    ],
    counts: {
      information: { count: gaps.length, warning: gaps.some((gap) => gap.reported) },
      material: site ? { count: bad, warning: bad > 0 } : { count: waiting, warning: waiting > 0 },
      electronicFence: { count: beside.fences, warning: beside.fences > 0 },
    },
  }
}

async function companyHead(ctx: Context, code: string): Promise<Head> {
  if (ctx.group.type === groupTypes.project || (ctx.group.type === groupTypes.corporation && ctx.group.code !== code))
    throw new AppError('forbidden', '只能查看本企业的设置')
  const c = found(await ctx.db.selectFrom('corporation').selectAll().where('corpCode', '=', code).executeTakeFirst(), '企业')
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<{ projects: number; papers: number; aptitudes: number }>`
    select (select count(distinct project_code)::int from project_corp where corp_code = ${code}) as projects,
      (select count(*)::int from corp_material where corp_code = ${code} and valid_end <= ${addDays(today, paperWarnDays)}::date) as papers,
      (select count(*)::int from corp_qualification where corp_code = ${code} and status <> '002'
        and end_date <= ${today}::date + ${c.aptitudeRemindDays}::int) as aptitudes`.execute(ctx.db)
  const { projects = 0, papers = 0, aptitudes = 0 } = rows[0] ?? {}
  const end = c.safetyLicenseEnd
  const licence = !c.safetyLicenseNo ? '未登记' : end && end < today ? `已于 ${end} 到期` : `至 ${end}`
  const late = Boolean(end && end < today)
  const soon = Boolean(end && end <= addDays(today, licenceWarningDays))
  return {
    code,
    title: c.corpName,
    tag: isOn(c.enable) ? '启用' : '停用',
    tagTone: isOn(c.enable) ? 'fine' : 'neutral',
    enable: c.enable,
    facts: [
      { label: '统一社会信用代码', value: c.corpCode },
      { label: '业务类别', value: c.corpKind.map((kind) => dictName('corpKind', kind)).join('、') },
      { label: '信用分', value: String(c.creditScore), tone: c.creditScore < 90 ? ('warning' as const) : undefined },
      { label: '安全生产许可证', value: licence, tone: late ? ('danger' as const) : soon ? ('warning' as const) : undefined },
    ],
    counts: {
      message: { warning: late || soon },
      material: { count: papers, warning: papers > 0 },
      aptitude: { count: aptitudes, warning: aptitudes > 0 },
      projectList: { count: projects },
    },
  }
}

async function bodyHead(ctx: Context, code: string): Promise<Head> {
  if (ctx.group.type === groupTypes.corporation || ctx.group.type === groupTypes.project)
    throw new AppError('forbidden', '只能由监管机构和平台查看')
  if (ctx.group.type === groupTypes.government) {
    const { rows } = await sql<{ below: boolean }>`select zg_is_below(${code}, ${ctx.group.code}) as below`.execute(ctx.db)
    if (!rows[0]?.below) throw new AppError('forbidden', '只能查看本机构和下级机构的设置')
  }
  const g = found(await ctx.db.selectFrom('government').selectAll().where('govCode', '=', code).executeTakeFirst(), '监管机构')
  const prefix = `${areaPrefix(g.areaCode)}%`
  const { rows } = await sql<{ projects: number }>`
    select count(*)::int as projects from project where project_code <> all (${[...g.removedProjects]})
      and (area_code like ${prefix} or project_code = any (${[...g.addedProjects]}) or supervise_org = ${code})`.execute(ctx.db)
  return {
    code,
    title: g.name,
    tag: isOn(g.enable) ? '启用' : '停用',
    tagTone: isOn(g.enable) ? 'fine' : 'neutral',
    enable: g.enable,
    facts: [
      { label: '层级', value: dictName('govLevel', g.level) ?? null },
      { label: '管辖区划', value: areaName(g.areaCode) },
      { label: '联系人', value: g.linkMan },
    ],
    counts: { projectList: { count: rows[0]?.projects ?? 0 } },
  }
}

async function ownHead(ctx: Context, id: string): Promise<Head> {
  const t = found(await ctx.db.selectFrom('tenant').selectAll().where('id', '=', id).executeTakeFirst(), '机构')
  return {
    code: t.code,
    title: t.sysName ?? t.name,
    tag: groupTypeName(t.type),
    tagTone: 'neutral',
    enable: t.enable,
    facts: [
      { label: '机构', value: t.name },
      { label: '区划', value: t.areaCode && areaName(t.areaCode) },
    ],
    counts: {},
  }
}

/** The most recently changed objects, as choices. */
async function recentOf(ctx: Context, kind: ParentKind): Promise<Recent> {
  if (kind === 'enterprise' || kind === 'government') {
    if (ctx.group.type !== groupTypes.platform && ctx.group.type !== groupTypes.government) return []
    const rows = kind === 'enterprise' ? await recentCompanies(ctx) : await recentBodies(ctx)
    return rows.map(toRecent)
  }
  const { rows } = await sql<RawRecent>`
    select project_code as code, name, area_code, update_time from project where ${allOf(...inProjects('projectCode', projectsFor(ctx)))}
    order by coalesce(update_time, create_time) desc, project_code limit ${recentShown}`.execute(ctx.db)
  return rows.map(toRecent)
}

interface RawRecent {
  code: string
  name: string
  areaCode: string
  updateTime: Date | null
}
const toRecent = (r: RawRecent) => ({
  code: r.code,
  name: r.name,
  remark: `${areaName(r.areaCode) ?? ''} · ${r.code}`,
  updateTime: r.updateTime && formatInstant(r.updateTime),
})

async function recentCompanies(ctx: Context): Promise<RawRecent[]> {
  const { rows } = await sql<RawRecent>`select corp_code as code, corp_name as name, area_code, update_time from corporation
    order by coalesce(update_time, create_time) desc, corp_code limit ${recentShown}`.execute(ctx.db)
  return rows
}

/** Authorities the caller may manage: for an authority, those below it. */
async function recentBodies(ctx: Context): Promise<RawRecent[]> {
  const within = ctx.group.type === groupTypes.government ? sql`zg_is_below(gov_code, ${ctx.group.code})` : sql`true`
  const { rows } = await sql<RawRecent>`select gov_code as code, name, area_code, update_time from government where ${within}
    order by coalesce(update_time, create_time) desc, gov_code limit ${recentShown}`.execute(ctx.db)
  return rows
}
