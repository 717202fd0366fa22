import type { CivilItem, CivilOwner, CivilVersion } from '@zhugong/contract/civil/library'
import { civilItem, civilOwnerNames } from '@zhugong/contract/civil/library'
import { areaName, areaOfItem } from '@zhugong/contract/civil/score'
import { dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'

export type Version = Row<'civilVersion'>
export type Item = Row<'civilItem'>
type Reader = Pick<Context, 'db' | 'group' | 'clock' | 'scope' | 'scopeChecks'>

export const prefix = 'C'
interface Entry {
  code: string
  name: string
  parent?: string
}
const entries = (dictionaryOf('civilCheckItem')?.items ?? []) as unknown as readonly Entry[]
/** Marks of an item, and of a part that has no items of its own, where nobody has issued a version. */
const usualMarks = { item: 5, part: 10 } as const
/** The dictionary as items: its leaves. */
export const standardItems = entries
  .filter(({ code }) => !entries.some((one) => one.parent === code))
  .map(({ code, name, parent }) => ({
    itemCode: `${prefix}${code}`,
    name,
    part: parent ?? code,
    maxScore: parent === undefined ? usualMarks.part : usualMarks.item,
  }))
export const standardName = '文明施工检查项目（JGJ 59-2011）'

const owners = {
  [groupTypes.platform]: 'platform',
  [groupTypes.government]: 'government',
  [groupTypes.corporation]: 'company',
  [groupTypes.project]: 'project',
} as const
export const ownerOf = (ctx: Pick<Context, 'group'>) => owners[ctx.group.type as keyof typeof owners] ?? 'company'

/** Issued versions that hold for a project, the one in force first: its contractor's before the city's, the latest before earlier ones. */
const holding = (projectCode: string, day: string) => sql`select v.* from civil_version v, project p
  where p.project_code = ${projectCode} and v.issued_at is not null and v.effective_from <= ${day}::date
    and (v.owner = 'platform' or v.owner = 'company' and v.owner_code = p.contractor_corp_code
      or v.owner = 'government'
      and p.area_code like regexp_replace(v.area_code, '(00){1,2}$', '') || '%')
  order by case v.owner when 'company' then 0 when 'government' then 1 else 2 end, v.effective_from desc, v.id limit 1`

/** The version in force for a project on a day; undefined where nobody has issued one. */
export async function versionFor(ctx: Pick<Context, 'db'>, projectCode: string, day: string): Promise<Version | undefined> {
  const { rows } = await sql<Version>`${holding(projectCode, day)}`.execute(ctx.db)
  return rows[0]
}

/** An item as it is judged on a site. */
export interface SiteItem {
  /** Null for the dictionary's. */
  id: string | null
  itemCode: string
  name: string
  part: string
  maxScore: number
  rule: string | null
  clause: string | null
  /** An extra of the site or its contractor. */
  own: boolean
}

/** What is judged on a site: the items of a version (of the dictionary without one), and the extras of the site and its contractor. */
export async function itemsFor(ctx: Pick<Context, 'db'>, projectCode: string, versionId: string | null): Promise<SiteItem[]> {
  const { rows } =
    await sql<Item>`select i.* from civil_item i, project p where p.project_code = ${projectCode} and i.enable and i.superseded_at is null
      and (i.version_id = ${versionId} or i.version_id is null and (i.owner = 'project' and i.owner_code = p.project_code
        or i.owner = 'company' and i.owner_code = p.contractor_corp_code)) order by i.item_code`.execute(ctx.db)
  const stored = rows.map(({ id, itemCode, name, part, maxScore, rule, clause, versionId: of }) => ({
    id,
    itemCode,
    name,
    part,
    maxScore,
    rule,
    clause,
    own: of === null,
  }))
  if (versionId !== null) return stored
  return [...standardItems.map((one) => ({ ...one, id: null, rule: null, clause: null, own: false })), ...stored]
}

export function toItem(ctx: Pick<Context, 'group'>, i: Item, editable: boolean): CivilItem {
  const area = areaOfItem(i.itemCode)
  return rowOf(civilItem, i, {
    area,
    areaName: areaName(area),
    partName: dictName('civilCheckItem', i.part) ?? i.part,
    phaseNames: i.phases.map((one) => dictName('projectPhase', one) ?? one),
    ownerName: civilOwnerNames[i.owner],
    goodCount: i.good.length,
    badCount: i.bad.length,
    own: editable && i.groupId === ctx.group.id,
  })
}

/** Items of the dictionary as rows of the list. */
export const standardRows = (): CivilItem[] =>
  standardItems.map(({ itemCode, name, part, maxScore }) => {
    const area = areaOfItem(itemCode)
    return {
      id: '',
      versionId: null,
      itemCode,
      name,
      area,
      areaName: areaName(area),
      partName: dictName('civilCheckItem', part) ?? part,
      maxScore,
      rule: null,
      requirement: null,
      clause: null,
      phases: [],
      phaseNames: [],
      owner: 'standard',
      ownerName: civilOwnerNames.standard,
      goodCount: 0,
      badCount: 0,
      enable: true,
      revision: 1,
      own: false,
      version: 0,
    }
  })

/** The versions that the caller sees, those in force first. */
export async function versionsOf(ctx: Reader, projectCode: string): Promise<CivilVersion[]> {
  const day = formatDay(ctx.clock.now())
  type Raw = Version & { itemCount: number; marks: number }
  const { rows } = await sql<Raw>`select v.*,
      (select count(*)::int from civil_item i where i.version_id = v.id and i.enable) as item_count,
      (select coalesce(sum(i.max_score), 0)::int from civil_item i where i.version_id = v.id and i.enable) as marks
    from civil_version v
    order by v.issued_at is null desc, v.effective_from desc nulls first, v.create_time desc`.execute(ctx.db)
  const named = projectsFor(ctx, projectCode)
  const forced = named?.length === 1 ? (await versionFor(ctx, named[0] ?? '', day))?.id : undefined
  const latest = new Map<string, string>()
  for (const one of rows)
    if (one.effectiveFrom !== null && one.effectiveFrom <= day && !latest.has(`${one.owner} ${one.ownerCode}`))
      latest.set(`${one.owner} ${one.ownerCode}`, one.id)
  return rows.map((v) => ({
    ...pick(v, 'id', 'name', 'groupName', 'itemCount', 'marks', 'effectiveFrom', 'version'),
    owner: v.owner as CivilOwner,
    issued: v.issuedAt !== null,
    inForce: forced === undefined ? latest.get(`${v.owner} ${v.ownerCode}`) === v.id : forced === v.id,
    own: v.groupId === ctx.group.id,
  }))
}
