import { endedShownDays, type GroupCard, groupCard } from '@zhugong/contract/identity/endpoints'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import type { Group, GroupType, Shared } from '#kit/context'
import { inScope } from '#kit/db'
import { rowOf } from '#kit/row-of'
import { findMemberRights, type MemberRights } from '../access/public.ts'
import { awaitingByProject } from '../alarms/public.ts'
import { shownLinks } from '../files/public.ts'

/** The groups a user belongs to, with counts only: no data of a group is shown before the user enters it. */
export async function groupCardsOf(ctx: Pick<Shared, 'system' | 'clock' | 'secrets'>, userId: string): Promise<GroupCard[]> {
  const { system: db, clock } = ctx
  const today = formatDay(clock.now())
  const rows = await db
    .selectFrom('member as m')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .select((eb) => [
      't.id',
      'm.id as memberId',
      't.type',
      't.code',
      't.name',
      't.sysName',
      't.logo',
      't.screen',
      't.lng',
      't.lat',
      't.areaCode',
      't.enable as groupEnable',
      'm.enable',
      'm.deadline',
      'm.isDefault',
      'm.lastVisitAt',
      eb
        .selectFrom('memberRole as mr')
        .innerJoin('role as r', 'r.id', 'mr.roleId')
        .select(sql<string[]>`coalesce(array_agg(r.name order by r.name), '{}')`.as('names'))
        .whereRef('mr.memberId', '=', 'm.id')
        .where(sql<boolean>`coalesce(mr.deadline >= ${today}::date, true)`)
        .as('roleNames'),
      sql<
        { name: string; until: string }[]
      >`coalesce((select json_agg(json_build_object('name', r.name, 'until', mr.deadline) order by r.name)
        from member_role mr join role r on r.id = mr.role_id
        where mr.member_id = m.id and mr.deadline between ${addDays(today, -endedShownDays)}::date and ${addDays(today, -1)}::date), '[]')`.as(
        'endedRoles',
      ),
    ])
    .where('m.userId', '=', userId)
    .orderBy('m.isDefault', 'desc')
    .orderBy('m.lastVisitAt', (order) => order.desc().nullsLast())
    .orderBy('t.name')
    .execute()
  return Promise.all(
    rows.map(async (row): Promise<GroupCard> => {
      const current = !row.deadline || Date.parse(`${row.deadline}T23:59:59+08:00`) >= clock.now()
      const enabled = row.groupEnable === '1' && row.enable === '1' && current
      return rowOf(groupCard, row, {
        groupsType: row.type,
        sysName: row.sysName ?? row.name,
        logo: row.logo && (shownLinks(ctx, [row.logo])[0] ?? null),
        roleNames: row.roleNames ?? [],
        ask: row.endedRoles.length > 0 || (!current && row.groupEnable === '1') ? await administratorsOf(db, row.id, today) : [],
        enabled,
        offReason: enabled
          ? null
          : row.groupEnable !== '1'
            ? '机构已停用'
            : row.enable !== '1'
              ? '您在此机构已被停用'
              : `已于 ${row.deadline ?? ''} 到期`,
        lastVisit: row.lastVisitAt ? formatInstant(row.lastVisitAt) : null,
        openAlarms: enabled
          ? await openAlarmsOf(
              ctx,
              { id: row.id, type: row.type as GroupType, code: row.code, name: row.name, areaCode: row.areaCode },
              { userId, memberId: row.memberId },
            )
          : 0,
      })
    }),
  )
}

/** A group the user may enter now, with rights and scope there. */
export type OwnRights = MemberRights & { group: Group }

/** A user's rights in each group that may be entered now, or in the given ones of them. */
export async function ownRightsInGroups(
  { system, clock }: Pick<Shared, 'system' | 'clock'>,
  userId: string,
  groupIds?: readonly string[],
): Promise<OwnRights[]> {
  const { rows } = await sql<{ memberId: string; id: string; type: GroupType; code: string; name: string; areaCode: string | null }>`
    select m.id as member_id, t.id, t.type, t.code, t.name, t.area_code from member m join tenant t on t.id = m.group_id
    where m.user_id = ${userId} and m.enable = '1' and t.enable = '1' and coalesce(m.deadline >= ${formatDay(clock.now())}::date, true)
      and (${groupIds ? [...groupIds] : null}::text[] is null or t.id = any (${groupIds ? [...groupIds] : null}::text[]))
    order by m.is_default desc, m.last_visit_at desc nulls last, t.name`.execute(system)
  return Promise.all(
    rows.map(async ({ memberId, ...group }) => ({
      group,
      ...(await findMemberRights(system, { group, userId, memberId }, clock.now())),
    })),
  )
}

/** Maximum number of administrators named to a user who wants an expired membership renewed. */
const mostRequested = 3

async function administratorsOf(db: Shared['system'], groupId: string, today: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct u.name from member m join app_user u on u.id = m.user_id and u.enable = '1'
      join member_role mr on mr.member_id = m.id and mr.enable = '1' and coalesce(mr.deadline >= ${today}::date, true)
      join role r on r.id = mr.role_id and r.administrator
    where m.group_id = ${groupId} and m.enable = '1' and coalesce(m.deadline >= ${today}::date, true) order by u.name limit ${mostRequested}`.execute(
    db,
  )
  return rows.map((row) => row.name)
}

/** Memberships that expired more than `endedShownDays` ago are not listed. */
export const isShown = ({ deadline, enabled }: GroupCard, now: number): boolean =>
  enabled || deadline === null || deadline >= addDays(formatDay(now), -endedShownDays)

async function openAlarmsOf(
  { system, clock }: Pick<Shared, 'system' | 'clock'>,
  group: Group,
  who: { userId: string; memberId: string },
): Promise<number> {
  const { scope } = await findMemberRights(system, { group, ...who }, clock.now())
  return inScope(system, scope, async (db) => {
    const byProject = await awaitingByProject(db, scope.all ? undefined : [...scope.projects])
    return byProject.values().reduce((sum, one) => sum + one.count, 0)
  })
}
