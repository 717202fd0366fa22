import { ageOn } from '@zhugong/contract/kit/checks'
import { type RosterRow, rosterRow } from '@zhugong/contract/personnel/people-rows'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, type Condition, condition, equals, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { cursor, type ListScope, quick, type WorkerFilters } from './people-filters.ts'

type RawRoster = Row<'projectWorker'> & {
  corpName: string | null
  teamName: string | null
  address: Buffer | null
  skillLevel: string | null
  urgentLinkMan: string | null
  contractCode: string | null
}

/** People on the books at the end of a day. Computed from entries and exits, so that a given day always gives the same roster. */
function rosterConditions(ctx: ListScope, query: WorkerFilters): Condition {
  const asOf = query.asOf ?? formatDay(ctx.clock.now())
  const end = new Date(startOfDay(addDays(asOf, 1)))
  const month = new Date(startOfDay(`${asOf.slice(0, 8)}01`))
  return allOf(
    ...inProjects('w.projectCode', projectsFor(ctx, query.projectCode)),
    condition(sql`w.entry_time < ${end}`),
    query.range === 'month'
      ? condition(sql`(w.exit_time is null or w.exit_time >= ${month})`)
      : condition(sql`(w.exit_time is null or w.exit_time >= ${end})`),
    ...equals('w.corpCode', query.corpCode),
    ...equals('w.teamId', query.teamId),
    ...quick(ctx, query.q),
  )
}
const rosterSelect = (ctx: ListScope, query: WorkerFilters) => {
  const asOf = query.asOf ?? formatDay(ctx.clock.now())
  return sql`
    select w.*, c.corp_name, t.team_name, p.address, p.skill_level, p.urgent_link_man,
      (select k.contract_code from worker_contract k where k.worker_id = w.worker_id and k.project_code = w.project_code
        and k.start_date <= ${asOf}::date and (k.terminate_date is null or k.terminate_date > ${asOf}::date) order by k.start_date desc limit 1) as contract_code
    from project_worker w left join corporation c on c.corp_code = w.corp_code left join team t on t.id = w.team_id
      left join worker p on p.id = w.worker_id and exists (
        select 1 from project_worker n where n.worker_id = w.worker_id and n.exit_time is null and n.confirmed_at is not null)
    where ${rosterConditions(ctx, query)}
    order by c.corp_name, w.corp_code, t.team_name nulls first, w.team_id, w.is_team_leader desc, w.entry_time, w.id`
}
export async function rosterRows(ctx: ListScope, query: WorkerFilters, page: { limit: number; offset: number }): Promise<RosterRow[]> {
  const { rows } = await sql<RawRoster>`${rosterSelect(ctx, query)} limit ${page.limit} offset ${page.offset}`.execute(ctx.db)
  return rows.map((row) => toRosterRow(ctx, row, query.asOf ?? formatDay(ctx.clock.now())))
}
export async function countRoster(ctx: ListScope, query: WorkerFilters): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from project_worker w where ${rosterConditions(ctx, query)}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}
export async function* streamRoster(ctx: ListScope, query: WorkerFilters): AsyncIterable<RosterRow> {
  for await (const row of cursor<RawRoster>(ctx, sql<RawRoster>`${rosterSelect(ctx, query)}`))
    yield toRosterRow(ctx, row, query.asOf ?? formatDay(ctx.clock.now()))
}

function toRosterRow(ctx: Pick<Context, 'secrets'>, w: RawRoster, asOf: string): RosterRow {
  const exited = w.exitTime && formatDay(w.exitTime) <= asOf
  return rowOf(rosterRow, w, {
    name: w.workerName,
    age: ageOn(w.birthday, asOf),
    idCardNumber: w.idCardMask,
    cellPhone: w.cellPhoneMask,
    address: maskAddress(ctx.secrets.open(w.address)),
    workName: w.workType ? dictName('workerType', w.workType) : dictName('managerPost', w.post),
    skillLevelName: dictName('certLevel', w.skillLevel),
    entryDate: formatDay(w.entryTime),
    exitDate: exited && w.exitTime ? formatDay(w.exitTime) : null,
    payCard: w.payRollBankCardMask
      ? `${dictName('bankCode', w.payRollBankCode) ?? ''} 尾号 ${w.payRollBankCardMask.slice(-4)}`.trim()
      : null,
  })
}

/** The first part of an address, up to the district; the rest is masked. */
export function maskAddress(address: string | null): string | null {
  if (!address) return null
  return `${/^.{2,14}?(?:区|县|旗)/u.exec(address)?.[0] ?? [...address].slice(0, 6).join('')}****`
}
