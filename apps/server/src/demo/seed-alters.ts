import { dayMs } from '@zhugong/contract/kit/time'
import { isKeyPersonType, type KeyPersonType, keyPersons } from '@zhugong/contract/organisation/alter-types'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { idOf } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { addDays } from '#kit/clock'
import type { Row, Tx } from '#kit/db'
import { type AlterPlan, alterPlans } from './alter-plan.ts'
import { draw } from './seed-pictures.ts'
import { insertAll } from './seed-trade.ts'

type Site = Row<'project'> & { groupId: string; groupName: string; clerkId: string; clerkName: string; bodyName: string | null }

/** Applications for changes of the file. Those that wait begin their approval when the product starts. */
export async function seedAlters(tx: Tx, now: number, folder: string): Promise<void> {
  const { rows: sites } = await sql<Site>`
    select p.*, t.id as group_id, t.name as group_name, c.id as clerk_id, c.name as clerk_name,
      (select g.name from government g where g.gov_code = p.supervise_org) as body_name
    from project p join tenant t on t.type = 3 and t.code = p.project_code
      join lateral (select u.id, u.name from member m join app_user u on u.id = m.user_id where m.group_id = t.id order by u.account limit 1) c on true
    where p.prj_status = '003' and p.contractor_corp_code is not null and p.build_corp_code is not null order by p.project_code`.execute(tx)
  for (const [at, plan] of alterPlans.entries()) {
    const site = sites[plan.site % sites.length]
    if (site) await putAlter(tx, { at, plan, site, others: sites.filter((one) => one.projectCode !== site.projectCode) }, now, folder)
  }
}

interface Put {
  at: number
  plan: AlterPlan
  site: Site
  others: readonly Site[]
}

async function putAlter(tx: Tx, { at, plan, site, others }: Put, now: number, folder: string): Promise<void> {
  const id = idOf('alter', at)
  const filed = now - plan.age * dayMs
  const decided = plan.decided === undefined ? null : new Date(filed + plan.decided * dayMs)
  const person = isKeyPersonType(plan.type) ? await personFor(tx, plan.type, { plan, site, others }) : undefined
  const fields = await fieldsFor(tx, plan, site)
  if (!person && fields.length === 0) return
  const paper = async (kind: string, title: string) => {
    const seed = {
      id: idOf(id, kind),
      name: `${title}.png`,
      mime: 'image/png' as const,
      kind: 'contract' as const,
      title,
      lines: [site.name, plan.reason],
    }
    const { owner, ...file } = await draw(folder, site.groupId, seed)
    await insertAll(tx, 'storedFile', [{ ...file, groupId: owner, createBy: 'demo', projectCode: null }])
    return seed.id
  }
  await insertAll(tx, 'projectChange', [
    {
      id,
      projectCode: site.projectCode,
      type: plan.type,
      code: null,
      files: [await paper('proof', '变更证明')],
      consent: person ? [await paper('consent', '建设单位同意函')] : [],
      reason: plan.reason,
      state: decided === null ? approvalStates.running : plan.rejected ? approvalStates.rejected : approvalStates.passed,
      opinion: plan.rejected ?? null,
      filedGroup: site.groupId,
      filedBy: site.clerkId,
      filedName: `${site.groupName} ${site.clerkName}`,
      createTime: new Date(filed),
      decidedName: decided === null ? null : (site.bodyName ?? '监督机构'),
      decideTime: decided,
    },
  ])
  if (decided !== null)
    await sql`update project_change set code = 'XMBG-' || to_char(create_time at time zone 'Asia/Shanghai', 'YYYY') || '-' ||
      lpad(zg_next_number('projectChange', filed_group, extract(year from create_time at time zone 'Asia/Shanghai')::int)::text, 6, '0') where id = ${id}`.execute(
      tx,
    )
  await insertAll(
    tx,
    'projectChangeField',
    fields.map((one, seq) => ({ changeId: id, seq, ...one })),
  )
  if (person) await insertAll(tx, 'projectChangePerson', [{ changeId: id, ...person }])
}

interface Changed {
  field: string
  oldValue: string | null
  newValue: string
}
/** An accepted change has its new value in the file already; one that waits has its old value there. */
async function fieldsFor(tx: Tx, plan: AlterPlan, site: Site): Promise<Changed[]> {
  const done = plan.decided !== undefined && !plan.rejected
  const changed: Changed[] = []
  for (const { field, text, share, days } of plan.changes ?? []) {
    if (field === 'matter') {
      changed.push({ field, oldValue: null, newValue: text ?? '' })
      continue
    }
    const present = site[field]
    if (present === null) continue
    const other =
      field === 'buildCorpCode' || field === 'contractorCorpCode'
        ? await otherCompany(tx, site.projectCode)
        : share !== undefined
          ? String(Math.round(Number(present) * share))
          : days !== undefined
            ? addDays(String(present), done ? -days : days)
            : `${present}${text ?? ''}`
    if (other)
      changed.push(done ? { field, oldValue: other, newValue: String(present) } : { field, oldValue: String(present), newValue: other })
  }
  return changed
}

async function otherCompany(tx: Tx, projectCode: string): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`select corp_code as code from corporation where enable = '1'
    and corp_code not in (select corp_code from project_corp where project_code = ${projectCode}) order by corp_code limit 1`.execute(tx)
  return rows[0]?.code
}

type Newcomer = Pick<Row<'worker'>, 'name' | 'idCardType' | 'idCardNumber' | 'idCardHash' | 'idCardMask' | 'cellPhone' | 'cellPhoneMask'>

async function personFor(tx: Tx, type: KeyPersonType, { plan, site, others }: Pick<Put, 'plan' | 'site' | 'others'>) {
  const { corpType } = keyPersons[type]
  const { rows } = await sql<{ corpCode: string; pmName: string | null }>`select corp_code, pm_name from project_corp
    where project_code = ${site.projectCode} and corp_type = ${corpType} and exit_time is null order by entry_time, id limit 1`.execute(tx)
  const unit = rows[0]
  if (!unit) return undefined
  const one = plan.bound ? await leaderOf(tx, others) : await managerOf(tx, site.projectCode, unit)
  if (!one) return undefined
  const { name, ...identity } = one
  const done = plan.decided !== undefined
  return done
    ? { corpType, corpCode: unit.corpCode, oldName: name, ...(await presentLeader(tx, site.projectCode, unit, one)) }
    : { corpType, corpCode: unit.corpCode, oldName: unit.pmName, newName: name, ...identity }
}

const identity = sql`k.name, k.id_card_type, k.id_card_number, k.id_card_hash, k.id_card_mask, k.cell_phone, k.cell_phone_mask`

/** A manager of the company on the site who does not lead it. */
async function managerOf(tx: Tx, projectCode: string, { corpCode, pmName }: { corpCode: string; pmName: string | null }) {
  const { rows } = await sql<Newcomer>`select ${identity} from project_worker w join worker k on k.id = w.worker_id
    where w.project_code = ${projectCode} and w.corp_code = ${corpCode} and w.work_role = '10' and w.exit_time is null
      and w.worker_name is distinct from ${pmName} order by w.id limit 1`.execute(tx)
  return rows[0]
}

/** Who leads the part now took over from `former`. */
async function presentLeader(
  tx: Tx,
  projectCode: string,
  { corpCode, pmName }: { corpCode: string; pmName: string | null },
  former: Newcomer,
) {
  const { rows } = await sql<Newcomer>`select ${identity} from project_worker w join worker k on k.id = w.worker_id
    where w.project_code = ${projectCode} and w.corp_code = ${corpCode} and w.worker_name = ${pmName} order by w.id limit 1`.execute(tx)
  const { name, ...own } = rows[0] ?? former
  return { newName: rows[0] ? name : (pmName ?? name), ...own }
}

/** The leader of another site in progress, as its contractor registered him. */
async function leaderOf(tx: Tx, others: readonly Site[]) {
  const { rows } = await sql<Newcomer>`select ${identity} from project_corp u join project_worker w on w.project_code = u.project_code
      and w.corp_code = u.corp_code and w.worker_name = u.pm_name and w.exit_time is null join worker k on k.id = w.worker_id
    where u.project_code = any (${others.map((one) => one.projectCode)}) and u.corp_type = '009' and u.exit_time is null
    order by u.project_code, w.id limit 1`.execute(tx)
  return rows[0]
}
