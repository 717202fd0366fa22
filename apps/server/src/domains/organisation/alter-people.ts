import { type KeyPersonType, keyPersons } from '@zhugong/contract/organisation/alter-types'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { listedPeople } from '../labour/public.ts'
import type { ChangePerson } from './alter-store.ts'

type Reader = Pick<Context, 'db' | 'system' | 'clock'>

/** States in which a project has a leader at work. */
const inProgress = [projectStates.building, projectStates.stopped, projectStates.finished]
const mostCandidates = 500

/** The certificates for a post that hold on a day: approved, valid and not ended. */
const certHolds = (type: KeyPersonType, today: string) => {
  const kinds = keyPersons[type].certs.map(({ type: certType, special }) =>
    special.length > 0
      ? sql`(c.cert_type = ${certType} and c.special_type = any (${[...special]}::text[]))`
      : sql`c.cert_type = ${certType}`,
  )
  return sql`c.status = '1' and c.audit_status = '1' and (c.valid_end is null or c.valid_end >= ${today}::date) and (${sql.join(kinds, sql` or `)})`
}

export interface Candidate {
  stayId: string
  name: string
  projectName: string
  idCardMask: string
  cert: string | null
}
/** People of the company that the caller sees on any site, each once; those of this project first. */
export async function candidatesFor(
  ctx: Pick<Context, 'db' | 'clock'>,
  type: KeyPersonType,
  { projectCode, corpCode }: { projectCode: string; corpCode: string },
): Promise<Candidate[]> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<Candidate>`
    select * from (
      select distinct on (w.worker_id) w.id as stay_id, w.worker_name as name, p.name as project_name, w.id_card_mask,
        (select c.name || ' ' || c.cert_no from worker_cert c where c.worker_id = w.worker_id and ${certHolds(type, today)}
          order by c.valid_end desc nulls first, c.id limit 1) as cert
      from project_worker w join project p using (project_code)
      where w.corp_code = ${corpCode} and w.exit_time is null and w.work_role = '10'
      order by w.worker_id, w.project_code <> ${projectCode}, w.entry_time desc) x
    order by x.cert is null, x.name, x.stay_id limit ${mostCandidates}`.execute(ctx.db)
  return rows
}

/** The stay that was chosen, with the identity of its person; undefined if the caller does not see it or it has ended. */
export async function chosenStay(ctx: Pick<Context, 'db'>, stayId: string) {
  const { rows } = await sql<{
    corpCode: string
    name: string
    idCardType: string
    idCardNumber: Buffer
    idCardHash: string
    idCardMask: string
    cellPhone: Buffer | null
    cellPhoneMask: string | null
  }>`select w.corp_code, k.name, k.id_card_type, k.id_card_number, k.id_card_hash, k.id_card_mask, k.cell_phone, k.cell_phone_mask
    from project_worker w join worker k on k.id = w.worker_id where w.id = ${stayId} and w.exit_time is null`.execute(ctx.db)
  return rows[0]
}

/**
 * What speaks against the newcomer today, in words: no valid certificate, leader of another project in progress, black list. Read from all
 * projects, because the approver cannot see where else the person is bound. Asked anew at every reading, so that what arises while the
 * application waits is shown too.
 */
export async function newcomerHits(ctx: Reader, type: KeyPersonType, projectCode: string, person: ChangePerson): Promise<string[]> {
  const certified = await hasCert(ctx.system, type, person.idCardHash, formatDay(ctx.clock.now()))
  const elsewhere = await boundElsewhere(ctx.system, projectCode, person.idCardHash)
  const listed = (await listedPeople(ctx, [person.idCardHash], { projectCode, corpCode: person.corpCode })).get(person.idCardHash)
  const needed = keyPersons[type].certs.map((one) => one.name).join('或')
  return [
    ...(certified ? [] : [`${person.newName}没有有效的${needed}`]),
    ...elsewhere.map(({ name, role }) => `${person.newName}现任在建项目“${name}”的${role}`),
    ...(listed
      ? [
          `${person.newName}在黑名单内：${listed.reasonTypeName ?? ''}，${listed.issuer}认定，${listed.startDate} 列入，${listed.endDate} 移出`,
        ]
      : []),
  ]
}

async function hasCert(system: Db | Tx, type: KeyPersonType, hash: string, today: string): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`select 1 as n from worker_cert c join worker k on k.id = c.worker_id
    where k.id_card_hash = ${hash} and not k.deleted and ${certHolds(type, today)} limit 1`.execute(system)
  return rows.length > 0
}

/** Other projects in progress whose 项目负责人 or 总监 the person is: by identity, or by name among the company's people there. */
async function boundElsewhere(system: Db | Tx, projectCode: string, hash: string): Promise<{ name: string; role: string }[]> {
  const { rows } = await sql<{ name: string; corpType: string }>`
    select distinct p.name, u.corp_type from project_corp u join project p using (project_code)
    where u.corp_type = any (${Object.values(keyPersons).map((one) => one.corpType)}) and u.exit_time is null and u.project_code <> ${projectCode}
      and p.prj_status = any (${inProgress}) and (u.pm_id_card_hash = ${hash} or (u.pm_id_card_hash is null and exists (
        select 1 from project_worker w where w.project_code = u.project_code and w.corp_code = u.corp_code and w.exit_time is null
          and w.id_card_hash = ${hash} and w.worker_name = u.pm_name)))
    order by p.name limit 5`.execute(system)
  return rows.map(({ name, corpType }) => ({
    name,
    role: Object.values(keyPersons).find((one) => one.corpType === corpType)?.name ?? '',
  }))
}
