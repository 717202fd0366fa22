import { dayMs } from '@zhugong/contract/kit/time'
import { homeCardKeys, homeCards } from '@zhugong/contract/settings/dashboard'
import { materialItems } from '@zhugong/contract/settings/materials'
import type { City } from '@zhugong/simulator/city-types'
import { saveProfile } from '#domains/settings/profile'
import { addDays, formatDay } from '#kit/clock'
import type { Db, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { seedOwnRequests } from './seed-own-requests.ts'
import { draw } from './seed-pictures.ts'
import { insertAll } from './seed-trade.ts'

/** Data of the settings pages: submitted and returned papers, home pages arranged and required, brands, and an account linked to a person. */
export async function seedSettings(db: Db, city: City, now: number, folder: string): Promise<void> {
  const hospital = city.personas.find((one) => one.account === 'hospital-pm')?.projectCode
  const boss = city.personas.find((one) => one.account === 'yunze-lu')?.corpCode
  if (!hospital || !boss) throw new Error('the demonstration lacks its hospital or its contractor')
  await db.transaction().execute(async (tx) => {
    await seedMaterials(tx, hospital, { now, folder })
    await seedDashboards(tx, city, hospital, now)
    await seedFacts(tx, hospital)
    await seedBrandLocks(tx, boss)
    await tieOwnFile(tx, hospital)
    await seedOwnRequests(tx, hospital, now)
    await planMaintenance(tx, now)
  })
}

/** Days until a night maintenance. */
const maintenanceAhead = 5
async function planMaintenance(tx: Tx, now: number): Promise<void> {
  const night = addDays(formatDay(now), maintenanceAhead)
  const maintenance = { from: `${night} 22:00:00`, until: `${night} 23:30:00`, words: '数据库升级，期间无法登录，设备数据照常接收' }
  const admin = await tx.selectFrom('appUser').select('id').where('account', '=', 'admin').executeTakeFirstOrThrow()
  await saveProfile(tx, { maintenance }, admin.id)
}

/** State, expiry and opinion by item; items not listed are missing. */
const papers: Readonly<Record<string, { state: '0' | '1' | '2' | '3'; ends?: number; opinion?: string }>> = {
  licence: { state: '2' },
  award: { state: '2' },
  mainContract: { state: '2' },
  superviseContract: { state: '2' },
  safetySupervise: { state: '2' },
  qualitySupervise: { state: '1' },
  design: { state: '3', opinion: '扫描件不清晰，第 12 页起无法辨认' },
  safetyDuty: { state: '1' },
  wageAccount: { state: '2' },
  wageGuarantee: { state: '2', ends: 20 },
  injuryInsurance: { state: '2', ends: 240 },
  liability: { state: '3', ends: 300, opinion: '缺少保险公司盖章' },
  plan: { state: '1' },
  emergency: { state: '1', ends: 500 },
  dangerous: { state: '0' },
}

async function seedMaterials(tx: Tx, projectCode: string, { now, folder }: { now: number; folder: string }): Promise<void> {
  const site = await tx
    .selectFrom('tenant')
    .select(['id', 'name'])
    .where('type', '=', 3)
    .where('code', '=', projectCode)
    .executeTakeFirstOrThrow()
  const made = []
  const files = []
  for (const [at, [item, { state, ends, opinion }]] of Object.entries(papers).entries()) {
    const known = materialItems[item]
    const name = known?.name ?? item
    const day = new Date(now - (30 - at) * dayMs)
    const judged = state === '2' || state === '3'
    const validEnd = ends === undefined ? null : addDays(formatDay(now), ends)
    const { owner, ...file } = await draw(folder, projectCode, {
      id: newId(),
      name: `${name}.png`,
      mime: 'image/png',
      kind: 'licence',
      title: name,
      lines: [site.name, '演示文件，不具效力', ...(validEnd ? [`有效期至 ${validEnd}`] : [])],
    })
    files.push({ ...file, projectCode: owner, groupId: site.id, createBy: 'demo' })
    made.push({
      id: newId(),
      projectCode,
      item,
      stage: known?.stage ?? '1',
      name,
      state,
      files: JSON.stringify([file.id]),
      validEnd,
      notNeeded: null,
      opinion: opinion ?? null,
      askedBy: null,
      judgedBy: judged ? '云泽市住房和城乡建设局 方启年' : null,
      judgeTime: judged ? new Date(day.getTime() + dayMs) : null,
      earlier: '[]',
      createTime: day,
      updateTime: day,
      updateBy: '项目资料员',
    })
  }
  await insertAll(tx, 'storedFile', files)
  await insertAll(tx, 'projectMaterial', [
    ...made,
    {
      id: newId(),
      projectCode,
      item: 'night-permit',
      stage: '2',
      name: '夜间施工许可',
      state: '0',
      files: '[]',
      validEnd: null,
      notNeeded: null,
      opinion: null,
      askedBy: '云泽市住房和城乡建设局',
      judgedBy: null,
      judgeTime: null,
      earlier: '[]',
      createTime: new Date(now - 2 * dayMs),
      updateTime: new Date(now - 2 * dayMs),
      updateBy: '方启年',
    },
  ])
}

/** A site with a home page for safety officers, another with a page of its own; two cards required by the authority. */
async function seedDashboards(tx: Tx, city: City, hospital: string, now: number): Promise<void> {
  const place = (card: (typeof homeCardKeys)[number]) => ({ card, size: homeCards[card].size, hidden: false })
  const first = (...cards: (typeof homeCardKeys)[number][]) => [...cards, ...homeCardKeys.filter((one) => !cards.includes(one))].map(place)
  const other = city.projects.find((p) => p.projectCode !== hospital)?.projectCode
  const at = { updateTime: new Date(now - 5 * dayMs), version: 1 }
  const policy = { forced: ['keyPosts', 'tasks'], limits: { attendanceRate: 80, absentPosts: 2 } }
  await insertAll(tx, 'projectSetting', [
    { projectCode: hospital, part: 'dashboardPolicy', value: JSON.stringify(policy), updateBy: '方启年', ...at },
    ...(other
      ? [
          {
            projectCode: other,
            part: 'dashboard',
            value: JSON.stringify({
              roles: { '*': first('figures', 'keyPosts', 'week'), 安全员: first('tasks', 'devices', 'site') },
              limits: { online: 95 },
            }),
            updateBy: '项目经理',
            ...at,
          },
        ]
      : []),
  ])
}

async function seedFacts(tx: Tx, projectCode: string): Promise<void> {
  await tx.updateTable('project').set({ contractPrice: null, chargeEmail: null }).where('projectCode', '=', projectCode).execute()
}

/** The contractor's name is also shown on its sites. */
async function seedBrandLocks(tx: Tx, corpCode: string): Promise<void> {
  const company = await tx.selectFrom('tenant').selectAll().where('type', '=', 2).where('code', '=', corpCode).executeTakeFirstOrThrow()
  await tx
    .updateTable('tenant')
    .set({
      sysName: company.sysName ?? company.name,
      settings: JSON.stringify({ ...company.settings, brandPolicy: { locked: ['primaryColor'] } }),
    })
    .where('id', '=', company.id)
    .execute()
}

/** Links the manager's account to a person's file, so that the page of one's own data can be shown. */
async function tieOwnFile(tx: Tx, projectCode: string): Promise<void> {
  const user = await tx.selectFrom('appUser').select(['id', 'name']).where('account', '=', 'hospital-pm').executeTakeFirst()
  if (!user) return
  const own = await tx
    .selectFrom('projectWorker')
    .select(['workerId'])
    .where('projectCode', '=', projectCode)
    .where('exitTime', 'is', null)
    .where('workRole', '=', '10')
    .orderBy((eb) => eb.case().when('workerName', '=', user.name).then(0).else(1).end())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!own) return
  const taken = await tx.selectFrom('appUser').select('id').where('workerId', '=', own.workerId).executeTakeFirst()
  if (!taken) await tx.updateTable('appUser').set({ workerId: own.workerId }).where('id', '=', user.id).execute()
}
