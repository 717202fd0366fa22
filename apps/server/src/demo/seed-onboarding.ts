import { dayMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { creditCode } from '@zhugong/simulator/numbers'
import { stream } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'
import type { Secrets } from '#kit/secret'
import { hashToken } from '#kit/serve'

/** Survey and design companies: the two of the five parties missing in the invented city. */
const designers = [
  { corpType: '010', kind: '2', name: '江城勘察研究院有限公司', manager: '邵立诚' },
  { corpType: '011', kind: '3', name: '楚天建筑设计院有限公司', manager: '姚思远' },
] as const
/** Sites with complete files, and those with people on site. */
const complete = ['hospital-pm', 'zhigu-pm']

/** Onboarding states of sites: one complete, one missing a step, others at parties and accounts; links in every state. */
export async function seedOnboarding(db: Db, city: City, secrets: Secrets, now: number): Promise<void> {
  const codes = complete.flatMap((account) => city.personas.find((one) => one.account === account)?.projectCode ?? [])
  const random = stream(now, 'designers')
  for (const { corpType, kind, name, manager } of designers) {
    const corpCode = creditCode(random, '91', '420100')
    await sql`
      insert into corporation (id, corp_code, corp_name, corp_type, corp_kind, area_code, address, legal_man, link_man, register_date)
      values (${newId(now)}, ${corpCode}, ${name}, '159', ${[kind]}, '420100', '东湖新技术开发区光谷大道 77 号', ${manager}, ${manager}, '2012-05-18')`.execute(
      db,
    )
    for (const projectCode of codes)
      await sql`
        insert into project_corp (id, project_code, corp_code, corp_type, entry_time, pm_name, create_time)
        values (${newId(now)}, ${projectCode}, ${corpCode}, ${corpType}, ${formatDay(now - 260 * dayMs)}, ${manager}, ${new Date(now - 260 * dayMs)})`.execute(
        db,
      )
  }
  await sql`
    update app_user set last_login_at = ${new Date(now - dayMs / 12)} where last_login_at is null and id in (
      select m.user_id from member m join tenant t on t.id = m.group_id where t.type = 3 and t.code = any (${codes}))`.execute(db)
  await sayWhoSees(db, codes, now)
  await giveLinks(db, secrets, now)
}

async function sayWhoSees(db: Db, [hospital, zhigu]: readonly string[], now: number): Promise<void> {
  const said = [
    { projectCode: hospital, step: 'whole', name: '平台客服小王', due: null, note: '' },
    { projectCode: zhigu, step: 'whole', name: '平台客服小王', due: formatDay(now + 5 * dayMs), note: '' },
    { projectCode: zhigu, step: 'gates', name: '周立新', due: formatDay(now + 2 * dayMs), note: '等电信拉专线后接入 2 号门' },
  ]
  for (const { projectCode, step, name, due, note } of said)
    if (projectCode)
      await db
        .insertInto('projectOnboarding')
        .values({
          projectCode,
          step,
          assigneeId: null,
          assigneeName: name,
          dueDay: due,
          note,
          notNeeded: null,
          updateTime: new Date(now - dayMs),
          updateBy: '平台客服小王',
        })
        .execute()
}

/** Links from the platform for second administrators of sites: one pending, one expired, one revoked. */
async function giveLinks(db: Db, secrets: Secrets, now: number): Promise<void> {
  const platform = await db.selectFrom('tenant').select('id').where('type', '=', 0).executeTakeFirstOrThrow()
  const giver = await db.selectFrom('appUser').select('id').where('account', '=', 'admin').executeTakeFirstOrThrow()
  const sites = await db.selectFrom('tenant').select('id').where('type', '=', 3).orderBy('code').limit(3).execute()
  const examples = [
    { name: '孙建平', days: 5, revoked: false },
    { name: '罗国强', days: -2, revoked: false },
    { name: '郝文斌', days: 3, revoked: true },
  ]
  for (const [i, { id: groupId }] of sites.entries()) {
    const { name, days, revoked } = examples[i] ?? { name: '管理员', days: 7, revoked: false }
    const id = newId(now)
    await db
      .insertInto('adminLink')
      .values({
        id,
        groupId,
        byGroup: platform.id,
        tokenHash: hashToken(secrets.sign('admin-link', `${id}\n0`)),
        name,
        phone: null,
        phoneMask: null,
        expiresAt: new Date(now + days * dayMs),
        usedAt: null,
        usedBy: null,
        revokedAt: revoked ? new Date(now - dayMs) : null,
        openingId: null,
        createTime: new Date(now - 6 * dayMs),
        createBy: '平台客服小王',
        giverId: giver.id,
        updateTime: null,
      })
      .execute()
  }
}
