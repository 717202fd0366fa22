import type { City, Persona } from '@zhugong/simulator/city-types'
import { hashPassword, randomPassword } from '#domains/access/public'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'
import { seedDepartments } from './seed-departments.ts'
import { seedFolders } from './seed-organisation.ts'
import { insertAll } from './seed-trade.ts'

export interface DemoCredentials {
  account: string
  password: string
  name: string
  title: string
  groupType: number
  groupName: string
  projectCode?: string
  corpCode?: string
  govCode?: string
  shown: boolean
}

/** Delivered role of a person of the city, by group type and title. */
const roleNames: readonly [type: number, title: RegExp, role: string][] = [
  [0, /.*/, '平台管理员'],
  [1, /处长/, '监管机构管理员'],
  [1, /科长/, '科室负责人'],
  [1, /专家库/, '专家库管理员'],
  [1, /.*/, '监督员'],
  [2, /劳务/, '企业劳务员'],
  [2, /设备/, '企业设备员'],
  [2, /监理/, '监理'],
  [2, /建设单位/, '建设单位代表'],
  [2, /.*/, '企业管理员'],
  [3, /项目经理/, '项目管理员'],
  [3, /安全/, '安全员'],
  [3, /劳务/, '劳务员'],
  [3, /.*/, '项目只读'],
]

const shownAccounts = new Set([
  'admin',
  'city-fang',
  'city-xu',
  'bj-zhao',
  'yd-wang',
  'yunze-lu',
  'chuyuan-li',
  'dingli-cheng',
  'weijian-xia',
  'hospital-pm',
  'hospital-safety',
  'hospital-labour',
  'hospital-jl',
  'zhigu-pm',
])

/**
 * Creates the group of every authority, company and project, and an account for each person of the city, with passwords generated for this
 * installation.
 */
export async function seedAccounts(db: Db, city: City): Promise<DemoCredentials[]> {
  const tenants = [
    {
      id: newId(),
      type: 0,
      code: 'platform',
      name: '平台运营中心',
      sysName: '筑工',
      areaCode: null as string | null,
      lng: null as number | null,
      lat: null as number | null,
    },
    ...city.governments.map((g) => ({
      id: newId(),
      type: 1,
      code: g.govCode,
      name: g.name,
      sysName: `${city.name}智慧工地监管`,
      areaCode: g.areaCode,
      lng: null,
      lat: null,
    })),
    ...city.corporations.map((c) => ({
      id: newId(),
      type: 2,
      code: c.corpCode,
      name: c.corpName,
      sysName: c.corpName,
      areaCode: c.areaCode,
      lng: null,
      lat: null,
    })),
    ...city.projects.map((p) => ({
      id: newId(),
      type: 3,
      code: p.projectCode,
      name: p.name,
      sysName: p.shortName,
      areaCode: p.areaCode,
      lng: p.lng,
      lat: p.lat,
    })),
  ]
  const tenantOf = new Map(tenants.map((t) => [`${t.type}/${t.code}`, t]))
  const people: Pick<Persona, 'account' | 'name' | 'title' | 'groupType' | 'govCode' | 'corpCode' | 'projectCode'>[] = [
    { account: 'admin', name: '平台管理员', title: '平台管理员', groupType: 0, govCode: null, corpCode: null, projectCode: null },
    ...city.personas,
  ]
  const roles = await db.selectFrom('role').selectAll().where('groupId', 'is', null).execute()
  const credentials = await Promise.all(
    people.map(async (person) => {
      const password = randomPassword()
      return { person, password, passwordHash: await hashPassword(password), userId: newId(), memberId: newId() }
    }),
  )
  const codeOf = (p: (typeof people)[number]) =>
    p.groupType === 0 ? 'platform' : p.groupType === 1 ? p.govCode : p.groupType === 2 ? p.corpCode : p.projectCode
  const made = credentials.map((c) => {
    const tenant = tenantOf.get(`${c.person.groupType}/${codeOf(c.person)}`)
    const wanted = roleNames.find(([type, title]) => type === c.person.groupType && title.test(c.person.title))?.[2]
    const role = roles.find((r) => r.groupsType === c.person.groupType && r.name === wanted)
    if (!tenant || !role) throw new Error(`no group or role for ${c.person.account}`)
    return { ...c, tenant, role }
  })
  await db.transaction().execute(async (tx) => {
    await insertAll(tx, 'tenant', tenants)
    await insertAll(
      tx,
      'appUser',
      made.map((m) => ({ id: m.userId, account: m.person.account, name: m.person.name, passwordHash: m.passwordHash })),
    )
    await insertAll(
      tx,
      'member',
      made.map((m) => ({ id: m.memberId, userId: m.userId, groupId: m.tenant.id, isDefault: true })),
    )
    await insertAll(
      tx,
      'memberRole',
      made.map((m) => ({ memberId: m.memberId, roleId: m.role.id })),
    )
    await seedDepartments(
      tx,
      made.map((m) => ({ memberId: m.memberId, groupId: m.tenant.id, type: m.tenant.type, title: m.person.title })),
    )
    await seedFolders(
      tx,
      city,
      made.map((m) => ({ memberId: m.memberId, groupId: m.tenant.id, type: m.tenant.type, code: m.tenant.code, title: m.person.title })),
    )
    // One person with several identities, for trying the switch: the group's safety director is also on the project's staff.
    const both = made.find((m) => m.person.account === 'yunze-lu')
    const project = tenantOf.get(`3/${city.projects[0]?.projectCode}`)
    const readOnly = roles.find((r) => r.groupsType === 3 && r.name === '项目只读')
    if (both && project && readOnly) {
      const memberId = newId()
      await tx.insertInto('member').values({ id: memberId, userId: both.userId, groupId: project.id }).execute()
      await tx.insertInto('memberRole').values({ memberId, roleId: readOnly.id }).execute()
    }
  })
  return made.map((m) => ({
    account: m.person.account,
    password: m.password,
    name: m.person.name,
    title: m.person.title,
    groupType: m.tenant.type,
    groupName: m.tenant.name,
    projectCode: m.person.groupType === 3 && m.person.projectCode ? m.person.projectCode : undefined,
    corpCode: m.person.groupType === 2 && m.person.corpCode ? m.person.corpCode : undefined,
    govCode: m.person.groupType === 1 && m.person.govCode ? m.person.govCode : undefined,
    shown: shownAccounts.has(m.person.account),
  }))
}
