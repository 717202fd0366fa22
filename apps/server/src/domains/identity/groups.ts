import type { GroupCard } from '@zhugong/contract/identity/endpoints'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { GroupType, Shared } from '#kit/context'
import { findScope } from '../access/public.ts'

/** A person's identities, with numbers only: nothing of a group is shown before it is entered. */
export async function groupCardsOf(ctx: Pick<Shared, 'system' | 'clock'>, userId: string): Promise<GroupCard[]> {
  const { system: db, clock } = ctx
  const rows = await db
    .selectFrom('member as m')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .select((eb) => [
      't.id',
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
        .as('roleNames'),
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
      return {
        id: row.id,
        groupsType: row.type,
        code: row.code,
        name: row.name,
        sysName: row.sysName ?? row.name,
        logo: row.logo,
        screen: row.screen,
        lng: row.lng,
        lat: row.lat,
        roleNames: row.roleNames ?? [],
        deadline: row.deadline,
        enabled,
        isDefault: row.isDefault,
        lastVisit: row.lastVisitAt ? formatInstant(row.lastVisitAt) : null,
        openAlarms: enabled
          ? await openAlarmsOf(
              ctx,
              { id: row.id, type: row.type as GroupType, code: row.code, name: row.name, areaCode: row.areaCode },
              userId,
            )
          : 0,
      }
    }),
  )
}

async function openAlarmsOf({ system }: Pick<Shared, 'system'>, group: Parameters<typeof findScope>[1], userId: string): Promise<number> {
  const scope = await findScope(system, group, userId)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from alarm
    where state = 'open' and not simulated and not historical and (${scope.all} or project_code = any (${[...scope.projects]}))`.execute(
    system,
  )
  return rows[0]?.n ?? 0
}
