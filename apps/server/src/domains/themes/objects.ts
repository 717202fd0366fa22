import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'

type Campaign = Row<'themeCampaign'>

/**
 * The registers of the project of `theme_campaign t` as rows of register, key and name: machines that stand there, distribution boxes with a
 * meter, areas outdoors, companies on site.
 */
const entries = sql`(
  select 'machine' as register, s.id as ref_id, m.name || '（' || s.position || '）' as name
    from machine_stay s join special_machine m on m.id = s.machine_id where s.project_code = t.project_code and s.state <> '9'
  union all select 'electricMeter', d.id, d.name from device d
    where d.project_code = t.project_code and d.family = 'electricMeter' and d.status = '1'
  union all select 'area', p.id, p.full_name from site_place p where p.project_code = t.project_code and p.kind = 'area' and p.archived_at is null
  union all select distinct 'corp', u.corp_code, k.corp_name from project_corp u join corporation k using (corp_code)
    where u.project_code = t.project_code and u.exit_time is null)`

/** Entries of the registers of a campaign that is not closed and does not have them yet. */
export const missing = sql`(select e.* from ${entries} e where e.register = any (t.registers) and t.state in ('0', '1')
  and not exists (select from theme_object o where o.campaign_id = t.id and o.register = e.register and o.ref_id = e.ref_id))`

/** A submitted check has looked at `theme_object o`. */
export const wasChecked = sql`exists (select from theme_sheet s join site_check c on c.id = s.check_id where s.object_id = o.id and c.state <> '0')`

export interface CampaignObjectRow {
  key: string
  /** Null: it joined a register and is not stored yet. */
  id: string | null
  register: string
  refId: string | null
  name: string
  added: boolean
  checkId: string | null
  checkTime: Date | null
  skipped: boolean
  problemCount: number
  openCount: number
}

/** The objects of a campaign: those it began with, and what has joined its registers since. */
export async function objectsOf(ctx: Pick<Context, 'db'>, campaignId: string): Promise<CampaignObjectRow[]> {
  const { rows } = await sql<CampaignObjectRow>`with o as (
      select o.id as key, o.id, o.register, o.ref_id, o.name, o.added, o.seq from theme_object o where o.campaign_id = ${campaignId}
      union all select e.register || ':' || e.ref_id, null, e.register, e.ref_id, e.name, t.state = '1', 100000
        from theme_campaign t cross join lateral ${missing} e where t.id = ${campaignId}),
    problems as (select p.part, count(*)::int as n, (count(*) filter (where l.state is distinct from 'passed'))::int as open
      from theme_check k join site_check_problem p on p.check_id = k.check_id join site_check c on c.id = k.check_id and c.state <> '0'
        left join rectify_line l on l.id = p.line_id where k.campaign_id = ${campaignId} group by 1)
    select o.key, o.id, o.register, o.ref_id, o.name, o.added, last.check_id, last.check_time, coalesce(last.skipped, false) as skipped,
      coalesce(p.n, 0) as problem_count, coalesce(p.open, 0) as open_count
    from o left join problems p on p.part = o.name
      left join lateral (select c.id as check_id, c.check_time, h.not_applicable is not null as skipped
        from theme_sheet s join check_sheet h on h.id = s.sheet_id join site_check c on c.id = s.check_id
        where s.object_id = o.id and c.state <> '0' order by c.check_time desc, c.id desc limit 1) last on true
    order by o.seq, o.register, o.name`.execute(ctx.db)
  return rows
}

/** The entries of every register of a project. */
export async function entriesOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<{ register: string; name: string }[]> {
  const { rows } = await sql<{ register: string; name: string }>`select e.register, e.name
    from (select ${projectCode}::text as project_code) t cross join lateral ${entries} e order by e.name`.execute(ctx.db)
  return rows
}

const disclosed = ({ projectCode, corpCode, shownAt, groups }: Campaign) => ({ projectCode, corpCode, shownAt, groups })

/** Replaces the objects of a campaign that has not begun: what was written by hand, and with `whole` the entries of its registers. */
export async function storeObjects(ctx: Context, campaign: Campaign, own: readonly string[], whole: boolean): Promise<void> {
  await sql`delete from theme_object where campaign_id = ${campaign.id}`.execute(ctx.db)
  const found = whole ? (await objectsOf(ctx, campaign.id)).filter((one) => one.id === null) : []
  const given = [...found, ...own.map((name) => ({ register: 'own', refId: null, name }))]
  const taken = new Set<string>()
  for (const [seq, { register, refId, name }] of given.entries()) {
    await ctx.db
      .insertInto('themeObject')
      .values({
        id: ctx.newId(),
        campaignId: campaign.id,
        ...disclosed(campaign),
        seq,
        register,
        refId,
        name: freeName(taken, name),
      })
      .execute()
  }
}

/** Stores what has joined a register, once a check looks at it. */
export async function adoptObject(ctx: Context, campaign: Campaign, one: CampaignObjectRow, taken: ReadonlySet<string>) {
  const id = ctx.newId()
  const { rows } = await sql<{ seq: number }>`select coalesce(max(seq), 0)::int + 1 as seq from theme_object
    where campaign_id = ${campaign.id}`.execute(ctx.db)
  const name = freeName(new Set(taken), one.name)
  await ctx.db
    .insertInto('themeObject')
    .values({
      id,
      campaignId: campaign.id,
      ...disclosed(campaign),
      seq: rows[0]?.seq ?? 1,
      register: one.register,
      refId: one.refId,
      name,
      added: true,
    })
    .execute()
  return { ...one, id, name }
}

/** The name of a part of a site has this many characters at most. */
const longestName = 90

/** Problems name their object, so two objects of a campaign never have one name. */
function freeName(taken: Set<string>, name: string): string {
  const short = name.slice(0, longestName)
  let free = short
  for (let n = 2; taken.has(free); n++) free = `${short} #${n}`
  taken.add(free)
  return free
}
