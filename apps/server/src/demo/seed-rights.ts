import { randomBytes } from 'node:crypto'
import { dayMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { sql } from 'kysely'
import { hashPassword } from '#domains/access/public'
import { formatDay } from '#kit/clock'
import type { Db, Row, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { insertAll } from './seed-trade.ts'

/** Colleagues of the contractor's head office: most active, some never logged in, two without a role. */
const colleagues = [
  ...['周秉文', '吴雨桐', '郑怀远', '王若兰', '冯立新', '陈思齐', '褚建国', '卫晓峰', '蒋月华', '沈廷芳', '韩志强', '杨春燕'],
  ...['朱承志', '秦雪梅', '尤国栋', '许文博', '何佩玲', '吕长青', '施海涛', '张慕云', '孔令辉', '曹玉珍', '严克俭'],
]
const neverSeen = 5
const withoutRole = 2
/** Index of the person whose only role is that of the site posted to. */
const posted = 18

interface Found {
  company: Row<'tenant'>
  hospital: Row<'tenant'>
  roles: Row<'role'>[]
  /** Projects the company takes part in. */
  projects: string[]
}

/**
 * Examples of rights: people with and without roles, a role restricted to a branch, one that differs from its template, temporary roles, a
 * restriction.
 */
export async function seedRights(db: Db, city: City, now: number): Promise<void> {
  const boss = city.personas.find((one) => one.account === 'yunze-lu')
  const site = city.personas.find((one) => one.account === 'hospital-pm')
  const tenant = (type: number, code: string | null | undefined) =>
    db
      .selectFrom('tenant')
      .selectAll()
      .where('type', '=', type)
      .where('code', '=', code ?? '')
      .executeTakeFirst()
  const [company, hospital] = await Promise.all([tenant(2, boss?.corpCode), tenant(3, site?.projectCode)])
  if (!company || !hospital) throw new Error('the demonstration lacks its contractor or its hospital')
  const roles = await db.selectFrom('role').selectAll().where('groupId', 'is', null).execute()
  // A random password: these accounts are only for display.
  const passwordHash = await hashPassword(randomBytes(24).toString('base64url'))
  await db.transaction().execute(async (tx) => {
    const parts = city.projectCorps.filter((one) => one.corpCode === company.code).map((one) => one.projectCode)
    const found: Found = { company, hospital, roles, projects: [...new Set(parts)] }
    const people = await seedColleagues(tx, found, passwordHash, now)
    await seedGroupRoles(tx, found, people, now)
    await seedTemporary(tx, found, people, now)
    await seedAbove(tx, found, people, now)
    await seedSight(tx, found, people, now)
  })
}

const roleNamed = (roles: readonly Row<'role'>[], type: number, name: string): Row<'role'> => {
  const role = roles.find((one) => one.groupsType === type && one.name === name)
  if (!role) throw new Error(`the delivered roles lack ${name}`)
  return role
}

interface Colleague {
  userId: string
  memberId: string
}

async function seedColleagues(tx: Tx, { company, roles }: Found, passwordHash: string, now: number): Promise<Colleague[]> {
  const people = colleagues.map((name, i) => {
    const seen = i >= neverSeen
    return {
      user: {
        id: newId(),
        account: `yunze-${String(i + 1).padStart(2, '0')}`,
        name,
        passwordHash,
        mustChange: !seen,
        lastLoginAt: seen ? new Date(now - (i * 7 + 1) * dayMs) : null,
      },
      member: {
        id: newId(),
        // A contract that expires within the week, and an expired one.
        deadline: i === 8 ? formatDay(now + 5 * dayMs) : i === 9 ? formatDay(now - 3 * dayMs) : null,
      },
    }
  })
  const usual = ['企业安全员', '企业劳务员', '企业设备员', '企业质量员', '企业只读'].map((name) => roleNamed(roles, 2, name).id)
  await insertAll(
    tx,
    'appUser',
    people.map((one) => one.user),
  )
  await insertAll(
    tx,
    'member',
    people.map(({ user, member }) => ({ ...member, userId: user.id, groupId: company.id, isDefault: true })),
  )
  const roleIds = people.slice(withoutRole).map(({ member }, i) => ({ memberId: member.id, roleId: usual[i % usual.length] ?? '' }))
  await insertAll(
    tx,
    'memberRole',
    roleIds.filter((one) => one.memberId !== people[posted]?.member.id),
  )
  // Two accounts locked after failed logins this morning.
  for (const { user } of people.slice(10, 12))
    await sql`insert into login_try (account, address, failures, last_at, locked_until)
      values (${user.account}, '10.20.30.40', 5, ${new Date(now)}, ${new Date(now + dayMs)}) on conflict do nothing`.execute(tx)
  return people.map(({ user, member }) => ({ userId: user.id, memberId: member.id }))
}

/** The branch's safety director, and a role that differs from its template. */
async function seedGroupRoles(tx: Tx, { company, roles, projects }: Found, people: readonly Colleague[], now: number): Promise<void> {
  const template = roleNamed(roles, 2, '企业安全员')
  const branch = await tx
    .selectFrom('projectGroup as g')
    .innerJoin('projectGroupItem as i', 'i.projectGroupId', 'g.id')
    .select('g.id')
    .where('g.groupId', '=', company.id)
    .groupBy('g.id')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .executeTakeFirst()
  const own = { groupId: company.id, groupsType: 2, roleScope: '5', templateId: template.id, updateBy: '陆明章' }
  const director = {
    ...own,
    id: newId(),
    name: '区域安全总监',
    codes: [...template.codes, 'labour.blackAudit'],
    remark: '只管本分公司的项目',
    dataScope: '4',
    // A company without branches names the projects.
    projectGroups: branch ? [branch.id] : [],
    projects: branch ? [] : projects.slice(0, 2),
  }
  const drifted = {
    ...own,
    id: newId(),
    name: '安全巡查员',
    codes: template.codes.filter((code) => !/\.(delete|setting|level)$/.test(code)),
    remark: '只检查，不改规则',
    dataScope: '2',
  }
  await insertAll(tx, 'role', [director, drifted])
  await insertAll(tx, 'memberRole', [
    { memberId: people[3]?.memberId ?? '', roleId: director.id },
    { memberId: people[4]?.memberId ?? '', roleId: drifted.id },
    { memberId: people[5]?.memberId ?? '', roleId: drifted.id, deadline: formatDay(now + 40 * dayMs) },
  ])
}

async function seedTemporary(tx: Tx, { company, roles }: Found, people: readonly Colleague[], now: number): Promise<void> {
  const reading = roleNamed(roles, 2, '企业只读').codes
  const giver = await tx.selectFrom('appUser').select(['id', 'name']).where('account', '=', 'yunze-lu').executeTakeFirstOrThrow()
  const start = (days: number) => new Date(Date.parse(`${formatDay(now + days * dayMs)}T00:00:00+08:00`))
  const given = (name: string, reason: string, who: readonly number[], from: number, to: number) => ({
    id: newId(),
    groupId: company.id,
    name,
    codes: reading,
    projects: null,
    memberIds: who.flatMap((i) => people[i]?.memberId ?? []),
    startTime: start(from),
    endTime: start(to),
    reason,
    grantBy: giver.name,
    giverId: giver.id,
  })
  await insertAll(tx, 'tempRole', [
    given('节前检查组', '国庆前综合检查，至周五', [0, 6, 7], -2, 4),
    given('代班', '设备主管休假期间代班', [8], -40, -10),
    given('年终审计', '配合集团审计查看各项目台账', [9, 12], 10, 40),
  ])
  // The rule is newer than the temporary role of a month.
  await tx
    .insertInto('delegationRule')
    .values({
      groupId: company.id,
      rules: JSON.stringify({ defaultRoleId: null, makers: 'administrator', temporary: true, temporaryDays: 14, defaultDays: 365 }),
      updateBy: '陆明章',
      updateTime: new Date(now),
    })
    .execute()
}

/** Grants by the platform: its own templates, a code removed at one site, expired and disabled grants. */
async function seedAbove(tx: Tx, { company, hospital, roles }: Found, people: readonly Colleague[], now: number): Promise<void> {
  const safety = roleNamed(roles, 3, '安全员')
  await insertAll(tx, 'role', [
    {
      id: newId(),
      groupId: null,
      groupsType: 3,
      name: '安全资料员',
      codes: safety.codes.filter((code) => /\.(view|export)$/.test(code)),
      remark: '只整理资料',
      roleScope: '4',
      dataScope: '3',
      templateId: safety.id,
      updateBy: '平台管理员',
    },
  ])
  const taken = safety.codes.find((code) => code === 'rules.delete')
  if (taken)
    await tx
      .insertInto('roleNarrowing')
      .values({ roleId: safety.id, groupId: hospital.id, codes: [taken], reason: '规则由公司统一维护', updateBy: '平台管理员' })
      .execute()
  const administrator = roleNamed(roles, 2, '企业管理员').id
  const grant = (index: number, enable: string, days: number | null, reason: string) => ({
    memberId: people[index]?.memberId ?? '',
    roleId: administrator,
    enable,
    deadline: days === null ? null : formatDay(now + days * dayMs),
    reason,
    grantBy: '平台管理员',
  })
  await insertAll(tx, 'memberRole', [
    grant(13, '1', 20, '总经理助理代管'),
    grant(14, '0', null, '已调离集团'),
    grant(15, '1', -15, '上线期间协助'),
  ])
  // A person who administers two sites besides working at the head office.
  const sites = await tx
    .selectFrom('tenant')
    .select('id')
    .where('type', '=', 3)
    .where('id', '!=', hospital.id)
    .orderBy('code')
    .limit(2)
    .execute()
  const both = people[16]
  const members = sites.map((site) => ({ id: newId(), userId: both?.userId ?? '', groupId: site.id }))
  await insertAll(tx, 'member', members)
  await insertAll(
    tx,
    'memberRole',
    members.map((one) => ({
      memberId: one.id,
      roleId: roleNamed(roles, 3, '项目管理员').id,
      reason: `${company.name}派驻`,
      grantBy: '平台管理员',
    })),
  )
}

/** Visibility exceptions: a colleague excluded from a site for kinship, a posted person who sees another site, pay hidden from suppliers. */
async function seedSight(tx: Tx, { company, hospital, roles, projects }: Found, people: readonly Colleague[], now: number): Promise<void> {
  const kept = projects.includes(hospital.code) ? hospital.code : projects[0]
  if (!kept) return
  const rule = { id: '', modules: null, until: null, shows: false, memberId: null, roleId: null, party: null, projectCode: kept, codes: [] }
  const helps = projects.find((code) => code !== kept)
  const template = roleNamed(roles, 2, '企业安全员')
  const postedRole = {
    id: newId(),
    groupId: company.id,
    groupsType: 2,
    name: '驻点安全员',
    codes: template.codes,
    remark: '只管所驻的一个项目',
    roleScope: '5',
    dataScope: '4',
    projects: [kept],
    templateId: template.id,
    updateBy: '陆明章',
  }
  await insertAll(tx, 'role', [postedRole])
  await insertAll(tx, 'memberRole', [{ memberId: people[posted]?.memberId ?? '', roleId: postedRole.id }])
  await insertAll(tx, 'sightRule', [
    {
      ...rule,
      id: newId(),
      groupId: company.id,
      memberId: people[6]?.memberId ?? '',
      reason: '其亲属任该项目分包负责人，按回避规定移除',
      grantBy: '陆明章',
    },
    {
      ...rule,
      id: newId(),
      groupId: company.id,
      memberId: people[7]?.memberId ?? '',
      modules: ['personnel'],
      until: formatDay(now + 20 * dayMs),
      reason: '个人信息保护自查期间暂停查看人员',
      grantBy: '陆明章',
    },
    {
      ...rule,
      id: newId(),
      groupId: hospital.id,
      projectCode: hospital.code,
      party: '003',
      modules: ['personnel', 'labour'],
      reason: '材料供应单位不接触人员与劳务资料',
      grantBy: '项目管理员',
    },
    ...(helps
      ? [
          {
            ...rule,
            id: newId(),
            groupId: company.id,
            roleId: postedRole.id,
            projectCode: helps,
            shows: true,
            modules: ['alarm'],
            codes: ['alarm.view'],
            until: formatDay(now + 12 * dayMs),
            reason: '季度安全互查',
            grantBy: '陆明章',
          },
        ]
      : []),
  ])
}
