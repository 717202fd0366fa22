import { type FlowNode, missingLocks } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { groupTypes } from '#kit/context'
import type { Db, Row } from '#kit/db'
import type { KnownKind } from './model.ts'

export interface GroupAbove {
  id: string
  type: number
  name: string
}

/**
 * The groups whose settings apply to a group, from the top down to the group itself: platform, authority, leading company, site.
 * Settings of higher groups are read without row-level security, because they apply here although the user cannot see these groups.
 */
export async function chainOf(system: Db, groupId: string): Promise<GroupAbove[]> {
  const { rows } = await sql<GroupAbove & { depth: number }>`
    with recursive mine as (select id, type, code, name from tenant where id = ${groupId}),
    governing as (
      select g.gov_code, g.parent_gov_code, 0 as depth from government g join mine on mine.type = ${groupTypes.government} and g.gov_code = mine.code
      union select g.gov_code, g.parent_gov_code, 0 from government g join project p on p.supervise_org = g.gov_code join mine
        on mine.type = ${groupTypes.project} and p.project_code = mine.code
      union select g.gov_code, g.parent_gov_code, b.depth + 1 from government g join governing b on b.parent_gov_code = g.gov_code and b.depth < 10)
    select t.id, t.type, t.name, 1000 as depth from tenant t where t.type = ${groupTypes.platform} and t.id <> ${groupId}
    union all select t.id, t.type, t.name, 100 + g.depth from governing g join tenant t on t.type = ${groupTypes.government} and t.code = g.gov_code and t.id <> ${groupId}
    union all select t.id, t.type, t.name, 10 from mine join project_corp pc on mine.type = ${groupTypes.project} and pc.project_code = mine.code
        and pc.corp_type = '009' and pc.exit_time is null join tenant t on t.type = ${groupTypes.corporation} and t.code = pc.corp_code
    union all select id, type, name, 0 from mine
    order by depth desc, id`.execute(system)
  return rows.map(({ id, type, name }) => ({ id, type, name }))
}

export interface FlowInForce {
  nodes: FlowNode[]
  exempt: boolean
  /** The group whose setting applies; null for the delivered flow. */
  group: GroupAbove | null
  version: number
  /** Steps that a setting of this group may not remove. */
  locks: FlowNode[]
}

export type Setting = Row<'flowSetting'>

export async function newestSettings(system: Db, kinds: readonly string[], groups: readonly string[]): Promise<Setting[]> {
  if (groups.length === 0) return []
  return system
    .selectFrom('flowSetting')
    .distinctOn(['kind', 'groupId'])
    .selectAll()
    .where('kind', 'in', [...kinds])
    .where('groupId', 'in', [...groups])
    .orderBy('kind')
    .orderBy('groupId')
    .orderBy('version', 'desc')
    .execute()
}

/** Merges the settings from the top down. Steps locked by a higher group stay, even if a lower setting omits them. */
export function flowOf(kind: KnownKind, chain: readonly GroupAbove[], settings: readonly Setting[]): FlowInForce {
  const delivered = [...kind.nodes]
  let existing: FlowInForce = { nodes: delivered, exempt: false, group: null, version: 0, locks: delivered.filter((n) => n.locked) }
  for (const group of chain) {
    if (kind.settableBy && !kind.settableBy.includes(group.type)) continue
    const setting = settings.find((s) => s.groupId === group.id && s.kind === kind.kind)
    if (!setting || setting.mode === 'upper') continue
    const exempt = setting.mode === 'none' && kind.mayExempt === true && existing.locks.length === 0
    if (setting.mode === 'none' && !exempt) continue
    const nodes = exempt ? [] : [...setting.nodes, ...missingLocks(setting.nodes, existing.locks)]
    const locks = [...existing.locks, ...nodes.filter((n) => n.locked && !existing.locks.some((l) => l.key === n.key))]
    existing = { nodes, exempt, group, version: setting.version, locks }
  }
  return existing
}

/** The flow that applies to a group. */
export async function flowInForce(system: Db, kind: KnownKind, groupId: string): Promise<FlowInForce> {
  const chain = await chainOf(system, groupId)
  return flowOf(
    kind,
    chain,
    await newestSettings(
      system,
      [kind.kind],
      chain.map((g) => g.id),
    ),
  )
}
