import { itemResults } from '@zhugong/contract/scoring/score'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { acceptItems, houseKind, todosOfHouse } from '#domains/houses/public'
import { contentHash } from '#domains/process/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Row, Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { drawnName } from './drawn-name.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

const hour = 3_600_000
const site = 'jiangtan'
const service = /楼梯间|管井/
const types = ['A', 'B', 'B', 'A']
const areas = [128.6, 98.4, 98.4, 128.6]
/** What is found in a house that does not pass, by item. */
const problems: readonly (readonly [code: string, note: string])[] = [
  ['0102', '主卧北墙空鼓约 0.1 m²'],
  ['0401', '卫生间蓄水 24 h 后管根渗水'],
  ['0204', '客厅窗框打胶不连续'],
  ['0703', '厨房插座左零右火接反'],
]

/** Two buildings with 208 flats: 180 passed, nine waiting for recheck, and one sync with three bad rows. */
export async function seedHouses(tx: Tx, city: City, now: number): Promise<void> {
  const people = await actorsOf(tx)
  const manager = people.of(`${site}-pm`)
  const owner = people.of('jiangtan-he')
  const supervisor = people.of(`${site}-jl`) ?? owner
  const projectCode = city.personas.find((one) => one.account === `${site}-pm`)?.projectCode
  if (!manager || !owner || !supervisor || !projectCode) return
  type Room = { id: string; name: string; floor: string; building: string; buildingId: string; seq: number }
  const { rows: rooms } =
    await sql<Room>`select r.id, r.name, f.name as floor, b.name as building, b.id as building_id, r.seq from site_place r
    join site_place f on f.id = r.parent_id join site_place b on b.id = f.parent_id
    where r.project_code = ${projectCode} and r.kind = 'room' and f.kind = 'floor' and f.name !~ '地下' order by b.seq, f.seq, r.seq`.execute(
      tx,
    )
  const flats = rooms.filter((one) => !service.test(one.name))
  const items = acceptItems()
  const houses: Insertable<Tables['house']>[] = []
  const found: Insertable<Tables['houseItem']>[] = []
  const log: Insertable<Tables['processLog']>[] = []
  const todos: ReturnType<typeof todoRows> = []
  const signed: Insertable<Tables['processSignature']>[] = []
  const images = new Map([manager, owner, supervisor].map((one) => [one.name, drawnName(one.name, stream(city.seed, 'drawn', one.name))]))
  const today = formatDay(now)
  const begun = new Date(startOfDay(addDays(today, -40)) + 9 * hour)
  let cert = 0
  for (const [i, flat] of flats.entries()) {
    const random = stream(city.seed, 'house', flat.id)
    // The top floors of the second building are still to do.
    const left = flats.length - i
    const state = left > 28 ? '4' : left > 19 ? '3' : left > 12 ? '2' : left > 6 ? '1' : '0'
    const id = idOf(city.seed, 'house', flat.id)
    const disclosed = { projectCode, corpCode: null, shownAt: begun, groups: [manager.groupId] }
    const day = addDays(today, -Math.max(2, 36 - Math.floor((i / flats.length) * 34)))
    const at = new Date(startOfDay(day) + (9 + (i % 8)) * hour)
    const bad = state === '2' || state === '3' ? problems.slice(i % 3, (i % 3) + 1 + (i % 2)) : []
    const year = Number(day.slice(0, 4))
    if (state === '4') cert++
    const house = {
      id,
      ...disclosed,
      externalNo: `FC-${flat.building.replace(/\D/g, '')}-${flat.name}`,
      placeId: flat.id,
      buildingId: flat.buildingId,
      buildingName: flat.building,
      unitName: null,
      floorName: flat.floor,
      name: flat.name,
      houseType: types[flat.seq - 1] ?? 'B',
      businessType: '住宅',
      buildArea: areas[flat.seq - 1] ?? 98.4,
      goneAt: null,
      problemCount: bad.length,
      acceptDate: state === '4' ? day : null,
      certNo: state === '4' ? `FH-${year}-${String(cert).padStart(4, '0')}` : null,
      fixNote: state === '3' ? '已剔凿重做并养护，蓄水复试无渗漏' : null,
      state: state as Row<'house'>['state'],
      createBy: manager.id,
      createTime: begun,
    } satisfies Insertable<Tables['house']>
    houses.push(house)
    const checked = state === '0' ? [] : state === '1' ? items.slice(0, random.int(6, 24)) : items
    const results = checked.map(({ code }) => {
      const problem = bad.find(([item]) => item === code)
      const result = problem ? itemResults.wrong : code === '0405' || code === '0403' ? itemResults.notApplicable : itemResults.right
      return {
        houseId: id,
        itemCode: code,
        projectCode,
        corpCode: null,
        result,
        note: problem?.[1] ?? null,
        badSince: problem ? at : null,
        byName: manager.name,
        at,
      }
    })
    found.push(...results)
    const steps: [action: string, from: string, to: string, by: Actor][] = [
      ['start', '0', '1', manager],
      ['accept', '1', state === '4' ? '4' : '2', manager],
      ['fix', '2', '3', manager],
    ]
    const taken = state === '0' ? 0 : state === '1' ? 1 : state === '3' ? 3 : 2
    log.push(
      ...steps.slice(0, taken).map(([action, from, to, by], n) => ({
        id: idOf(id, 'step', String(n)),
        kind: houseKind.kind,
        objectId: id,
        ...disclosed,
        action,
        fromState: from,
        toState: to,
        byId: by.id,
        byName: by.name,
        groupName: by.groupName,
        opinion: action === 'accept' && to === '2' ? `${bad.length} 项不合格` : null,
        at: new Date(Math.min(at.getTime() + n * 20 * hour, now - hour)),
      })),
    )
    todos.push(...todoRows(houseKind.kind, { id, ...disclosed }, todosOfHouse(house), at, now))
    if (state !== '4') continue
    const content = {
      externalNo: house.externalNo,
      house: [house.buildingName, house.floorName, house.name],
      items: results.map((one) => [one.itemCode, one.result]),
    }
    const hash = contentHash({ ...content, items: content.items.toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)) })
    for (const [seat, role, by] of [
      ['owner', '建设单位', owner],
      ['contractor', '施工单位', manager],
      ['supervisor', '监理单位', supervisor],
    ] as const)
      signed.push({
        id: idOf(id, 'sign', seat),
        kind: houseKind.kind,
        objectId: id,
        ...disclosed,
        seat,
        role,
        name: by.name,
        userId: by.id,
        image: images.get(by.name) ?? null,
        hash,
        refused: false,
        place: flat.building,
        byId: by.id,
        byName: by.name,
        at,
      } as Insertable<Tables['processSignature']>)
  }
  await insertAll(tx, 'house', houses)
  await insertAll(tx, 'houseItem', found)
  await insertAll(tx, 'processLog', log)
  await insertAll(tx, 'processTodo', todos)
  await insertAll(tx, 'processSignature', signed)
  await insertAll(tx, 'houseSync', syncsOf(city, projectCode, manager, flats.length, now))
  await insertAll(tx, 'documentNumber', [{ owner: projectCode, docType: 'houseCert', year: Number(today.slice(0, 4)), last: cert }])
}

function syncsOf(city: City, projectCode: string, by: Actor, flats: number, now: number): Insertable<Tables['houseSync']>[] {
  const at = (days: number) => new Date(startOfDay(addDays(formatDay(now), -days)) + 10 * hour)
  const failures = [
    { row: 37, externalNo: 'FC-5-1001', reason: '外部编号与第 36 行重复' },
    { row: 88, externalNo: 'FC-5-2204', reason: '建筑面积“待定”不是面积' },
    { row: 141, externalNo: 'FC-6-', reason: '缺少房号' },
  ]
  const row = { projectCode, byName: by.name, changed: 0, missing: 0, failed: 0 }
  return [
    { ...row, id: idOf(city.seed, 'houseSync', 1), source: 'places', at: at(40), rows: flats / 2, added: flats / 2 },
    {
      ...row,
      id: idOf(city.seed, 'houseSync', 2),
      source: 'file',
      at: at(39),
      rows: flats,
      added: flats / 2 - 3,
      changed: 12,
      failed: 3,
      failures: JSON.stringify(failures),
    },
    { ...row, id: idOf(city.seed, 'houseSync', 3), source: 'file', at: at(38), rows: flats, added: 3 },
  ]
}
