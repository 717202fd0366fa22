import { hectaresOf, ringsOf } from '@zhugong/contract/organisation/fence'
import type { City } from '@zhugong/simulator/city-types'
import type { Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { insertAll } from './seed-trade.ts'

/** A month after the start of the works. */
const drawnAt = (startDate: string) => new Date(Date.parse(`${startDate}T09:00:00+08:00`) + 30 * 86_400_000)

/** The fence of each project, and a requested enlargement of the first site's by a third. */
export async function seedFences(tx: Tx, city: City): Promise<void> {
  const [first] = city.projects
  const rows = city.projects
    .filter((p) => p.areaRule.points.length > 2)
    .map((p) => ({
      id: newId(),
      projectCode: p.projectCode,
      areaRule: JSON.stringify(p.areaRule),
      hectares: hectaresOf(ringsOf(p.areaRule)),
      state: '1',
      reason: '按施工总平面图绘制',
      filedName: '总承包单位',
      createTime: drawnAt(p.startDate),
    }))
  const wish = first && larger(first.areaRule.points, 1.16)
  await insertAll(tx, 'projectFence', [
    ...rows,
    ...(first && wish
      ? [
          {
            id: newId(),
            projectCode: first.projectCode,
            areaRule: JSON.stringify({ type: '2', points: wish }),
            hectares: hectaresOf(ringsOf({ points: wish })),
            state: '0',
            reason: '东侧增加材料堆场，围挡外移',
            filedName: first.shortName,
            createTime: new Date(Date.parse(`${city.today}T10:20:00+08:00`)),
          },
        ]
      : []),
  ])
}

const larger = (points: readonly { lng: number; lat: number }[], by: number) => {
  const mean = (key: 'lng' | 'lat') => points.reduce((sum, p) => sum + p[key], 0) / points.length
  const [lng, lat] = [mean('lng'), mean('lat')]
  return points.map((p) => ({ lng: lng + (p.lng - lng) * by, lat: lat + (p.lat - lat) * by }))
}

interface Head {
  memberId: string
  groupId: string
  type: number
  code: string
  title: string
}

/** Groups with this many projects get folders. */
const worthFolders = 3

/** Branches of companies and areas of authorities with their projects; the newest project of each is in none. */
export async function seedFolders(tx: Tx, city: City, people: readonly Head[]): Promise<void> {
  const names = new Map(city.areas.map((a) => [a.code, a.name]))
  const folders: { id: string; groupId: string; parentId: string | null; name: string; sort: number; headId: string | null }[] = []
  const items: { projectGroupId: string; projectCode: string; joinTime: Date }[] = []
  for (const [groupId, heads] of Map.groupBy(people, (p) => p.groupId)) {
    const [{ type, code, memberId } = { type: 3, code: '', memberId: '' }] = heads
    const projects = projectsOf(city, type, code)
    if (projects.length < worthFolders) continue
    const top = { id: newId(), groupId, parentId: null, name: type === 2 ? '施工板块' : '房建与市政', sort: 0, headId: memberId }
    folders.push(top)
    const newest = projects.toSorted((a, b) => b.startDate.localeCompare(a.startDate))[0]
    const byArea = Map.groupBy(
      projects.filter((p) => p !== newest),
      (p) => p.areaCode,
    )
    for (const [sort, [area, inArea]] of [...byArea].entries()) {
      const name = `${names.get(area) ?? area}${type === 2 ? '分公司' : '片区'}`
      const folder = { id: newId(), groupId, parentId: top.id, name, sort, headId: heads[(sort + 1) % heads.length]?.memberId ?? null }
      folders.push(folder)
      items.push(...inArea.map((p) => ({ projectGroupId: folder.id, projectCode: p.projectCode, joinTime: drawnAt(p.startDate) })))
    }
  }
  await insertAll(tx, 'projectGroup', folders)
  await insertAll(tx, 'projectGroupItem', items)
}

function projectsOf(city: City, type: number, code: string) {
  if (type === 0) return city.projects
  if (type === 1) return city.projects.filter((p) => p.superviseOrg === code || p.superviseOrg.startsWith(code.replace(/(00)?\d{3}$/, '')))
  if (type !== 2) return []
  const takesPart = new Set(city.projectCorps.filter((c) => c.corpCode === code).map((c) => c.projectCode))
  return city.projects.filter((p) => takesPart.has(p.projectCode))
}

/** Companies of the directory that are not in the library, beside those of the city. */
const strangers = [
  ['91420200MA4X1K2T4B', '云泽市江南建筑劳务有限公司', '420202', '滨江区湖滨大道 218 号', '周立新'],
  ['91420200MA4X1K3A5K', '云泽市江南防水工程有限公司', '420203', '云东区云泽大道 66 号', '吴建平'],
  ['91420100MA4KW7Q955', '江城中岩检测技术有限公司', '420106', '东湖路 9 号', '韩松'],
] as const

/** The company directory, and brands and order of some groups. */
export async function seedBrands(tx: Tx, city: City): Promise<void> {
  const [source, asOf] = ['演示名录', city.today]
  await insertAll(
    tx,
    'enterpriseRegister',
    strangers.map(([corpCode, corpName, areaCode, address, legalMan]) => ({
      corpCode,
      corpName,
      areaCode,
      address,
      legalMan,
      source,
      asOf,
    })),
  )
  const roles = await tx.selectFrom('role').select(['id', 'name', 'groupsType']).where('groupId', 'is', null).execute()
  const posts = (type: number, list: readonly [post: string, role: string, isKey: boolean][]) =>
    list.map(([post, role, isKey]) => ({ post, isKey, roleId: roles.find((r) => r.groupsType === type && r.name === role)?.id ?? null }))
  const rules: Readonly<Record<number, object>> = {
    2: {
      departments: ['安全管理部', '工程技术部', '设备物资部', '劳务管理部', '应急管理办公室'],
      posts: posts(2, [
        ['集团安全总监', '企业管理员', true],
        ['设备部经理', '企业设备员', false],
        ['劳务负责人', '企业劳务员', true],
        ['应急值守', '', false],
      ]),
    },
    3: {
      departments: ['安全部', '质量部', '技术部', '物资设备部', '劳务部'],
      posts: posts(3, [
        ['项目经理', '项目管理员', true],
        ['安全员', '安全员', true],
        ['质量员', '项目只读', true],
        ['劳资专管员', '劳务员', false],
      ]),
    },
  }
  for (const [type, org] of Object.entries(rules))
    await tx
      .updateTable('tenant')
      .set({ settings: JSON.stringify({ org }) })
      .where('type', '=', Number(type))
      .execute()
  const own = city.personas.find((p) => p.account === 'yunze-lu')?.corpCode
  if (own) await tx.updateTable('tenant').set({ primaryColor: '#0F5E7A' }).where('type', '=', 2).where('code', '=', own).execute()
}
