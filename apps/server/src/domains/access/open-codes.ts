import { codesFor } from '@zhugong/contract/access/codes'
import { closedWords, type GrantState, graceWords, grantState, isOpenState, isReading } from '@zhugong/contract/apps/codes'
import type { RangeRule } from '@zhugong/contract/apps/grant-endpoints'
import { inRange, type RangeFacts } from '@zhugong/contract/apps/ranges'
import { sql } from 'kysely'
import { groupTypes } from '#kit/context'
import type { Db } from '#kit/db'

/** State of an app for one user of a group on a given day. */
export interface OwnedApp {
  id: string
  code: string
  name: string
  icon: string
  appType: string
  categoryId: string
  entry: string | null
  codes: string[]
  sort: number
  /** `none`: not granted to the group; `range`: granted, but not to this user. */
  state: GrantState | 'none' | 'range'
  deadline: string | null
  /** Shown in the menus: the group has not hidden it. */
  visible: boolean
}

interface Living {
  start: string
  deadline: string | null
  visible: boolean
  sort: number
}
interface Found extends Omit<OwnedApp, 'state' | 'deadline' | 'visible'> {
  base: boolean
  grants: Living[] | null
  rule: RangeRule | null
}

const better = (a: Living, b: Living, day: string): number => {
  const rank = ({ start, deadline }: Living) =>
    ['valid', 'ending', 'grace', 'pending', 'ended'].indexOf(grantState({ start, deadline }, day)) + (deadline === null ? -0.5 : 0)
  return rank(a) - rank(b) || (b.deadline ?? '').localeCompare(a.deadline ?? '')
}

/** Every app with its state for a user; the platform has all of them. */
export async function appsOf(db: Db, group: { id: string; type: number }, userId: string, day: string): Promise<OwnedApp[]> {
  const { rows } = await sql<Found>`
    select a.id, a.code, a.name, a.icon, a.app_type, a.category_id, a.entry, a.codes, a.sort, a.base, g.grants, r.rule
    from app a
      left join lateral (select json_agg(json_build_object('start', x.start_day, 'deadline', x.deadline, 'visible', x.visible, 'sort', x.sort)) as grants
        from app_grant x where x.group_id = ${group.id} and x.app_id = a.id and x.revoked_at is null) g on true
      left join app_range r on r.group_id = ${group.id} and r.app_id = a.id
    order by a.sort, a.id`.execute(db)
  const everything = group.type === groupTypes.platform
  const facts = !everything && rows.some(({ rule }) => rule) ? await factsOf(db, group.id, userId, day) : undefined
  return rows.map(({ base, grants, rule, ...app }) => {
    if (everything || base) return { ...app, state: 'valid', deadline: null, visible: true }
    const best = grants?.toSorted((a, b) => better(a, b, day))[0]
    if (!best) return { ...app, state: 'none', deadline: null, visible: true }
    const isOut = rule && facts && !inRange(rule, facts, day)
    const state = isOut ? 'range' : grantState(best, day)
    return { ...app, state, deadline: best.deadline, visible: best.visible, sort: best.sort }
  })
}

/** The facts that decide an app's range: the user's departments with those above, posts, roles, and units on the site. */
async function factsOf(db: Db, groupId: string, userId: string, day: string): Promise<RangeFacts> {
  const { rows } = await sql<Omit<RangeFacts, 'userId'>>`
    with me as (select id from member where group_id = ${groupId} and user_id = ${userId}),
      places as (select o.org_id, o.post from org_member o join me on me.id = o.member_id),
      above as (
        with recursive up as (
          select n.id, n.parent_id from org_node n join places p on p.org_id = n.id
          union select n.id, n.parent_id from org_node n join up on n.id = up.parent_id)
        select id from up)
    select coalesce((select array_agg(id) from above), '{}') as org_ids,
      coalesce((select array_agg(distinct post) from places where post <> ''), '{}') as posts,
      coalesce((select array_agg(mr.role_id) from member_role mr join me on me.id = mr.member_id
        where mr.deadline is null or mr.deadline >= ${day}::date), '{}') as role_ids,
      coalesce((select array_agg(distinct c.code) from member m join tenant c on c.id = m.group_id and c.type = 2
        join tenant p on p.id = ${groupId} and p.type = 3
        join project_corp pc on pc.project_code = p.code and pc.corp_code = c.code and pc.exit_time is null
        where m.user_id = ${userId} and m.enable = '1'), '{}') as corps`.execute(db)
  const found = rows[0]
  return { userId, orgIds: found?.orgIds ?? [], posts: found?.posts ?? [], roleIds: found?.roleIds ?? [], corps: found?.corps ?? [] }
}

/** Whether the apps leave a permission code open; codes that belong to no app are always open. */
function isOpen(apps: readonly OwnedApp[], code: string): boolean {
  let carried = false
  for (const app of apps) {
    if (!app.codes.includes(code)) continue
    carried = true
    if (app.state === 'none' || app.state === 'range') continue
    if (isOpenState(app.state) || (app.state === 'grace' && isReading(code))) return true
  }
  return !carried
}

/**
 * The codes that the group's apps leave open to a user on a day (yyyy-MM-dd, Asia/Shanghai); `every` if nothing is restricted. The
 * result only limits roles, it never adds rights. An app in its grace period leaves its read codes open; an expired app none. Work
 * without a session (gates, devices, the ledger, docking) is not affected.
 */
export async function openCodes(db: Db, groupId: string, userId: string, day: string): Promise<'every' | ReadonlySet<string>> {
  const group = await db.selectFrom('tenant').select(['id', 'type']).where('id', '=', groupId).executeTakeFirst()
  if (!group || group.type === groupTypes.platform) return 'every'
  const apps = await appsOf(db, group, userId, day)
  return new Set(codesFor(group.type).filter((code) => isOpen(apps, code)))
}

/** The reason why the group's apps close all these codes for a user whose roles hold them; undefined if they do not. */
export async function whyClosed(
  db: Db,
  group: { id: string; type: number },
  userId: string,
  codes: readonly string[],
  day: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`
    select distinct c.code from member m join member_role mr on mr.member_id = m.id and (mr.deadline is null or mr.deadline >= ${day}::date)
      join role r on r.id = mr.role_id cross join lateral unnest(r.codes) as c(code)
    where m.user_id = ${userId} and m.group_id = ${group.id} and c.code = any (${[...codes]})`.execute(db)
  const apps = rows.length > 0 ? await appsOf(db, group, userId, day) : []
  for (const { code } of rows) {
    const app = isOpen(apps, code) ? undefined : apps.find((one) => one.codes.includes(code))
    if (app) return app.state === 'grace' ? graceWords(app.name, app.deadline ?? '', code) : closedWords(app.name, app.state)
  }
  return undefined
}
