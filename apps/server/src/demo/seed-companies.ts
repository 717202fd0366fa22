import { dayMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { type Insertable, sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import type { Db, Tables, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { draw } from './seed-pictures.ts'
import { insertAll } from './seed-trade.ts'

interface At {
  now: number
  folder: string
}

/** A company's own data: papers, qualifications and history. */
export async function seedCompanies(db: Db, city: City, now: number, folder: string): Promise<void> {
  const boss = city.personas.find((one) => one.account === 'yunze-lu')?.corpCode
  if (!boss) throw new Error('the demonstration lacks its contractor')
  await db.transaction().execute(async (tx) => {
    await seedQualifications(tx, city, boss, { now, folder })
    await seedPapers(tx, boss, { now, folder })
    await seedEvents(tx, boss, now)
  })
}

const groupOf = async (tx: Tx, corpCode: string) =>
  tx.selectFrom('tenant').select(['id', 'name']).where('type', '=', 2).where('code', '=', corpCode).executeTakeFirst()

/** The planned qualifications; the contractor also has one that expires in sixty days and one that has expired. */
async function seedQualifications(tx: Tx, city: City, boss: string, at: At): Promise<void> {
  const own = city.corpQualifications.find((one) => one.corpCode === boss)
  const today = formatDay(at.now)
  const further = own
    ? [
        { ...own, id: newId(), tradeBoundNum: '71402005', titleLevelNum: '3-77', certCode: 'D342908811', endDate: addDays(today, 60) },
        { ...own, id: newId(), tradeBoundNum: '71402012', titleLevelNum: '3-76', certCode: 'D342117702', endDate: addDays(today, -45) },
      ]
    : []
  const rows = []
  const files = []
  for (const one of [...city.corpQualifications, ...further]) {
    const group = await groupOf(tx, one.corpCode)
    const drawn = await draw(at.folder, one.corpCode, {
      ...one.file,
      id: newId(),
      lines: [group?.name ?? one.corpCode, one.certCode, `有效期至 ${one.endDate}`],
    })
    const { owner: _owner, ...file } = drawn
    if (group) files.push({ ...file, projectCode: null, groupId: group.id, createBy: 'demo' })
    const made = new Date(at.now - 400 * dayMs)
    rows.push({
      id: one.id,
      corpCode: one.corpCode,
      certTypeNum: one.certTypeNum,
      tradeBoundNum: one.tradeBoundNum,
      titleLevelNum: one.titleLevelNum,
      certCode: one.certCode,
      organName: one.organName,
      organDate: addDays(one.endDate, -5 * 365),
      endDate: one.endDate,
      addTypeNum: one.addTypeNum,
      status: '001',
      files: JSON.stringify(group ? [file.id] : []),
      reason: null,
      createTime: made,
      updateTime: made,
      updateBy: '企业资料员',
    } satisfies Insertable<Tables['corpQualification']>)
  }
  await insertAll(tx, 'storedFile', files)
  await insertAll(tx, 'corpQualification', rows)
}

const papers = [
  { kind: 'licence', name: '营业执照', number: '420200-0001', ends: undefined, toSites: true, toBodies: true },
  { kind: 'safety', name: '安全生产许可证', number: '(鄂)JZ安许证字[2024]000117', ends: 640, toSites: true, toBodies: true },
  { kind: 'account', name: '基本存款账户开户许可证', number: 'J5220000117', ends: undefined, toSites: false, toBodies: false },
  { kind: 'attorney', name: '法人授权委托书', number: '云建授〔2026〕8 号', ends: 128, toSites: true, toBodies: false },
  { kind: 'insurance', name: '工伤保险参保证明', number: 'GS-2026-4471', ends: 21, toSites: true, toBodies: true },
  { kind: 'insurance', name: '安全生产责任保险', number: 'AZX-2026-0093', ends: 240, toSites: true, toBodies: true },
  { kind: 'credit', name: '企业信用报告', number: null, ends: 180, toSites: false, toBodies: true },
  { kind: 'rules', name: '安全生产管理制度', number: '云建安〔2025〕12 号', ends: undefined, toSites: true, toBodies: true },
  { kind: 'rules', name: '劳务实名制管理办法', number: '云建劳〔2025〕3 号', ends: undefined, toSites: true, toBodies: false },
] as const

/** Nine papers, one of them expiring soon; the insurance is also in the checklists of the company's other sites. */
async function seedPapers(tx: Tx, corpCode: string, { now, folder }: At): Promise<void> {
  const group = await groupOf(tx, corpCode)
  if (!group) return
  const files = []
  const rows = []
  for (const [at, { ends, ...paper }] of papers.entries()) {
    const validEnd = ends === undefined ? null : addDays(formatDay(now), ends)
    const lines = [group.name, '演示文件，不具效力', ...(validEnd ? [`有效期至 ${validEnd}`] : [])]
    const { owner: _owner, ...file } = await draw(folder, corpCode, {
      id: newId(),
      name: `${paper.name}.png`,
      mime: 'image/png',
      kind: 'licence',
      title: paper.name,
      lines,
    })
    files.push({ ...file, projectCode: null, groupId: group.id, createBy: 'demo' })
    const made = new Date(now - (60 + at) * dayMs)
    rows.push({
      ...paper,
      id: newId(),
      corpCode,
      files: JSON.stringify([file.id]),
      validEnd,
      createTime: made,
      updateTime: made,
      updateBy: '企业资料员',
    } satisfies Insertable<Tables['corpMaterial']>)
  }
  await insertAll(tx, 'storedFile', files)
  await insertAll(tx, 'corpMaterial', rows)
  const insurance = rows.find((one) => one.name === '工伤保险参保证明')
  if (insurance) await linkToSites(tx, insurance, now)
}

const mostSites = 4

async function linkToSites(
  tx: Tx,
  paper: Pick<Insertable<Tables['corpMaterial']>, 'id' | 'corpCode' | 'files' | 'validEnd'>,
  now: number,
): Promise<void> {
  const sites = await tx
    .selectFrom('projectCorp as pc')
    .select('pc.projectCode')
    .distinct()
    .where('pc.corpCode', '=', paper.corpCode)
    .where('pc.exitTime', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('projectMaterial as m')
            .select('m.id')
            .whereRef('m.projectCode', '=', 'pc.projectCode')
            .where('m.item', '=', 'injuryInsurance'),
        ),
      ),
    )
    .orderBy('pc.projectCode')
    .limit(mostSites)
    .execute()
  const at = new Date(now - 20 * dayMs)
  await insertAll(
    tx,
    'projectMaterial',
    sites.map(({ projectCode }) => ({
      id: newId(),
      projectCode,
      item: 'injuryInsurance',
      stage: '1',
      name: '工伤保险单',
      state: '1',
      files: paper.files,
      validEnd: paper.validEnd,
      notNeeded: null,
      opinion: null,
      askedBy: null,
      judgedBy: null,
      judgeTime: null,
      sourceId: paper.id,
      sourceEdition: 1,
      createTime: at,
      updateTime: at,
      updateBy: '企业资料员',
    })),
  )
}

/** Days ago, kind, event and change. */
const events: readonly [number, 'change' | 'aptitude' | 'score', string, readonly [string, string | null, string | null][]][] = [
  [1060, 'change', '', [['legal_man', '顾长江', '顾长河']]],
  [1020, 'aptitude', '取得 建筑工程 建筑业一级（D342000117）', []],
  [900, 'change', '', [['reg_capital', '30000', '50000']]],
  [760, 'change', '', [['address', '云泽市滨江区江堤路 2 号', '云泽市滨江区江堤路 18 号']]],
  [640, 'aptitude', '升级 建筑工程 建筑业特级（D342000118）', [['titleLevelNum', '建筑业一级', '建筑业特级']]],
  [520, 'change', '', [['link_man', '陆启明', '陆远']]],
  [410, 'score', '', [['credit_score', '100', '91']]],
  [260, 'change', '', [['safety_license_end', '2025-08-20', '2028-08-20']]],
  [150, 'score', '', [['credit_score', '91', '96']]],
  [40, 'aptitude', '延续 市政公用工程 建筑业一级', [['endDate', '2026-10-01', '2031-10-01']]],
]

/** Three years of the contractor's history; its score fell to 91 and rose to 96. */
async function seedEvents(tx: Tx, corpCode: string, now: number): Promise<void> {
  await insertAll(
    tx,
    'corpEvent',
    events.map(([ago, kind, title, changes]) => ({
      corpCode,
      at: new Date(now - ago * dayMs),
      kind,
      title,
      changes: JSON.stringify(changes.map(([field, before, after]) => ({ field, before, after }))),
      byName: kind === 'score' ? '云泽市住房和城乡建设局' : '云泽建工集团 陆远',
    })),
  )
  await tx
    .updateTable('corporation')
    .set({ creditScore: 96, createTime: new Date(now - 1100 * dayMs) })
    .where('corpCode', '=', corpCode)
    .execute()
  // Removes the event that this update created: `events` contains it at its own day.
  await tx
    .deleteFrom('corpEvent')
    .where('corpCode', '=', corpCode)
    .where('at', '>=', new Date(now - dayMs))
    .execute()
}

/** Pending applications for apps, and contacts of companies. */
export async function seedWishes(db: Db, city: City, now: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await seedApplies(tx, city, now)
    await seedInfo(tx, city, now)
  })
}

const wishes = [
  { account: 'hospital-pm', days: 365, reason: '二期开工后需要继续监测', ago: 2 },
  { account: 'yunze-lu', days: 180, reason: '集团安全检查需要集中查看', ago: 1 },
] as const

async function seedApplies(tx: Tx, city: City, now: number): Promise<void> {
  const rows: Insertable<Tables['appApply']>[] = []
  for (const { account, days, reason, ago } of wishes) {
    const who = await tx
      .selectFrom('appUser as u')
      .innerJoin('member as m', 'm.userId', 'u.id')
      .innerJoin('tenant as t', 't.id', 'm.groupId')
      .select(['u.id', 'u.name', 't.id as groupId', 't.type', 't.code'])
      .where('u.account', '=', account)
      .where('t.type', '=', city.personas.find((one) => one.account === account)?.groupType ?? 3)
      .executeTakeFirst()
    const app = who && (await wishedApp(tx, who))
    if (!who || !app) continue
    rows.push({
      id: newId(),
      groupId: who.groupId,
      projectCode: who.type === 3 ? who.code : null,
      appIds: [app.id],
      deadline: addDays(app.deadline ?? formatDay(now), days),
      reason,
      opinion: null,
      filedBy: who.id,
      filedName: who.name,
      createTime: new Date(now - ago * dayMs),
      decidedName: null,
      decideTime: null,
    })
  }
  if (rows.length) await insertAll(tx, 'appApply', rows)
}

/** An app offered to a group, preferably one it does not have or that expires first. */
async function wishedApp(tx: Tx, { groupId, type }: { groupId: string; type: number }) {
  const { rows } = await sql<{ id: string; deadline: string | null }>`
    select a.id, g.deadline::text as deadline from app a left join app_grant g on g.app_id = a.id and g.group_id = ${groupId} and g.revoked_at is null
    where not a.base and a.enable = '1' and ${type} = any (a.group_types) order by g.id is not null, g.deadline nulls last, a.sort limit 1`.execute(
    tx,
  )
  return rows[0]
}

async function seedInfo(tx: Tx, city: City, now: number): Promise<void> {
  const corpCode = city.personas.find((one) => one.account === 'yunze-lu')?.corpCode
  const tenant = await tx
    .selectFrom('tenant')
    .select(['id', 'settings'])
    .where('type', '=', 2)
    .where('code', '=', corpCode ?? '')
    .executeTakeFirst()
  if (!tenant) return
  const info = {
    introduction: '云泽市骨干建筑企业',
    contact: '陆远',
    servicePhone: '0714-6225588',
    dutyPhone: '13871234567',
    address: '云泽市滨江区江堤路 18 号',
    officeHours: '工作日 8:30-17:30',
    notice: '周日系统例行检查，2:00-3:00 可能短时不能登录',
    noticeUntil: addDays(formatDay(now), 3),
  }
  await tx
    .updateTable('tenant')
    .set({ settings: JSON.stringify({ ...tenant.settings, info }), updateBy: '陆远', updateTime: new Date(now - 2 * dayMs) })
    .where('id', '=', tenant.id)
    .execute()
}
