import { dayMs, minuteMs } from '@zhugong/contract/kit/time'
import { deliveredScreens } from '@zhugong/contract/screens/delivered'
import { tokenDays } from '@zhugong/contract/screens/endpoints'
import { type ScreenBody, screenSetting } from '@zhugong/contract/screens/model'
import type { City } from '@zhugong/simulator/city-types'
import { sql } from 'kysely'
import type { Db, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { hashToken } from '#kit/serve'

/** Greatest number of machines per family on the site's plan. */
const onPlan: readonly [family: string, most: number][] = [
  ['towerCrane', 2],
  ['lifter', 1],
  ['faceGate', 3],
  ['videoAi', 2],
]

/** Walls of the demonstration: the city's, the contractor's with a link in use, and a site's with machines on the plan. */
export async function seedScreens(db: Db, city: City, now: number): Promise<void> {
  const hospital = city.personas.find((one) => one.account === 'hospital-pm')?.projectCode
  const boss = city.personas.find((one) => one.account === 'yunze-lu')?.corpCode
  if (!hospital || !boss) throw new Error('the demonstration lacks its hospital or its contractor')
  await db.transaction().execute(async (tx) => {
    const at = (type: number, code: string) =>
      tx.selectFrom('tenant').select('id').where('type', '=', type).where('code', '=', code).executeTakeFirstOrThrow()
    const top = await tx
      .selectFrom('government')
      .select('govCode')
      .where('parentGovCode', 'is', null)
      .orderBy('areaCode')
      .executeTakeFirst()
    if (top) await keep(tx, (await at(1, top.govCode)).id, { levels: [1, 2] }, now)
    const company = (await at(2, boss)).id
    await keep(tx, company, { title: '云泽建工项目指挥中心', seconds: 30 }, now)
    await seedTemplates(tx, company, now)
    const head = { groupId: company, level: 2, account: 'yunze-lu' }
    await link(tx, { ...head, name: '总部大厅', madeAt: now - 72 * dayMs, renewedAt: now - 12 * dayMs, seenAt: now - 2 * minuteMs })
    // This screen has been off since before its token was due for renewal.
    await link(tx, { ...head, name: '安全部会议室', madeAt: now - 80 * dayMs, seenAt: now - 25 * dayMs })
    const site = (await at(3, hospital)).id
    await keep(tx, site, await arranged(tx, hospital), now)
    await link(tx, {
      groupId: site,
      level: 3,
      account: 'hospital-pm',
      name: '门厅电视',
      madeAt: now - 30 * dayMs,
      seenAt: now - 60 * minuteMs,
    })
  })
}

/** The contractor's templates: a two-page one it uses, one its sites inherit, and a draft. */
async function seedTemplates(tx: Tx, groupId: string, now: number): Promise<void> {
  const bodyAt = (level: number) => {
    const delivered = deliveredScreens.find((one) => one.level === level)
    if (!delivered) throw new Error(`no screen is delivered for level ${level}`)
    return delivered
  }
  const company = bodyAt(2)
  const people: ScreenBody['pages'][number] = {
    title: '人员与设备',
    seconds: 20,
    panels: (
      [
        ['projectHealth', 0, 0, 4, 6],
        ['laborCompliance', 4, 0, 2, 2],
        ['deviceOnline', 6, 0, 2, 2],
        ['attendanceDay', 4, 2, 4, 2],
        ['alarmTrend', 4, 4, 4, 2],
      ] as const
    ).map(([panelKey, x, y, w, h], i) => ({ uid: `q${i + 1}`, panelKey, x, y, w, h, params: {} })),
  }
  const site = bodyAt(3)
  const own = [
    {
      name: '集团指挥中心',
      source: company,
      body: { ...company.body, pages: [...company.body.pages, people] },
      inherit: false,
      version: 2,
    },
    { name: '集团项目统一版', source: site, body: site.body, inherit: true, version: 1 },
    { name: '安全月专用（编排中）', source: company, body: { ...company.body, pages: [people] }, inherit: false, version: 0 },
  ]
  for (const [i, { name, source, body, inherit, version }] of own.entries()) {
    const id = newId()
    const at = new Date(now - (20 - i * 6) * dayMs)
    await tx
      .insertInto('screenTemplate')
      .values({
        id,
        groupId,
        level: source.level,
        name,
        description: source.description,
        body: JSON.stringify(body),
        state: version ? '1' : '0',
        sourceId: source.id,
        createTime: at,
        createBy: '陆明章',
        updateTime: at,
        updateBy: '陆明章',
        publishedVersion: version || null,
        version,
      })
      .execute()
    for (let n = 1; n <= version; n++)
      await tx
        .insertInto('screenVersion')
        .values({
          templateId: id,
          version: n,
          body: JSON.stringify(n < version ? source.body : body),
          note: n < version ? '按标准模板' : n > 1 ? '加人员与设备一页' : '各项目统一',
          publishTime: new Date(at.getTime() - (version - n) * 3 * dayMs),
          publishBy: '陆明章',
        })
        .execute()
    if (version)
      await tx.insertInto('screenAssignment').values({ templateId: id, groupId, inherit, updateTime: at, updateBy: '陆明章' }).execute()
  }
}

async function keep(tx: Tx, groupId: string, value: object, now: number): Promise<void> {
  await tx
    .insertInto('screenSetting')
    .values({ groupId, value: JSON.stringify(screenSetting.parse(value)), updateTime: new Date(now - dayMs), updateBy: '演示管理员' })
    .execute()
}

interface Link {
  groupId: string
  level: number
  /** Account of the issuer. */
  account: string
  name: string
  madeAt: number
  renewedAt?: number
  seenAt: number
}
async function link(tx: Tx, { groupId, level, account, name, madeAt, renewedAt, seenAt }: Link): Promise<void> {
  const template = deliveredScreens.find((one) => one.level === level)
  const issuer = await tx.selectFrom('appUser').select(['id', 'name']).where('account', '=', account).executeTakeFirst()
  if (!template || !issuer) return
  const id = newId()
  await tx
    .insertInto('screenToken')
    .values({
      id,
      // Matches no token in use.
      tokenHash: hashToken(`${id} ${Math.random()}`),
      groupId,
      templateId: template.id,
      name,
      createTime: new Date(madeAt),
      createBy: issuer.name,
      expiresAt: new Date((renewedAt ?? madeAt) + tokenDays * dayMs),
      issuerId: issuer.id,
      issuerGroupId: groupId,
      renewedAt: renewedAt === undefined ? null : new Date(renewedAt),
      seenAt: new Date(seenAt),
      revokedAt: null,
      revokedBy: null,
    })
    .execute()
}

/** Cameras and gates have no position: they are placed along the plan's edge. */
async function arranged(tx: Tx, projectCode: string) {
  const placed = []
  for (const [row, [family, most]] of onPlan.entries()) {
    const { rows } = await sql<{ id: string }>`
      select id from device where project_code = ${projectCode} and family = ${family} order by name, id limit ${most}`.execute(tx)
    for (const [i, { id }] of rows.entries()) {
      if (family !== 'towerCrane' && family !== 'lifter') placed.push({ deviceId: id, x: 0.16 + 0.3 * i, y: row % 2 ? 0.86 : 0.12 })
    }
  }
  return { placed }
}
