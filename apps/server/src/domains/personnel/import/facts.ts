import type { BlackNotice } from '@zhugong/contract/labour/black-model'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { listedPeople } from '../../labour/public.ts'
import { bare } from './cells.ts'

/** Who checks and what for: a request that mends cells, or the background. */
export type Checking = Pick<Context, 'db' | 'system' | 'secrets' | 'clock' | 'scope'>

export interface Team {
  id: string
  teamName: string
  corpCode: string
  entryTime: string
  /** Who leads it now. */
  leader: string | null
}
/** The units and teams in place at a project, by their names. */
export interface Place {
  projectCode: string
  units: ReadonlyMap<string, { corpCode: string; corpName: string; entryTime: string }>
  teams: ReadonlyMap<string, readonly Team[]>
}

/** Where the caller has only his own people, only his own units are places to bring them to. */
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

/** What is known of the people whose numbers stand in the rows. */
export interface People {
  /** By hash of the number: whether a file is there, and whose name it bears. */
  files: ReadonlyMap<string, { id: string; name: string; idCardType: string; seen: boolean; expiryDate: string | null }>
  here: ReadonlySet<string>
  elsewhere: ReadonlyMap<string, string>
  /** Whom a list keeps out of the project, and what may be told of it. */
  black: ReadonlyMap<string, BlackNotice>
  /** By hash of a wage card: the numbers it is registered with. */
  cards: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Numbers are unique over the platform, so files are looked for beyond the caller's sight; what is told of one out of sight is no more
 * than that name and number do not go together. Everything else comes from what the caller sees.
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
  const held = new Set(seen.rows.map((r) => r.id))
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
    files: new Map(files.rows.map((f) => [f.hash, { ...f, seen: held.has(f.id) }])),
    here: new Set(present.filter((s) => s.projectCode === projectCode).map((s) => s.hash)),
    elsewhere: new Map(present.filter((s) => s.projectCode !== projectCode).map((s) => [s.hash, s.projectName])),
    black: listed,
    cards: byCard,
  }
}
