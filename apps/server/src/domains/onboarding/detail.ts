import type * as contract from '@zhugong/contract/onboarding/endpoints'
import { whole } from '@zhugong/contract/onboarding/steps'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, requireProject } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { fiveParties } from './judge.ts'
import { readinessRows } from './readiness.ts'

export const getOnboarding: HandlerOf<typeof contract.getOnboarding> = async ({ params }, ctx) => {
  requireProject(ctx, params.id)
  const [one] = await readinessRows(ctx, params.id)
  const { row, steps } = found(one, '项目')
  const said = await saidOf(ctx, row.projectCode)
  return {
    ...row,
    whole: toSaid(said.get(whole)),
    details: steps.map(({ key, state, since, checks }) => ({
      ...toSaid(said.get(key)),
      key,
      state,
      since: formatInstant(since),
      checks,
    })),
    parties: await partiesOf(ctx, row.projectCode),
    apps: await appsOpenTo(ctx, row.projectCode),
    people: ctx.codes.has('projectNav.onboard') ? await peopleFor(ctx, row.projectCode) : [],
    checkedTime: formatInstant(new Date(ctx.clock.now())),
  }
}

type Said = Row<'projectOnboarding'>
async function saidOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<ReadonlyMap<string, Said>> {
  const rows = await ctx.db.selectFrom('projectOnboarding').selectAll().where('projectCode', '=', projectCode).execute()
  return new Map(rows.map((row) => [row.step, row]))
}
const toSaid = (said: Said | undefined) => ({
  assigneeId: said?.assigneeId ?? null,
  assigneeName: said?.assigneeName ?? null,
  dueDay: said?.dueDay ?? null,
  note: said?.note ?? '',
  notNeeded: said?.notNeeded ?? null,
  updateBy: said?.updateBy ?? null,
  updateTime: said ? formatInstant(said.updateTime) : null,
  version: said?.version ?? 0,
})

interface Party {
  corpType: string
  title: string
  corpName: string | null
  manager: string | null
  phone: string | null
}
/** The five responsible parties of the site with contacts, including missing ones. */
async function partiesOf(ctx: Pick<Context, 'db'>, projectCode: string) {
  const { rows } = await sql<{ corpType: string; corpName: string; pmName: string | null; pmPhoneMask: string | null }>`
    select u.corp_type, c.corp_name, u.pm_name, u.pm_phone_mask from project_corp u join corporation c on c.corp_code = u.corp_code
    where u.project_code = ${projectCode} and u.exit_time is null and u.corp_type = any (${Object.keys(fiveParties)})
    order by u.create_time`.execute(ctx.db)
  return Object.entries(fiveParties).flatMap(([corpType, title]): Party[] => {
    const there = rows.filter((one) => one.corpType === corpType)
    if (there.length === 0) return [{ corpType, title, corpName: null, manager: null, phone: null }]
    return there.map((one) => ({ corpType, title, corpName: one.corpName, manager: one.pmName, phone: one.pmPhoneMask }))
  })
}

async function appsOpenTo(ctx: Pick<Context, 'db' | 'clock'>, projectCode: string) {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<{ code: string; name: string; icon: string }>`
    select distinct a.code, a.name, a.icon, a.sort from app a join app_grant g on g.app_id = a.id join zg_branch() t on t.id = g.group_id
    where t.type = 3 and t.code = ${projectCode} and a.enable = '1' and g.revoked_at is null and g.start_day <= ${today}::date
      and (g.deadline is null or g.deadline >= ${today}::date) order by a.sort`.execute(ctx.db)
  return rows.map(({ code, name, icon }) => ({ code, name, icon }))
}

/** Users a step can be assigned to: the caller's group, and the site's members if the caller has full access to the site. */
export async function peopleFor(ctx: Context, projectCode: string): Promise<{ id: string; name: string; groupName: string }[]> {
  const sites = ctx.scope.limited.includes(projectCode) ? [] : [projectCode]
  const { rows } = await sql<{ id: string; name: string; groupName: string }>`
    select u.id, u.name, t.name as group_name from member m join app_user u on u.id = m.user_id and u.enable = '1' join tenant t on t.id = m.group_id
    where m.enable = '1' and (t.id = ${ctx.group.id} or (t.type = 3 and t.code = any (${sites}))) order by t.type, u.name limit 500`.execute(
    ctx.system,
  )
  return rows
}
