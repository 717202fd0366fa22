import type { BlackNotice } from '@zhugong/contract/labour/black-model'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { listedPeople } from '../../labour/public.ts'
import { bare } from './cells.ts'

/** The context of a check: a request that corrects cells, or the background job. */
export type Checking = Pick<Context, 'db' | 'system' | 'secrets' | 'clock' | 'scope'>

export interface Team {
  id: string
  teamName: string
  corpCode: string
  entryTime: string
  /** The current team leader. */
  leader: string | null
}
/** The companies and teams in place at a project, by name. */
export interface Place {
  projectCode: string
  units: ReadonlyMap<string, { corpCode: string; corpName: string; entryTime: string }>
  teams: ReadonlyMap<string, readonly Team[]>
}

/** If the caller is limited to companies in this project, only those companies are valid. */
export async function placeOf(ctx: Pick<Context, 'db' | 'scope'>, projectCode: string): Promise<Place> {
  const isOwn = (unit: { corpCode: string }) => !ctx.scope.limited.includes(projectCode) || ctx.scope.corps.includes(unit.corpCode)
  const units = await sql<{ corpCode: string; corpName: string; entryTime: string }>`
    select u.corp_code, c.corp_name, min(u.entry_time)::date::text as entry_time from project_corp u join corporation c using (corp_code)
    where u.project_code = ${projectCode} and u.exit_time is null group by 1, 2 order by 2`.execute(ctx.db)
  const teams = await sql<Team>`
    select id, team_name, corp_code, entry_time::date::text as entry_time, team_leader_name as leader from team
    where project_code = ${projectCode} and exit_time is null order by team_name`.execute(ctx.db)
  const byName = new Map<string, Team[]>()
  for (const team of teams.rows.filter(isOwn)) byName.set(bare(team.teamName), [...(byName.get(bare(team.teamName)) ?? []), team])
  return {
    projectCode,
    units: new Map(units.rows.filter(isOwn).map((u) => [bare(u.corpName), u])),
    teams: byName,
  }
}

/** What is known about the people whose numbers are in the rows. */
export interface People {
  /** By hash of the ID number: the existing file and the name on it. */
  files: ReadonlyMap<string, { id: string; name: string; idCardType: string; seen: boolean; expiryDate: string | null }>
  here: ReadonlySet<string>
  elsewhere: ReadonlyMap<string, string>
  /** People on a blacklist of the project, and the details that may be shown. */
  black: ReadonlyMap<string, BlackNotice>
  /** By hash of a wage card: hashes of the ID numbers it is registered with. */
  cards: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Loads the data needed to check these people. ID numbers are unique over the platform, so files out of scope are searched too. For those
 * the result reveals only that name and number do not match. Everything else is limited to the caller's scope.
 */
export async function peopleOf(
  ctx: Checking,
  projectCode: string | null,
  hashes: readonly string[],
  cards: readonly string[],
): Promise<People> {
  const files = await sql<{ hash: string; id: string; name: string; idCardType: string; expiryDate: string | null }>`
    select id_card_hash as hash, id, name, id_card_type, expiry_date::text as expiry_date from worker
    where id_card_hash = any (${[...hashes]}) and not deleted`.execute(ctx.system)
  const seen = await sql<{ id: string }>`
    select id from worker where id = any (${files.rows.map((f) => f.id)}) and (${ctx.scope.all} or zg_holds_worker(id))`.execute(ctx.db)
  const existing = new Set(seen.rows.map((r) => r.id))
  const { rows: present } = await sql<{ hash: string; projectCode: string; projectName: string }>`
    select w.id_card_hash as hash, w.project_code, p.name as project_name from project_worker w join project p using (project_code)
    where w.id_card_hash = any (${[...hashes]}) and w.exit_time is null`.execute(ctx.db)
  const listed = projectCode ? await listedPeople(ctx, hashes, { projectCode, corpCode: null }) : new Map<string, BlackNotice>()
  const holders = await sql<{ card: string; hash: string }>`
    select distinct pay_roll_bank_card_hash as card, id_card_hash as hash from project_worker
    where pay_roll_bank_card_hash = any (${[...cards]})`.execute(ctx.system)
  const byCard = new Map<string, Set<string>>()
  for (const { card, hash } of holders.rows) byCard.set(card, (byCard.get(card) ?? new Set()).add(hash))
  return {
    files: new Map(files.rows.map((f) => [f.hash, { ...f, seen: existing.has(f.id) }])),
    here: new Set(present.filter((s) => s.projectCode === projectCode).map((s) => s.hash)),
    elsewhere: new Map(present.filter((s) => s.projectCode !== projectCode).map((s) => [s.hash, s.projectName])),
    black: listed,
    cards: byCard,
  }
}
