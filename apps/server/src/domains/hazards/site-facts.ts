import { type PermitRole, type PersonFact, weatherAlarms } from '@zhugong/contract/hazards/permit-rules'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#kit/context'
import { isInside } from '../attendance/public.ts'
import { holdingStops } from '../stops/public.ts'

type Reader = Pick<Context, 'db' | 'clock'>

/** Last day of a licence without an end. */
const forEver = '9999-12-31'

/** The last day of each approved licence of a person, by its first two digits. */
const licencesOf = (workerId: RawBuilder<unknown>) => sql`coalesce((select jsonb_object_agg(l.kind, l.ends) from (
    select left(c.special_type, 2) as kind, max(case c.status when '1' then coalesce(c.valid_end, ${forEver}::date)
      else least(c.valid_end, coalesce(c.update_time, c.create_time)::date) end)::text as ends
    from worker_cert c where c.worker_id = ${workerId} and c.cert_type in ('7', '8') and c.audit_status = '1' and c.status in ('1', '4')
      and c.special_type is not null group by 1) l where l.ends is not null), '{}')`

export interface SitePerson extends Omit<PersonFact, 'role'> {
  teamName: string | null
  corpCode: string | null
}

/** People of a site as they are at this minute. Without `ids`: those whose stay has not ended. */
export async function sitePeople(
  ctx: Reader,
  projectCode: string,
  { ids, corpCode, name, limit }: { ids?: readonly string[]; corpCode?: string | undefined; name?: string | undefined; limit: number },
): Promise<SitePerson[]> {
  const chosen = ids ? sql`and pw.worker_id = any (${[...ids]})` : sql``
  const ofCorp = corpCode ? sql`and pw.corp_code = ${corpCode}` : sql``
  const named = name ? sql`and position(${name} in pw.worker_name) > 0` : sql``
  const { rows } = await sql<SitePerson>`select pw.worker_id, pw.worker_name as name, t.team_name, pw.corp_code, true as on_site,
      ${isInside('ap', 'pw', ctx.clock.now())} as inside, pw.black_hit as listed, ${licencesOf(sql`pw.worker_id`)} as licences
    from project_worker pw left join team t on t.id = pw.team_id
      left join attendance_presence ap on ap.project_code = pw.project_code and ap.worker_id = pw.worker_id
    where pw.project_code = ${projectCode} and pw.exit_time is null ${chosen} ${ofCorp} ${named}
    order by pw.worker_name, pw.worker_id limit ${limit}`.execute(ctx.db)
  return rows
}

export interface PermitPerson extends PersonFact {
  teamName: string | null
  until: Date | null
  seq: number
}

/** Everybody on a permit, with what counts at this minute; former guardians too. */
export async function peopleOf(ctx: Reader, permitId: string): Promise<PermitPerson[]> {
  type Raw = PermitPerson & { role: PermitRole }
  const { rows } = await sql<Raw>`select p.worker_id, p.name, p.role, p.team_name, p.until, p.seq, pw.id is not null as on_site,
      coalesce(pw.id is not null and ${isInside('ap', 'pw', ctx.clock.now())}, false) as inside, coalesce(pw.black_hit, false) as listed,
      ${licencesOf(sql`p.worker_id`)} as licences
    from work_permit_person p
      left join project_worker pw on pw.project_code = p.project_code and pw.worker_id = p.worker_id and pw.exit_time is null
      left join attendance_presence ap on ap.project_code = p.project_code and ap.worker_id = p.worker_id
    where p.permit_id = ${permitId} order by p.seq`.execute(ctx.db)
  return rows
}

/** The stop of the site that holds today, in words; null when work goes on. */
export async function stopOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<string | null> {
  const [first] = await holdingStops(ctx, projectCode)
  return first ? `项目停工中（${first.code ?? first.reason}），不得作业` : null
}

/** Alarms of wind and heat that hold at this minute, in words. */
export async function weatherOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<string[]> {
  const { rows } = await sql<{ label: string; deviceName: string; thresholdText: string }>`
    select a.label, a.device_name, a.threshold_text from alarm a where a.project_code = ${projectCode} and a.active and not a.simulated
      and not a.historical and a.alarm_key = any (${[...weatherAlarms]}) order by a.level, a.start_time desc limit 5`.execute(ctx.db)
  return rows.map((one) => `${one.label}：${one.deviceName}${one.thresholdText ? `（${one.thresholdText}）` : ''}`)
}
