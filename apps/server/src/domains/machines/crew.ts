import type { MachinePerson, machineChoices } from '@zhugong/contract/machines/calls'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import type { HandlerOf } from '#kit/serve'

/** Days before its last day from which a certificate is marked. */
const soonDays = 30
/** The last day of a certificate that never ends, as the database writes it. */
const forEver = '9999-12-31'
const mostChoices = 300

interface Raw {
  workerId: string
  name: string
  certNo: string | null
  ends: string | null
}

const toPerson = (ctx: Pick<Context, 'clock'>, { ends, ...one }: Raw): MachinePerson => {
  const today = formatDay(ctx.clock.now())
  const state = ends === null || ends < today ? 'bad' : ends <= addDays(today, soonDays) ? 'soon' : 'ok'
  return { ...one, validEnd: ends === forEver ? null : ends, state }
}

/** Operators or installers of a machine, each with the certificate that fits it. */
export async function crewOf(ctx: Pick<Context, 'db' | 'clock'>, stayId: string, kind: 'operator' | 'installer'): Promise<MachinePerson[]> {
  const { rows } = await sql<Raw>`select * from zg_machine_crew(${stayId}, ${kind})`.execute(ctx.db)
  return rows.map((one) => toPerson(ctx, one))
}

/** People of the site with a certificate of this kind (dictionary specialCertType), whether it is still valid or not. */
async function certified(ctx: Context, projectCode: string, special: '04' | '05'): Promise<MachinePerson[]> {
  const { rows } =
    await sql<Raw>`select distinct on (w.id) w.id as worker_id, w.name, c.cert_no, coalesce(c.valid_end, ${forEver}::date) as ends
    from project_worker p join worker w on w.id = p.worker_id join worker_cert c on c.worker_id = w.id and left(c.special_type, 2) = ${special}
      and c.status = '1' and c.audit_status = '1'
    where p.project_code = ${projectCode} and p.exit_time is null order by w.id, ends desc limit ${mostChoices}`.execute(ctx.db)
  return rows.map((one) => toPerson(ctx, one)).sort((a, b) => a.name.localeCompare(b.name, 'zh'))
}

export const choices: HandlerOf<typeof machineChoices> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const today = formatDay(ctx.clock.now())
  const corps = await sql<{
    code: string
    name: string
    part: string
    licensed: boolean
  }>`select distinct on (c.corp_code) c.corp_code as code,
      k.corp_name as name, c.corp_type as part, zg_lift_licence(c.corp_code, ${today}::date) as licensed
    from project_corp c join corporation k using (corp_code)
    where c.project_code = ${projectCode} and c.exit_time is null order by c.corp_code, c.corp_type`.execute(ctx.db)
  const devices = await sql<{
    id: string
    name: string
  }>`select d.id, d.name from device d where d.project_code = ${projectCode} and d.status = '1'
    and d.family in ('towerCrane', 'lifter') order by d.name, d.id limit ${mostChoices}`.execute(ctx.db)
  return {
    corps: corps.rows.map(({ part, name, ...one }) => ({ ...one, name: `${name}（${dictName('projectCorpType', part) ?? part}）` })),
    operators: await certified(ctx, projectCode, '04'),
    installers: await certified(ctx, projectCode, '05'),
    devices: devices.rows,
  }
}
