import { hectaresOf, ringsOf } from '@zhugong/contract/organisation/fence'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import type { City } from '@zhugong/simulator/city-types'
import type { Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { insertAll } from './seed-trade.ts'

/** A day in history, half a year into the works. */
const drawnAt = (startDate: string) => new Date(Date.parse(`${startDate}T09:00:00+08:00`) + 30 * 86_400_000)

/** The fence each project was given, and one that the site of the first would like a third larger. */
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

/** A group is worth folders from so many projects on. */
const worthFolders = 3

/** Branches of companies and areas of authorities with their projects; the newest project of each stands in none yet. */
export async function seedFolders(tx: Tx, city: City, people: readonly Head[]): Promise<void> {
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
      const name = `${areaName(area) ?? area}${type === 2 ? '分公司' : '片区'}`
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
