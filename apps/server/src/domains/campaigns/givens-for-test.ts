import { changeCampaign, createCampaign, getCampaign } from '@zhugong/contract/campaigns/calls'
import type { CampaignAction } from '@zhugong/contract/campaigns/moves'
import { sql } from 'kysely'
import { type Somebody, somebody } from '../../../test/members.ts'
import type { Caller, World } from '../../../test/world.ts'

export const anywhere = { projectCode: '*' }
export const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
export const witnesses = [
  { name: '纪检组', digits: '42' },
  { name: '协会代表', digits: '007' },
]

/** An account of the city's institution that takes part in campaigns. */
export async function inspector(world: World, cityGroup: string, name: string): Promise<Somebody> {
  const { rows } = await world.database.pool.query<{ id: string }>(
    `select id from role where groups_type = 1 and name = '监督员' and group_id is null`,
  )
  const one = await somebody(world, cityGroup, [rows[0]?.id ?? ''])
  await world.database.pool.query('update app_user set name = $2 where id = $1', [one.userId, name])
  return one
}

interface Group {
  leader: Somebody
  members: readonly Somebody[]
}
/** A campaign of two disciplines: the leaders write 安全, the others 质量 as well. */
export const request = (groups: readonly Group[], more: object = {}) => ({
  name: '四季度全市督查',
  level: '3' as const,
  startDate: later(0),
  endDate: later(30),
  surprise: false,
  drawMode: '2' as const,
  deadlineDays: 7,
  recheck: 'organiser' as const,
  groups: groups.map(({ leader, members }, at) => ({
    name: `第${at + 1}组`,
    areaCode: null,
    members: [
      { userId: leader.userId, expertId: null, leader: true, disciplines: ['1'] },
      ...members.map((one) => ({ userId: one.userId, expertId: null, leader: false, disciplines: ['4'] })),
    ],
  })),
  quotas: [{ areaCode: null, riskLevel: null, category: null, seats: 2 }],
  sheets: [
    { discipline: '1', sheetCode: '01' },
    { discipline: '4', sheetCode: '02' },
  ],
  ...more,
})

export const issued = async (organiser: Caller, body: ReturnType<typeof request>) =>
  (await organiser.call(createCampaign, { query: anywhere, body: { action: 'issue', ...body } as never })).id

export const see = (caller: Caller, id: string) => caller.call(getCampaign, { params: { id }, query: anywhere })

/** Takes an action with the version as it is now. */
export async function act(world: World, caller: Caller, id: string, action: CampaignAction, more: object = {}) {
  const { rows } = await sql<{ version: number }>`select version from campaign where id = ${id}`.execute(world.database.kysely)
  return caller.ask(changeCampaign, {
    params: { id },
    query: anywhere,
    body: { action, version: rows[0]?.version ?? 0, ...more },
  } as never)
}
