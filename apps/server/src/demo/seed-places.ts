import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { floorPlan, type PlanKind, planKinds, planRatio, planRooms } from './media/floor-plan.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { insertAll } from './seed-trade.ts'

type Place = Insertable<Tables['sitePlace']> & { id: string; path: string[]; fullName: string }
interface Tree {
  places: Place[]
  plans: Insertable<Tables['sitePlan']>[]
  /** Plan kind of a floor or area, by its id. */
  kinds: Map<string, PlanKind>
}

/** 地下室/车库 and 住宅楼 in dictionary unitProjectType. */
const types = { basement: '5', homes: '1' } as const
const areas: Readonly<Record<string, readonly string[]>> = {
  基坑: ['北侧', '南侧', '西侧', '东侧'],
  塔吊区: ['1# 塔吊', '2# 塔吊'],
  加工区: ['钢筋加工棚', '木工加工棚'],
  道路与堆场: [],
  生活区: ['宿舍', '食堂'],
}

/** Days before the demonstration on which the trees were made. */
const madeDaysAgo = 120

/** Units and the tree of places of each site with drawn plans, and most past problems set on them. */
export async function seedPlaces(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const at = new Date(startOfDay(addDays(formatDay(now), -madeDaysAgo)) + 10 * 3_600_000)
  await insertAll(
    tx,
    'unitProject',
    city.unitProjects.map((unit, i) => unitRow(unit, i, at)),
  )
  const bodies = planKinds.map((kind) => ({ kind, body: floorPlan(kind) }))
  const drawn: Drawn[] = []
  const trees = new Map<string, Tree>()
  for (const { projectCode, linkMan } of city.projects) {
    const files = new Map<PlanKind, string>()
    for (const { kind, body } of bodies) {
      const id = idOf(city.seed, 'plan', projectCode, kind)
      drawn.push(await keepFile(folder, projectCode, { id, name: '平面图.png', mime: 'image/png' }, body))
      files.set(kind, id)
    }
    trees.set(projectCode, treeOf(city, projectCode, linkMan, files, at))
  }
  await sql`insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by)
    select f.id, f.owner, t.id, f.name, f.mime, f.bytes, f.sha256, 'demo'
    from jsonb_to_recordset(${JSON.stringify(drawn)}::jsonb) as f(id text, owner text, name text, mime text, bytes bigint, sha256 text)
      join tenant t on t.type = 3 and t.code = f.owner on conflict do nothing`.execute(tx)
  await insertAll(
    tx,
    'sitePlace',
    [...trees.values()].flatMap((one) => one.places),
  )
  await insertAll(
    tx,
    'sitePlan',
    [...trees.values()].flatMap((one) => one.plans),
  )
  await pinProblems(tx, city, trees)
}

const unitRow = (unit: City['unitProjects'][number], seq: number, at: Date): Insertable<Tables['unitProject']> => ({
  id: unit.id,
  projectCode: unit.projectCode,
  seq,
  name: unit.name,
  type: unit.type,
  part: unit.part,
  structureType: unit.structureType,
  foundationType: null,
  basicType: unit.basicType,
  area: unit.area,
  height: unit.height,
  floorsUp: unit.floorsUp,
  floorsDown: unit.floorsDown,
  phase: unit.phase,
  progressPercent: unit.progressPercent,
  createTime: at,
})

function treeOf(city: City, projectCode: string, byName: string, files: ReadonlyMap<PlanKind, string>, at: Date): Tree {
  const tree: Tree = { places: [], plans: [], kinds: new Map() }
  const add = (parent: Place | undefined, kind: Place['kind'], name: string, seq: number, unitId: string | null = null): Place => {
    const fullName = parent ? `${parent.fullName} / ${name}` : name
    const id = idOf(city.seed, 'place', projectCode, fullName)
    const place: Place = {
      id,
      projectCode,
      parentId: parent?.id ?? null,
      kind,
      unitId,
      seq,
      name,
      code: null,
      path: [...(parent?.path ?? []), id],
      fullName,
      createTime: at,
    }
    tree.places.push(place)
    return place
  }
  const draw = (place: Place, kind: PlanKind) => {
    tree.kinds.set(place.id, kind)
    const fileId = files.get(kind) ?? ''
    tree.plans.push({ id: idOf(place.id, 'plan'), projectCode, placeId: place.id, fileId, ratio: planRatio, byName, at })
  }
  const units = city.unitProjects.filter((one) => one.projectCode === projectCode)
  for (const [i, unit] of units.entries()) {
    const building = add(undefined, 'building', unit.name, i + 1, unit.id)
    for (let n = -unit.floorsDown; n <= unit.floorsUp; n++) {
      if (n === 0) continue
      const floor = add(building, 'floor', n < 0 ? `地下${-n}层` : `${n}层`, n + unit.floorsDown + 1)
      const kind = n < 0 ? 'basement' : unit.type === types.homes ? 'homes' : 'halls'
      // The last building has no plans yet.
      if (units.length === 1 || i < units.length - 1) draw(floor, kind)
      for (const [k, room] of Object.keys(planRooms[kind]).entries()) add(floor, 'room', /^\d/.test(room) ? `${n}${room}` : room, k + 1)
    }
  }
  for (const [i, [name, parts]] of Object.entries(areas).entries()) {
    const area = add(undefined, 'area', name, i + 1)
    if (name === '基坑') draw(area, 'pit')
    for (const [k, part] of parts.entries()) add(area, 'area', part, k + 1)
  }
  return tree
}

interface PlaceStory {
  id: string
  projectCode: string
  part: string
}

/** Sets most problems on the place that their words name, and on a point of its plan where it has one. */
async function pinProblems(tx: Tx, city: City, trees: ReadonlyMap<string, Tree>): Promise<void> {
  const { rows } = await sql<PlaceStory>`select id, project_code, part from rectify_line order by id`.execute(tx)
  const set = rows.flatMap((line) => placeOf(city, trees.get(line.projectCode), line) ?? [])
  await sql`update rectify_line l set place_id = s.place, plan_id = s.plan, pin_x = s.x, pin_y = s.y
    from jsonb_to_recordset(${JSON.stringify(set)}::jsonb) as s(id text, place text, plan text, x real, y real) where l.id = s.id`.execute(
    tx,
  )
  await sql`update site_check_problem p set place_id = l.place_id, plan_id = l.plan_id, pin_x = l.pin_x, pin_y = l.pin_y
    from rectify_line l where l.id = p.line_id and l.place_id is not null`.execute(tx)
  await sql`update site_check c set place_id = p.place_id from site_check_problem p
    where p.check_id = c.id and p.seq = 1 and p.place_id is not null and c.kind = 'securityCheck'`.execute(tx)
  const measures = await sql<PlaceStory>`select id, project_code, name as part from safety_measure order by id`.execute(tx)
  for (const { id, projectCode, part } of measures.rows) {
    const named = outdoors.find(([pattern]) => pattern.test(part))?.[1]
    const area = trees.get(projectCode)?.places.find((one) => one.fullName === named)
    if (area) await sql`update safety_measure set place_id = ${area.id} where id = ${id}`.execute(tx)
  }
}

const outdoors: readonly (readonly [RegExp, string])[] = [
  [/钢筋加工|钢构加工/, '加工区 / 钢筋加工棚'],
  [/木工加工/, '加工区 / 木工加工棚'],
  [/加工/, '加工区'],
  [/1# 塔吊/, '塔吊区 / 1# 塔吊'],
  [/2# 塔吊/, '塔吊区 / 2# 塔吊'],
  [/基坑北/, '基坑 / 北侧'],
  [/基坑/, '基坑'],
  [/道路|大门|场地|堆场/, '道路与堆场'],
]
const words = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十']
const rooms: readonly (readonly [RegExp, RegExp])[] = [
  [/楼梯/, /楼梯间$/],
  [/管井|电梯井/, /管井$/],
  [/南侧/, /南区$|02$/],
  [/东侧/, /东区$|03$/],
  [/北/, /北区$|01$/],
]

/** The place that the words of a part name; undefined for one in six, which was written in words alone. */
function placeOf(city: City, tree: Tree | undefined, { id, part }: PlaceStory) {
  const random = stream(city.seed, 'pin', id)
  if (!tree || random.int(0, 5) === 0) return undefined
  const named = (fullName: string) => tree.places.find((one) => one.fullName === fullName)
  const outside = outdoors.find(([pattern]) => pattern.test(part))?.[1]
  const building = tree.places.find((one) => one.kind === 'building' && part.startsWith(one.name))
  const place = outside ? named(outside) : building && insideOf(tree, building, part, random)
  if (!place) return undefined
  const owner = place.path.toReversed().find((one) => tree.kinds.has(one))
  const kind = owner === undefined ? undefined : tree.kinds.get(owner)
  const box = kind && planRooms[kind][Object.keys(planRooms[kind]).find((name) => place.name.endsWith(name)) ?? '']
  const spot = (from: number, to: number) => Math.round((from + (to - from) * (0.25 + random.int(0, 100) / 200)) * 1000) / 1000
  return {
    id,
    place: place.id,
    plan: box ? idOf(owner ?? '', 'plan') : null,
    x: box ? spot(box[0], box[2]) : null,
    y: box ? spot(box[1], box[3]) : null,
  }
}

/** A room of the floor that the words name; the building where they name none that it has. */
function insideOf(tree: Tree, building: Place, part: string, random: ReturnType<typeof stream>): Place {
  const [, below, above] = /地下([一二三])层|([一二三四五六七八九十])层/.exec(part) ?? []
  const number = words.indexOf(below ?? above ?? '') + 1
  if (number === 0) return building
  const floor = tree.places.find((one) => one.parentId === building.id && one.name === (below ? `地下${number}层` : `${number}层`))
  if (!floor) return building
  const inside = tree.places.filter((one) => one.parentId === floor.id)
  const fitting = rooms.find(([pattern]) => pattern.test(part))?.[1]
  // Of the rooms that nothing speaks for, the same few: problems come again at one place.
  return inside.find((one) => fitting?.test(one.name)) ?? inside[random.int(0, 1)] ?? floor
}
