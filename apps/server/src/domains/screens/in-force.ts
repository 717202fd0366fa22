import { codesFor } from '@zhugong/contract/access/codes'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { screenCalls } from '@zhugong/contract/screens/calls'
import { panelOf, panelsFor } from '@zhugong/contract/screens/catalogue'
import { type ScreenBody, type ScreenSetting, screenSetting } from '@zhugong/contract/screens/model'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { openCodes } from '../access/public.ts'
import { levelOf, type Tenant } from './groups.ts'

export interface Choice {
  id: string
  name: string
  level: number
  version: number
  body: ScreenBody
  delivered: boolean
  /** Order of preference: assigned to the group itself, assigned by a group above, the group's own, the platform's. */
  rank: number
  fromName: string | null
}

/** Published templates the group may use; the default one first. */
export async function choicesOf(db: Db, tenant: Tenant): Promise<Choice[]> {
  const { rows } = await sql<Choice>`
    select t.id, t.name, t.level, v.version, v.body, t.delivered,
      case when own.template_id is not null then 0 when up.far is not null then up.far when t.group_id = ${tenant.id} then 1000
        when t.delivered then 2000 else 3000 end as rank,
      case when own.template_id is null then up.name end as from_name
    from screen_template t join screen_version v on v.template_id = t.id and v.version = t.published_version
      left join screen_assignment own on own.template_id = t.id and own.group_id = ${tenant.id}
      left join lateral (
        select u.far::int as far, g.name from screen_assignment a
          join unnest(zg_screen_above(${tenant.id})) with ordinality as u(id, far) on u.id = a.group_id join tenant g on g.id = a.group_id
        where a.template_id = t.id and a.inherit order by u.far limit 1) up on true
    where t.state = '1' and t.level = ${levelOf(tenant)}
      and (t.group_id is null or t.group_id = ${tenant.id} or own.template_id is not null or up.far is not null)
    order by rank, own.update_time desc nulls last, t.name, t.id`.execute(db)
  return rows
}

export interface InForce {
  choice: Choice
  source: 'own' | 'inherited' | 'default'
}

/** The screen in use: the selected or assigned one, else the nearest inherited one, else the default of the kind of group. */
export function inForceOf(choices: readonly Choice[], setting: ScreenSetting | undefined): InForce | undefined {
  const chosen = setting?.templateId ? choices.find((one) => one.id === setting.templateId) : undefined
  if (chosen) return { choice: chosen, source: 'own' }
  const [first] = choices.filter((one) => one.rank < 1000)
  if (first) return { choice: first, source: first.rank === 0 ? 'own' : 'inherited' }
  const delivered = choices.find((one) => one.delivered)
  return delivered && { choice: delivered, source: 'default' }
}

export interface KeptSetting {
  value: ScreenSetting
  version: number
  updateBy: string | null
  updateTime: Date | null
}

/** A group's settings; settings missing in an older format have default values. */
export async function settingOf(db: Db, groupId: string): Promise<KeptSetting> {
  const row = await db.selectFrom('screenSetting').selectAll().where('groupId', '=', groupId).executeTakeFirst()
  const value = screenSetting.safeParse(row?.value ?? {}).data ?? screenSetting.parse({})
  return { value, version: row?.version ?? 0, updateBy: row?.updateBy ?? null, updateTime: row?.updateTime ?? null }
}

/** Permission codes of all panel endpoints that a kind of group can have. */
export const displayCodes = (type: number): string[] => {
  const wanted = new Set(['screens.view', ...Object.values(screenCalls).flatMap((call) => codesOf(call))])
  return codesFor(type).filter((code) => wanted.has(code))
}

/** Panels whose app the group does not have. */
export async function closedPanels(db: Db, tenant: Tenant, day: string): Promise<string[]> {
  const open = await openCodes(db, tenant.id, '', day)
  if (open === 'every') return []
  return panelsFor(levelOf(tenant)).filter((key) =>
    panelOf(key)?.calls.some((name) => {
      const codes = codesOf(screenCalls[name])
      return codes.length > 0 && !codes.some((code) => open.has(code))
    }),
  )
}
