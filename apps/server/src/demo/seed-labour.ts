import { maskIdCard } from '@zhugong/contract/kit/checks'
import { dayMs } from '@zhugong/contract/kit/time'
import type { BlackState } from '@zhugong/contract/labour/black-codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { City } from '@zhugong/simulator/city-types'
import { personName } from '@zhugong/simulator/names'
import { idCardNumber } from '@zhugong/simulator/numbers'
import { idOf, stream } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Db, Tx } from '#kit/db'
import type { Secrets } from '#kit/secret'
import { seedRegister } from './seed-register.ts'
import { insertAll } from './seed-trade.ts'

/** Account of the site with the lists, and of the deciding body. */
const siteAccount = 'hospital-labour'
const companyAccount = 'yunze-lu'
const districtAccount = 'bj-zhao'

interface Group {
  id: string
  name: string
  userId: string
  userName: string
}
async function groupOf(db: Db, account: string): Promise<Group | undefined> {
  const { rows } = await sql<Group>`
    select t.id, t.name, u.id as user_id, u.name as user_name from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id
    where u.account = ${account} limit 1`.execute(db)
  return rows[0]
}

interface Plan {
  state: BlackState
  by: 'site' | 'company' | 'district'
  scope: '1' | '2' | '3'
  reasonType: string
  reason: string
  /** Days ago: event, notification, decision; and days of validity from the decision. */
  happened: number
  told: number
  decided?: number
  runs: number
  /** A person currently active on the site. */
  inPlace?: true
  refusals?: number
}
const fight = '在生活区聚众斗殴，致一人轻伤，公安机关已作出处罚决定，项目监控可证'
const theft = '夜间多次盗窃电缆铜芯，被巡逻人员当场发现，公安机关已立案'
const forged = '使用他人身份证件冒名进场，人脸比对与证件照不符，本人承认'
const careless = '多次不系安全带在高处作业，累计扣分达到阈值，经教育不改'
const broken = '故意损毁已验收的防水层，造成返工，损失三万余元'
const wages = '经法院生效裁判认定虚构劳资纠纷，〔2026〕鄂 02 民终 118 号'
const accident = '违章操作起重机械造成一般事故，事故调查报告认定负主要责任'
const plans: readonly Plan[] = [
  { state: '2', by: 'site', scope: '1', reasonType: '2', reason: fight, happened: 46, told: 40, decided: 30, runs: 365, refusals: 2 },
  { state: '2', by: 'site', scope: '1', reasonType: '3', reason: theft, happened: 90, told: 84, decided: 74, runs: 730, refusals: 1 },
  { state: '2', by: 'site', scope: '2', reasonType: '8', reason: careless, happened: 25, told: 20, decided: 9, runs: 365, inPlace: true },
  { state: '2', by: 'company', scope: '2', reasonType: '6', reason: forged, happened: 120, told: 115, decided: 104, runs: 365 },
  {
    state: '2',
    by: 'district',
    scope: '3',
    reasonType: '7',
    reason: accident,
    happened: 210,
    told: 200,
    decided: 190,
    runs: 1095,
    refusals: 1,
  },
  { state: '2', by: 'district', scope: '3', reasonType: '1', reason: wages, happened: 300, told: 290, decided: 280, runs: 365 },
  { state: '2', by: 'district', scope: '3', reasonType: '2', reason: fight, happened: 372, told: 368, decided: 364, runs: 365 },
  { state: '4', by: 'site', scope: '1', reasonType: '4', reason: broken, happened: 34, told: 30, decided: 18, runs: 365 },
  { state: '1', by: 'site', scope: '2', reasonType: '8', reason: careless, happened: 18, told: 12, runs: 365, inPlace: true },
  { state: '1', by: 'site', scope: '1', reasonType: '3', reason: theft, happened: 6, told: 2, runs: 365 },
  { state: '1', by: 'company', scope: '2', reasonType: '6', reason: forged, happened: 22, told: 16, runs: 730 },
  { state: '1', by: 'district', scope: '3', reasonType: '7', reason: accident, happened: 40, told: 30, runs: 1095 },
  { state: '0', by: 'site', scope: '1', reasonType: '8', reason: careless, happened: 4, told: 1, runs: 365 },
  {
    state: '3',
    by: 'site',
    scope: '1',
    reasonType: '9',
    reason: '与班组长发生口角后离岗，证据不足，未造成后果',
    happened: 60,
    told: 55,
    runs: 365,
  },
  { state: '5', by: 'site', scope: '1', reasonType: '8', reason: careless, happened: 260, told: 255, decided: 240, runs: 365 },
  { state: '6', by: 'company', scope: '2', reasonType: '2', reason: fight, happened: 420, told: 410, decided: 400, runs: 365 },
  { state: '7', by: 'site', scope: '1', reasonType: '6', reason: forged, happened: 100, told: 95, decided: 84, runs: 365 },
  { state: '6', by: 'district', scope: '3', reasonType: '3', reason: theft, happened: 500, told: 490, decided: 480, runs: 365 },
]

/** Black lists in every state, a register with further companies, and finance data of a site's units. */
export async function seedLabour(db: Db, city: City, secrets: Secrets, now: number): Promise<void> {
  const projectCode = city.personas.find((p) => p.account === siteAccount)?.projectCode
  const [site, company, district] = [await groupOf(db, siteAccount), await groupOf(db, companyAccount), await groupOf(db, districtAccount)]
  const project = city.projects.find((p) => p.projectCode === projectCode)
  if (!project || !site || !company || !district) return
  await db.transaction().execute(async (tx) => {
    await seedPeople(tx, city, secrets, now, { site, company, district }, project)
    await seedCompanies(tx, city, now, district, project)
    await seedRegister(tx, city, secrets, now)
    await seedUnits(tx, city, secrets, now, project.projectCode)
  })
}

type Groups = Record<'site' | 'company' | 'district', Group>
type Project = City['projects'][number]

async function seedPeople(tx: Tx, city: City, secrets: Secrets, now: number, groups: Groups, project: Project): Promise<void> {
  const today = formatDay(now)
  const random = stream(city.seed, 'black')
  const present = city.projectWorkers.filter(
    (w) => w.projectCode === project.projectCode && !w.exitTime && w.workRole === '20' && !w.isTeamLeader,
  )
  const gone = city.projectWorkers.filter((w) => w.projectCode === project.projectCode && w.exitTime && w.workRole === '20')
  const workers = new Map(city.workers.map((w) => [w.workerId, w]))
  const turned: string[] = []
  for (const [i, plan] of plans.entries()) {
    const stay = plan.inPlace ? present[(i + 1) * 7] : gone[i]
    const known = stay ? workers.get(stay.workerId) : undefined
    // Some were never on a site of the city.
    const named = known ?? { name: personName(random, 0.1).name, idCardNumber: idCardNumber('420281', '1985-06-14', 101 + i * 2) }
    const decidedAt = plan.decided === undefined ? undefined : now - plan.decided * dayMs
    const start = plan.decided === undefined ? today : addDays(today, -plan.decided)
    const group = groups[plan.by]
    const decider = plan.by === 'district' ? groups.district : groups.company
    const id = idOf('black', i)
    const at = (daysAgo: number) => new Date(now - daysAgo * dayMs)
    await tx
      .insertInto('blackEntry')
      .values({
        id,
        kind: 'worker',
        groupId: group.id,
        groupName: group.name,
        scope: plan.scope,
        scopeCode: plan.scope === '1' ? project.projectCode : plan.scope === '2' ? project.contractorCorpCode : project.areaCode,
        sourceProject: plan.by === 'district' ? null : project.projectCode,
        idCardType: '01',
        idCardNumber: secrets.seal(named.idCardNumber),
        idCardHash: secrets.blindIndex('id-card', named.idCardNumber),
        idCardMask: maskIdCard(named.idCardNumber),
        name: named.name,
        reasonType: plan.reasonType,
        reason: plan.reason,
        occurrenceDate: addDays(today, -plan.happened),
        startDate: start,
        endDate: addDays(start, plan.runs),
        files: '[]',
        notifiedTime: at(plan.told),
        state: plan.state,
        submitBy: plan.state === '0' ? null : group.userId,
        submitTime: plan.state === '0' ? null : at(plan.told),
        issuer: decidedAt === undefined ? null : decider.name,
        decidedBy: decidedAt === undefined ? null : decider.userId,
        decidedTime: decidedAt === undefined ? null : new Date(decidedAt),
        createTime: at(plan.told),
        createBy: group.userId,
        createName: group.userName,
        updateTime: at(plan.state === '6' ? (plan.decided ?? 0) - plan.runs : Math.min(plan.told, plan.decided ?? plan.told)),
      })
      .execute()
    await insertAll(tx, 'blackLog', courseOf(id, plan, group, decider, now))
    const refusals = Array.from({ length: plan.refusals ?? 0 }, (_, n) => ({
      id: idOf('black-refusal', i, n),
      entryId: id,
      projectCode: project.projectCode,
      corpCode: stay?.corpCode ?? null,
      way: 'entry' as const,
      at: new Date(now - (2 + n * 3) * dayMs),
      byName: groups.site.userName,
    }))
    if (refusals.length) await insertAll(tx, 'blackRefusal', refusals)
    if (plan.decided !== undefined) turned.push(secrets.blindIndex('id-card', named.idCardNumber))
  }
  for (const hash of turned) await sql`select zg_black_turn(${hash}, ${today}::date, ${new Date(now)})`.execute(tx)
}

/** Log of the steps that led to an entry's state. */
function courseOf(id: string, plan: Plan, group: Group, decider: Group, now: number) {
  const steps: { action: string; from: string | null; to: string; daysAgo: number; by: Group | undefined; opinion: string }[] = [
    { action: 'create', from: null, to: '0', daysAgo: plan.told, by: group, opinion: '' },
  ]
  const add = (action: string, from: string, to: string, daysAgo: number, by: Group | undefined, opinion = '') =>
    steps.push({ action, from, to, daysAgo, by, opinion })
  if (plan.state !== '0') add('submit', '0', '1', plan.told - 0.2, group)
  if (plan.state === '3') add('reject', '1', '3', plan.told - 8, decider, '证据不足，补充监控或证言后再提')
  if (plan.decided !== undefined) {
    add('decide', '1', '2', plan.decided, decider, '事实清楚，当事人未提出异议')
    if (plan.state === '4' || plan.state === '7') add('appeal', '2', '4', plan.decided - 6, group, '当事人提交了班组证言，认为处理过重')
    if (plan.state === '7') add('cancel', '4', '7', plan.decided - 20, decider, '比对照片有误，予以撤销')
    if (plan.state === '5') add('repair', '2', '5', plan.decided - 120, decider, '已赔偿并完成再教育，准予修复')
    if (plan.state === '6') add('expire', '2', '6', plan.decided - plan.runs, undefined)
  }
  return steps.map((s, n) => ({
    id: idOf('black-log', id, n),
    entryId: id,
    action: s.action,
    fromState: s.from,
    toState: s.to,
    opinion: s.opinion,
    files: '[]',
    at: new Date(now - s.daysAgo * dayMs),
    byUser: s.by?.userId ?? null,
    byName: s.by?.userName ?? '系统',
    groupName: s.by?.name ?? '',
  }))
}

async function seedCompanies(tx: Tx, city: City, now: number, district: Group, project: Project): Promise<void> {
  const today = formatDay(now)
  const subs = city.projectCorps.filter((p) => p.projectCode === project.projectCode && !['007', '008', '009'].includes(p.corpType))
  const here = subs.at(-1)?.corpCode
  const others = city.corporations
    .filter((c) => !city.projectCorps.some((p) => p.projectCode === project.projectCode && p.corpCode === c.corpCode))
    .filter((c) => c.corpCode !== project.contractorCorpCode)
    .slice(0, 4)
  const rows = [
    { corpCode: here, state: '2', reasonType: '6', docNo: '鄂人社监〔2026〕118 号', org: '市人力资源和社会保障局', decided: 45, runs: 365 },
    {
      corpCode: others[0]?.corpCode,
      state: '2',
      reasonType: '7',
      docNo: '鄂建罚〔2026〕33 号',
      org: '市住房和城乡建设局',
      decided: 120,
      runs: 365,
    },
    {
      corpCode: others[1]?.corpCode,
      state: '2',
      reasonType: '2',
      docNo: '鄂建罚〔2025〕207 号',
      org: '市住房和城乡建设局',
      decided: 340,
      runs: 365,
    },
    {
      corpCode: others[2]?.corpCode,
      state: '1',
      reasonType: '1',
      docNo: '鄂建资〔2026〕12 号',
      org: '市住房和城乡建设局',
      decided: undefined,
      runs: 365,
    },
    {
      corpCode: others[3]?.corpCode,
      state: '6',
      reasonType: '5',
      docNo: '〔2025〕鄂 02 执 341 号',
      org: '市中级人民法院',
      decided: 400,
      runs: 365,
    },
  ]
  for (const [i, r] of rows.entries()) {
    const company = city.corporations.find((c) => c.corpCode === r.corpCode)
    if (!company) continue
    const start = r.decided === undefined ? today : addDays(today, -r.decided)
    const id = idOf('black-corp', i)
    await tx
      .insertInto('blackEntry')
      .values({
        id,
        kind: 'corp',
        groupId: district.id,
        groupName: district.name,
        scope: '3',
        scopeCode: project.areaCode,
        sourceProject: null,
        corpCode: company.corpCode,
        name: company.corpName,
        docNo: r.docNo,
        decideOrg: r.org,
        reasonType: r.reasonType,
        reason: `${dictName('corpBlacklistReason', r.reasonType)}，依据${r.docNo}认定`,
        occurrenceDate: addDays(start, -10),
        startDate: start,
        endDate: addDays(start, r.runs),
        files: '[]',
        state: r.state,
        submitBy: district.userId,
        submitTime: new Date(startOfDay(start)),
        issuer: r.decided === undefined ? null : district.name,
        decidedTime: r.decided === undefined ? null : new Date(startOfDay(start)),
        createBy: district.userId,
        createName: district.userName,
        updateTime: new Date(startOfDay(start)),
      })
      .execute()
  }
}

/** Finance data of the site's units: accounts, policies, supplements; one policy expires soon, one account awaits a second approval. */
async function seedUnits(tx: Tx, city: City, secrets: Secrets, now: number, projectCode: string): Promise<void> {
  const today = formatDay(now)
  const units = city.projectCorps.filter((p) => p.projectCode === projectCode && p.corpType !== '008')
  const account = (number: string, bankCode: string, bankName: string) => ({
    businessType: '1',
    bankCode,
    bankName,
    sealed: secrets.seal(number)?.toString('base64') ?? '',
    mask: `${number.slice(0, 4)}********${number.slice(-4)}`,
    bankLinkNumber: '102521000123',
  })
  for (const [i, u] of units.entries()) {
    const number = `42050164${String(36_000_000 + i * 977).padStart(8, '0')}01`
    const insurances = [
      {
        kind: '1',
        policyNo: `PYI2026${i}01`,
        insurer: '人保财险云泽分公司',
        startDate: addDays(today, -200),
        endDate: addDays(today, i === 1 ? 25 : 165 + i * 9),
      },
      {
        kind: '3',
        policyNo: `PJA2026${i}07`,
        insurer: '平安产险云泽中支',
        startDate: addDays(today, -120),
        endDate: addDays(today, i === 2 ? -3 : 245),
      },
    ]
    const changes =
      i === 1 || i === 3
        ? [
            { date: addDays(today, -90), amount: 86, remark: '增加地下室防水保护层施工', files: [] },
            { date: addDays(today, -32), amount: -12, remark: '取消塔楼外墙局部抹灰', files: [] },
          ]
        : []
    const change =
      i === 1
        ? {
            accounts: [account('6217000015550001234', '105', '建设银行铁山支行')],
            by: 'finance',
            byName: '邵明远',
            at: `${addDays(today, -1)} 16:20:00`,
          }
        : null
    await sql`update project_corp set bank_accounts = ${JSON.stringify([account(number, '105', '建设银行云泽分行')])}::jsonb, insurances = ${JSON.stringify(insurances)}::jsonb,
      contract_changes = ${JSON.stringify(changes)}::jsonb, account_change = ${change === null ? null : JSON.stringify(change)}::jsonb
      where project_code = ${projectCode} and corp_code = ${u.corpCode} and corp_type = ${u.corpType}`.execute(tx)
  }
}
