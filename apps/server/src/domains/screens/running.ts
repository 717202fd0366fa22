import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/screens/endpoints'
import type { RunningTemplate } from '@zhugong/contract/screens/part'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { brandsAbove, shownBrand } from '../access/public.ts'
import { shownLinks } from '../files/public.ts'
import { levelOf, type Tenant, whoseWall } from './groups.ts'
import { choicesOf, closedPanels, inForceOf, settingOf } from './in-force.ts'
import { renewFrom } from './renewal.ts'

/** A wall with activity within this time counts as on. */
export const onWithinMs = 3 * 60_000

/** Whether a screen may run and which one; called at its start and every minute, by users and walls. */
export const checkScreen: HandlerOf<typeof contract.checkScreen> = async ({ query: { tpl, ...whose } }, ctx) => {
  const tenant = await whoseWall(ctx, whose)
  const [choices, kept, closed] = await Promise.all([
    choicesOf(ctx.system, tenant),
    settingOf(ctx.system, tenant.id),
    closedPanels(ctx.system, tenant, formatDay(ctx.clock.now())),
  ])
  const { display } = ctx.principal
  const bound = display?.templateId
  if (bound && tpl && tpl !== bound) throw new AppError('forbidden', '墙屏链接只用于签发时的大屏', { field: 'tpl' })
  const requested = bound ?? tpl
  const chosen = requested ? choices.find((one) => one.id === requested) : inForceOf(choices, kept.value)?.choice
  const shown = shownBrand(tenant, await brandsAbove(ctx.system, tenant))
  const logo = shown.logo.value
  return {
    allowed: chosen !== undefined,
    reason: chosen ? '' : requested ? '这个大屏没有分配给当前机构，或已停用' : '当前机构还没有可用的大屏',
    templateId: chosen?.id ?? null,
    publishedVersion: chosen?.version ?? null,
    settingVersion: kept.version,
    group: {
      ...pick(tenant, 'id', 'code', 'name'),
      type: levelOf(tenant),
      title: shown.sysName.value ?? tenant.name,
      logo: logo ? (shownLinks(ctx, [logo])[0] ?? null) : null,
    },
    setting: kept.value,
    closed,
    now: ctx.clock.now(),
    display: display ? { expiresAt: display.expiresAt, renewFrom: renewFrom(display) } : null,
  }
}

/** Published versions of templates that the group may use, or that an editor may see. */
export const batchLoadTemplates: HandlerOf<typeof contract.batchLoadTemplates> = async ({ body }, ctx) => {
  const { display } = ctx.principal
  if (display && body.ids.some((id) => id !== display.templateId))
    throw new AppError('forbidden', '墙屏链接只用于签发时的大屏', { field: 'ids' })
  const { rows } = await sql<RunningTemplate>`
    select t.id, t.name, t.level, v.version, v.body from screen_template t
      join screen_version v on v.template_id = t.id and v.version = t.published_version
    where t.id = any (${body.ids}) and t.state = '1' order by t.id`.execute(ctx.db)
  return { list: rows, total: rows.length }
}

type Branch = Pick<Tenant, 'id' | 'name' | 'type' | 'code'> & { areaCode: string | null; contractor: string | null; parent: string | null }

/** The screens in use, from the caller's group down: authorities and companies, and the sites of companies. */
export const templateTree: HandlerOf<typeof contract.templateTree> = async (_, ctx) => {
  const { rows } = await sql<Branch>`
    select b.id, b.name, b.type, b.code, b.area_code, c.id as contractor, u.id as parent
    from zg_branch() b
      left join project p on b.type = 3 and p.project_code = b.code
      left join tenant c on c.type = 2 and c.code = p.contractor_corp_code
      left join government g on b.type = 1 and g.gov_code = b.code
      left join tenant u on u.type = 1 and u.code = g.parent_gov_code
    where b.enable = '1' order by b.type, b.name, b.id limit ${mostBranches}`.execute(ctx.db)
  const walls = await sql<{ groupId: string; n: number }>`
    select group_id, count(*)::int as n from screen_token where revoked_at is null and seen_at > ${new Date(ctx.clock.now() - onWithinMs)}
    group by group_id`.execute(ctx.db)
  const open = new Map(walls.rows.map((one) => [one.groupId, one.n]))
  const nodes = new Map<string, contract.TemplateUse>()
  for (const one of rows) nodes.set(one.id, { ...(await useOf(ctx, one)), walls: open.get(one.id) ?? 0, children: [] })
  const tops: contract.TemplateUse[] = []
  for (const one of rows) {
    const node = nodes.get(one.id)
    if (!node) continue
    const above = nodes.get(one.contractor ?? one.parent ?? '')
    ;(above ? above.children : tops).push(node)
  }
  return tops
}
/** Enough for a city with its companies and sites; each row needs queries of its own. */
const mostBranches = 200

async function useOf(ctx: Context, one: Branch): Promise<Omit<contract.TemplateUse, 'walls' | 'children'>> {
  const tenant = one as unknown as Tenant
  const [choices, kept] = await Promise.all([choicesOf(ctx.system, tenant), settingOf(ctx.system, one.id)])
  const force = inForceOf(choices, kept.value)
  return {
    ...pick(one, 'id', 'name', 'type'),
    templateName: force?.choice.name ?? null,
    source: force?.source ?? 'default',
    from: force?.choice.fromName ?? null,
    version: force?.choice.version ?? null,
  }
}
