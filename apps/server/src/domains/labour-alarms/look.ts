import type { LabourAlarmType } from '@zhugong/contract/labour-alarms/codes'
import { auditStates, formalStates } from '@zhugong/contract/personnel/codes'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import type { Db } from '#kit/db'
import { pick } from '#kit/pick'
import type { KeyPostWarning, Thresholds } from '../attendance/public.ts'
import { joinLicence, licenceIs } from '../labour/public.ts'
import { lacksContract } from '../personnel/public.ts'

/** One condition that applies to a person now. */
export interface Found {
  workerId: string
  stayId: string
  corpCode: string
  teamId: string | null
  type: LabourAlarmType
  period: string
  content: string
  amount: number
}

/** Days for which presence on two sites on one day is reported (A68). */
const twoSitesDays = 7
/** Dictionary projectState: under construction. Suspended projects raise no alarms. */
const building = '003'

interface Person {
  workerId: string
  stayId: string
  corpCode: string
  teamId: string | null
  registered: boolean
  daysIn: number
  black: boolean
  bad: number
  age: number
  female: boolean
  idExpired: string | null
  licenceExpired: string | null
  noContract: boolean
  untrained: boolean
  absentRun: number
  twoSites: number
}

/**
 * All conditions that apply to a project's people now. Reads the tables of labour, personnel and attendance, like a dashboard; licence and
 * contract use the conditions of their lists. Undefined while the project is not under construction.
 */
export async function lookAt(
  db: Db,
  projectCode: string,
  thresholds: Thresholds,
  posts: readonly KeyPostWarning[],
  now: number,
): Promise<Found[] | undefined> {
  const project = await db.selectFrom('project').select('prjStatus').where('projectCode', '=', projectCode).executeTakeFirst()
  if (project?.prjStatus !== building) return undefined
  const off = new Set<string>(thresholds.alarmsOff)
  const people = await findPeople(db, projectCode, now)
  const byWorker = new Map(people.map((p) => [p.workerId, p]))
  const found = people.flatMap((p) => ofPerson(p, thresholds))
  for (const { workerId, month, outlook, threshold } of posts) {
    const p = byWorker.get(workerId)
    if (p) found.push(one(p, '206', postWords(month, outlook, threshold), outlook.required - outlook.present, month))
  }
  return found.filter((f) => !off.has(f.type))
}

const one = (p: Person, type: LabourAlarmType, content: string, amount = 0, period = ''): Found => ({
  ...pick(p, 'workerId', 'stayId', 'corpCode', 'teamId'),
  type,
  period,
  content,
  amount,
})

function postWords(month: string, { present, required, rate, unreachable, settled }: KeyPostWarning['outlook'], threshold: number): string {
  const words = `${Number(month.slice(5))} 月应到 ${required} 天，实到 ${present} 天，到岗率 ${rate ?? 0} %，要求 ${threshold} %`
  return !settled && unreachable ? `${words}；余下的日子全到也达不到` : words
}

/** The conditions of one person; pure, so that each kind can be tested in a table. */
export function ofPerson(p: Person, t: Pick<Thresholds, 'absentAlarmDays' | 'ageMaleMax' | 'ageFemaleMax' | 'ageMin'>): Found[] {
  const most = p.female ? t.ageFemaleMax : t.ageMaleMax
  const ageWords =
    p.age > most
      ? `${p.age} 岁，超过${p.female ? '女' : '男'}性上限 ${most} 岁`
      : p.age < t.ageMin
        ? `${p.age} 岁，不满 ${t.ageMin} 岁`
        : undefined
  const stage = (atEntry: LabourAlarmType, onSite: LabourAlarmType) => (p.registered ? atEntry : onSite)
  return [
    ...(p.black ? [one(p, stage('101', '201'), '在黑名单内')] : []),
    ...(p.bad > 0 ? [one(p, stage('102', '202'), `有效不良记录 ${p.bad} 条`, p.bad)] : []),
    ...(ageWords ? [one(p, stage('103', '203'), ageWords, p.age)] : []),
    ...(p.registered && p.idExpired ? [one(p, '104', `身份证于 ${p.idExpired} 到期`)] : []),
    ...(!p.registered && p.licenceExpired ? [one(p, '204', `本工种要求的资格证于 ${p.licenceExpired} 到期`)] : []),
    ...(p.absentRun >= t.absentAlarmDays ? [one(p, '205', `连续 ${p.absentRun} 个应到日没有考勤`, p.absentRun)] : []),
    ...(p.noContract ? [one(p, '207', `进场 ${p.daysIn} 天，未签劳动合同`, p.daysIn)] : []),
    ...(p.untrained ? [one(p, '208', `进场 ${p.daysIn} 天，未完成入场教育`, p.daysIn)] : []),
    ...(p.twoSites > 0 ? [one(p, '209', `近 ${twoSitesDays} 天有 ${p.twoSites} 天同日在两个项目考勤`, p.twoSites)] : []),
  ]
}

async function findPeople(db: Db, projectCode: string, now: number): Promise<Person[]> {
  const today = formatDay(now)
  const { rows } = await sql<Person>`
    select distinct on (w.worker_id) w.worker_id, w.id as stay_id, w.corp_code, w.team_id, w.formal_status = ${formalStates.registered} as registered,
      (${today}::date - (w.entry_time at time zone 'Asia/Shanghai')::date)::int as days_in, w.black_hit as black,
      (select count(*)::int from worker_bad b where b.worker_id = w.worker_id and b.audit_status = ${auditStates.passed}
        and (b.valid_until is null or b.valid_until >= ${today}::date)) as bad,
      extract(year from age(${today}::date, w.birthday::date))::int as age, w.gender = '2' as female,
      case when k.expiry_date::text < ${today} then k.expiry_date::text end as id_expired,
      case when ${licenceIs('w', 'expired', today)} then lic.ends::text end as licence_expired,
      ${lacksContract('w')} as no_contract, not w.entry_trained as untrained,
      (select count(*)::int from attendance_day d where d.project_code = w.project_code and d.worker_id = w.worker_id and d.expected and d.settled
        and d.record_count = 0 and d.work_day > coalesce((select max(r.work_day) from attendance_day r where r.project_code = w.project_code
          and r.worker_id = w.worker_id and r.record_count > 0), date '0001-01-01')) as absent_run,
      (select count(*)::int from attendance_day d where d.project_code = w.project_code and d.worker_id = w.worker_id
        and d.work_day >= ${addDays(today, -twoSitesDays)}::date and d.record_count > 0
        and exists (select 1 from attendance_day o where o.worker_id = d.worker_id and o.work_day = d.work_day and o.project_code <> d.project_code
          and o.record_count > 0 and not coalesce(d.last_out <= o.first_in or o.last_out <= d.first_in, false))) as two_sites
    from project_worker w left join worker k on k.id = w.worker_id ${joinLicence('w')}
    where w.project_code = ${projectCode} and w.exit_time is null and w.entry_time <= ${new Date(now)}
    order by w.worker_id, w.entry_time desc, w.id`.execute(db)
  return rows
}
