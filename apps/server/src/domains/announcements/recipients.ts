import { askedAbove, type LineKind, lineKinds } from '@zhugong/contract/announcements/model'
import type { NoticeLine } from '@zhugong/contract/announcements/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'
import { namesIn, reachOf } from './reach.ts'

type Sender = Pick<Context, 'db' | 'system' | 'group' | 'scope' | 'clock'>

/** The people of lines, as rows `(user_id, group_id, …)`; see the migration. */
async function peopleOf(ctx: Sender, lines: readonly NoticeLine[]) {
  const reach = (await reachOf(ctx)).map(({ id }) => id)
  const args = sql`${ctx.group.id}, ${reach}::text[], ${JSON.stringify(lines)}::jsonb`
  return { people: sql`zg_notice_people(${args}, ${formatDay(ctx.clock.now())}::date)`, units: sql`zg_notice_units(${args})` }
}

const mostUnits = 200
export async function previewOf(ctx: Sender, lines: readonly NoticeLine[]) {
  const { people } = await peopleOf(ctx, lines)
  type Unit = { groupId: string; name: string; type: number; people: number }
  const { rows } = await sql<Unit & { projectCode: string | null }>`select n.group_id, n.group_name as name, n.group_type as type,
      n.project_code, count(*)::int as people from ${people} n group by 1, 2, 3, 4 order by 5 desc, 2`.execute(ctx.db)
  return {
    people: rows.reduce((sum, one) => sum + one.people, 0),
    projects: rows.filter((one) => one.projectCode !== null).length,
    groups: rows.length,
    units: rows.slice(0, mostUnits).map(({ projectCode: _, ...unit }) => unit),
  }
}

/** Refuses an empty scope, and a large one whose number the sender has not confirmed. @throws AppError */
export function requireConfirmed(people: number, confirmed: number | null): void {
  if (people === 0) throw new AppError('refused', '接收范围内没有人员，不能发布', { field: 'lines' })
  if (people > askedAbove && confirmed !== people)
    throw new AppError('refused', `将发给 ${people} 人，请确认人数后再发布`, { field: 'confirmed', people })
}

/** Writes the recipients and the groups reached, as they are now: one statement each, however many they are. Returns how many people. */
export async function freeze(ctx: Sender, row: Pick<Row<'announcement'>, 'id' | 'groupId' | 'above'>): Promise<number> {
  const { people, units } = await peopleOf(ctx, await linesOf(ctx.db, row.id))
  const { numAffectedRows } = await sql`insert into announcement_reader (announcement_id, user_id, group_id, group_name, group_type,
      project_code, project_name, area_code, name, phone_mask, role, from_group, above)
    select ${row.id}, n.user_id, n.group_id, n.group_name, n.group_type, n.project_code, n.project_name, n.area_code, n.name, n.phone_mask, n.role,
      ${row.groupId}, ${row.above}::text[] from ${people} n`.execute(ctx.db)
  await sql`insert into announcement_unit (announcement_id, group_id, from_group, roles)
    select ${row.id}, k.group_id, ${row.groupId}, case when bool_or(k.roles = '{}') then null else array_agg(distinct r) filter (where r is not null) end
    from ${units} k left join lateral unnest(k.roles) r on true where k.kind <> 'person' group by k.group_id`.execute(ctx.db)
  return Number(numAffectedRows ?? 0)
}

export async function linesOf(db: Db | Tx, id: string): Promise<NoticeLine[]> {
  const { rows } = await sql<NoticeLine>`select l.kind, l.areas, l.groups, l.members, l.roles, l."except" from announcement_line l
    where l.announcement_id = ${id} order by l.seq`.execute(db)
  return rows
}

export async function putLines(
  ctx: Pick<Context, 'db' | 'system' | 'newId' | 'group'>,
  id: string,
  lines: readonly NoticeLine[],
): Promise<void> {
  await sql`delete from announcement_line where announcement_id = ${id}`.execute(ctx.db)
  if (lines.length === 0) return
  const names = await namesIn(ctx.system, lines)
  const beside = { announcementId: id, groupId: ctx.group.id }
  const values = lines.map((line, i) => ({ ...beside, ...line, id: ctx.newId(), seq: i + 1, words: wordsOf(line, names) }))
  await ctx.db.insertInto('announcementLine').values(values).execute()
}

const mostNamed = 3
const named: Readonly<Partial<Record<LineKind, 'areas' | 'groups' | 'members'>>> = { area: 'areas', person: 'members' }
/** A line in words: `区划：甲区、乙区（项目负责人、安全员），不含丙公司`. */
export function wordsOf(line: NoticeLine, names: Readonly<Record<string, string>>): string {
  const listed = (ids: readonly string[]) =>
    ids
      .slice(0, mostNamed)
      .map((id) => names[id] ?? '已不存在')
      .join('、') + (ids.length > mostNamed ? `等 ${ids.length} 个` : '')
  const of = line.kind === 'all' ? '' : `：${listed(line[named[line.kind] ?? 'groups'])}`
  const roles = line.roles.length > 0 ? `（${line.roles.join('、')}）` : ''
  return `${lineKinds[line.kind]}${of}${roles}${line.except.length > 0 ? `，不含${listed(line.except)}` : ''}`
}
