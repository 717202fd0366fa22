import { dayMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { muckRoad } from '@zhugong/simulator/muck-truck'
import { idOf } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'

/** Width of the dump site, and radius and distance of a school beside the road that trucks avoid at certain hours, metres. */
const [dumpMeters, schoolMeters, schoolBeside] = [280, 90, 380]
const metersPerDegree = 111_320
const schoolHours = { from: 7 * 60, until: 8 * 60 + 30 }
/** Position of the school along the route. */
const schoolShare = 0.4

type Corner = [number, number]

function ring({ lng, lat }: { lng: number; lat: number }, radius: number, corners: number): Corner[] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = (i / corners) * 2 * Math.PI
    const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)]
    return [lng + x / (metersPerDegree * Math.cos((lat * Math.PI) / 180)), lat + y / metersPerDegree].map(
      (n) => Math.round(n * 1e6) / 1e6,
    ) as Corner
  })
}

/** Registered trucks of the first site, one with an expired permit and one barred. */
const registered = [
  { plateNo: '鄂B32817', corpName: '云泽通达渣土运输', permitNo: '云渣运 2026-0118', days: 200, type: '1' },
  { plateNo: '鄂B56093', corpName: '云泽通达渣土运输', permitNo: '云渣运 2026-0207', days: 200, type: '1' },
  { plateNo: '鄂B61208', corpName: '鑫源渣土', permitNo: '云渣运 2025-0532', days: -12, type: '1' },
  { plateNo: '鄂B2C661', corpName: '中建商砼', permitNo: null, days: null, type: '2' },
]
const barred = { plateNo: '鄂B9K027', corpName: '鑫源渣土', reason: '两次未密闭出场且拒绝冲洗' }
const dayOf = (at: number) => new Date(at + shanghaiOffsetMs).toISOString().slice(0, 10)

export async function seedVehicleRegistry(tx: Tx, city: City, now: number): Promise<void> {
  const lanes = new Set(city.devices.filter((d) => d.family === 'truckAccess').map((d) => d.projectCode))
  for (const { projectCode } of city.projects.filter((p) => lanes.has(p.projectCode))) {
    for (const { plateNo, corpName, permitNo, days, type } of registered)
      await sql`insert into vehicle_registry (id, project_code, kind, plate_no, vehicle_type, corp_name, permit_no, until_day, create_time, create_by)
        values (${idOf(city.seed, 'vehicleRegistry', projectCode, plateNo)}, ${projectCode}, 'known', ${plateNo}, ${type}, ${corpName}, ${permitNo},
          ${days === null ? null : dayOf(now + days * dayMs)}, ${new Date(now - 60 * dayMs)}, '演示') on conflict do nothing`.execute(tx)
    await sql`insert into vehicle_registry (id, project_code, kind, plate_no, vehicle_type, corp_name, reason, create_time, create_by)
      values (${idOf(city.seed, 'vehicleRegistry', projectCode, barred.plateNo)}, ${projectCode}, 'black', ${barred.plateNo}, '1', ${barred.corpName}, ${barred.reason},
        ${new Date(now - 9 * dayMs)}, '演示') on conflict do nothing`.execute(tx)
  }
}

/** Approved route, dump site and forbidden area of every site with muck transport. */
export async function seedVehicleFences(tx: Tx, city: City): Promise<void> {
  const sites = city.projects.filter((p) => city.devices.some((d) => d.family === 'truckMonitor' && d.projectCode === p.projectCode))
  const rows = sites.flatMap(({ projectCode, shortName }) => {
    const { line, dump } = muckRoad(city, projectCode)
    const passed = line[Math.floor(line.length * schoolShare)] ?? dump
    const row = (
      name: string,
      kind: string,
      points: Corner[],
      remark: string,
      hours = { from: null as number | null, until: null as number | null },
    ) => ({
      id: idOf(city.seed, 'vehicleFence', projectCode, kind),
      projectCode,
      name,
      kind,
      points: JSON.stringify(points),
      fromMinute: hours.from,
      untilMinute: hours.until,
      remark,
      createBy: '演示',
    })
    return [
      row(
        `${shortName}至消纳场`,
        'route',
        line.map(({ lng, lat }): Corner => [lng, lat]),
        '市城管委核准线路',
      ),
      row('城南消纳场', 'dumpSites', ring(dump, dumpMeters / 2, 10), '核准容量 60 万 m³'),
      row(
        '实验小学周边',
        'forbidden',
        ring({ lng: passed.lng + schoolBeside / metersPerDegree, lat: passed.lat }, schoolMeters, 6),
        '上学时段绕行',
        schoolHours,
      ),
    ]
  })
  for (const row of rows)
    await sql`insert into vehicle_fence (id, project_code, name, kind, points, from_minute, until_minute, remark, create_by)
      values (${row.id}, ${row.projectCode}, ${row.name}, ${row.kind}, ${row.points}, ${row.fromMinute}, ${row.untilMinute}, ${row.remark}, ${row.createBy})`.execute(
      tx,
    )
}
