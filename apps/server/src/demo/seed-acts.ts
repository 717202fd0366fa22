import { dayMs, hourMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'

/** User actions on data from machines: bound cameras, corrected records, manual weighings, camera patrols. */
export async function seedActs(tx: Tx, city: City, now: number): Promise<void> {
  await sql`insert into machine_camera (camera_id, machine_id, project_code, by_name, at)
    select c.id, m.id, c.project_code, '机械员', ${new Date(now - 20 * dayMs)} from device c
      join device m on m.id = c.params ->> 'craneId' and m.project_code = c.project_code
    where c.family = 'videoAi' on conflict do nothing`.execute(tx)
  await misread(tx, city, now)
  await blamed(tx, city, now)
  for (const device of city.devices)
    if (device.family === 'weighbridge' && device.behaviour === 'normal')
      await byHand(tx, city, { id: device.id, projectCode: device.projectCode }, now)
  await rounds(tx, city, now)
}

interface Fixed {
  deviceId: string
  projectCode: string
  ts: Date
  id: string
}

async function fix(
  tx: Tx,
  city: City,
  row: Fixed,
  fields: Record<string, unknown>,
  changes: { field: string; from: unknown; to: unknown }[],
  reason: string,
  byName: string,
): Promise<void> {
  await sql`insert into record_fix (device_id, ts, record_id, project_code, fields)
    values (${row.deviceId}, ${row.ts}, ${row.id}, ${row.projectCode}, ${JSON.stringify(fields)}::jsonb) on conflict do nothing`.execute(tx)
  await sql`insert into record_fix_log (id, project_code, device_id, ts, record_id, at, changes, reason, by_name)
    values (${idOf(city.seed, 'fix', row.deviceId, row.id)}, ${row.projectCode}, ${row.deviceId}, ${row.ts}, ${row.id}, ${new Date(row.ts.getTime() + hourMs)},
      ${JSON.stringify(changes)}::jsonb, ${reason}, ${byName}) on conflict do nothing`.execute(tx)
}

/** One passage per lane whose washing the camera missed. */
async function misread(tx: Tx, city: City, now: number): Promise<void> {
  const { rows } = await sql<Fixed>`select distinct on (device_id) device_id, project_code, ts, id from device_record
    where record = 'accessRecord' and data ->> 'washed' = '0' and ts < ${new Date(now - 2 * hourMs)} order by device_id, ts desc`.execute(
    tx,
  )
  for (const row of rows)
    await fix(tx, city, row, { washed: '1' }, [{ field: 'washed', from: '0', to: '1' }], '水雾遮挡镜头，复看录像已冲洗', '环保专员')
}

/** One run per lift marked as a violation. */
async function blamed(tx: Tx, city: City, now: number): Promise<void> {
  const reason = '司机未确认层门关闭即启动'
  const { rows } =
    await sql<Fixed>`select distinct on (r.device_id) r.device_id, r.project_code, r.ts, r.id from device_record r join device d on d.id = r.device_id
    where r.record = 'workingCycle' and d.family = 'lifter' and r.ts < ${new Date(now - hourMs)} and r.data ->> 'driverName' <> '' order by r.device_id, r.ts desc`.execute(
      tx,
    )
  for (const row of rows)
    await fix(
      tx,
      city,
      row,
      { illegal: true, illegalReason: reason, illegalBy: '机械员' },
      [{ field: 'illegal', from: null, to: true }],
      reason,
      '机械员',
    )
}

/** Three manual weighings during a power cut: two approved, one pending. */
async function byHand(tx: Tx, city: City, bridge: { id: string; projectCode: string }, now: number): Promise<void> {
  const loads = [
    { plateNo: '鄂B26K17', material: '中砂', supplier: '江北砂石', gross: 44.12, tare: 14.36, planned: 29.8, hoursAgo: 50, waits: false },
    { plateNo: '鄂B90L35', material: '碎石', supplier: '江北砂石', gross: 46.08, tare: 15.02, planned: 31.1, hoursAgo: 49, waits: false },
    { plateNo: '鄂B71M02', material: '水泥', supplier: '楚江建材', gross: 38.54, tare: 13.9, planned: 24.6, hoursAgo: 3, waits: true },
  ]
  for (const [i, load] of loads.entries()) {
    const ts = new Date(now - load.hoursAgo * hourMs)
    const id = `manual:demo${i + 1}`
    const local = new Date(ts.getTime() + shanghaiOffsetMs).toISOString().slice(0, 10).replaceAll('-', '')
    const reason = '地磅检修停电，按手写磅单补录'
    const data = {
      source: 'manual',
      recordNo: `SG${local}-00${i + 1}`,
      plateNo: load.plateNo,
      direction: '1',
      goodsName: load.material,
      supplier: load.supplier,
      plannedWeight: load.planned,
      grossTime: new Date(ts.getTime() - 20 * 60_000).toISOString(),
      tareTime: ts.toISOString(),
      operator: '司磅员',
      manualReason: reason,
      bridgeOnline: false,
      photos: [],
    }
    const fields = { grossWeight: load.gross, tareWeight: load.tare }
    const pending = load.waits ? JSON.stringify({ fields, reason, byName: '司磅员', at: ts.getTime() + 600_000 }) : null
    await sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at)
      values (${bridge.id}, ${bridge.projectCode}, ${ts}, ${id}, 'weighRecord', ${JSON.stringify(data)}::jsonb, ${new Date(ts.getTime() + 600_000)})
      on conflict do nothing`.execute(tx)
    await sql`insert into weigh_ticket (device_id, ts, record_id, project_code, fields, pending)
      values (${bridge.id}, ${ts}, ${id}, ${bridge.projectCode}, ${JSON.stringify(load.waits ? {} : fields)}::jsonb, ${pending}::jsonb)
      on conflict do nothing`.execute(tx)
    const steps = [
      { action: 'manual', by: '司磅员', reason, minutes: 10 },
      ...(load.waits ? [] : [{ action: 'approve', by: '项目经理', reason: '与照片、手写磅单相符', minutes: 90 }]),
    ]
    const changes = JSON.stringify(Object.entries(fields).map(([field, to]) => ({ field, from: null, to })))
    for (const step of steps)
      await sql`insert into weigh_change (id, project_code, device_id, ts, record_id, at, action, changes, reason, by_name)
        values (${idOf(city.seed, 'weighByHand', bridge.id, String(i), step.action)}, ${bridge.projectCode}, ${bridge.id}, ${ts}, ${id},
          ${new Date(ts.getTime() + step.minutes * 60_000)}, ${step.action}, ${changes}::jsonb, ${step.reason}, ${step.by}) on conflict do nothing`.execute(
        tx,
      )
  }
}

const patrollers = [
  { byName: '陆明章', byGroup: '云泽建设集团', hoursAgo: 7, finding: undefined },
  { byName: '赵启明', byGroup: '质安监督站', hoursAgo: 31, finding: '大门处有车辆未冲洗即驶出，路面带泥，请安排清扫并核查冲洗设备' },
  { byName: '陆明章', byGroup: '云泽建设集团', hoursAgo: 55, finding: undefined },
] as const

/** Camera patrols of each site in the last days. */
async function rounds(tx: Tx, city: City, now: number): Promise<void> {
  for (const { projectCode } of city.projects) {
    const cameras = city.devices.filter((d) => d.family === 'videoAi' && d.projectCode === projectCode)
    const [first] = cameras
    if (!first) continue
    for (const [i, one] of patrollers.entries()) {
      const seen = cameras.map((d) => ({ deviceId: d.id, name: d.name, state: d.behaviour === 'normal' ? 'online' : 'offline' }))
      await sql`insert into video_patrol (id, project_code, at, cameras, result, finding, device_id, by_id, by_name, by_group, state, told)
        values (${idOf(city.seed, 'videoPatrol', projectCode, String(i))}, ${projectCode}, ${new Date(now - one.hoursAgo * hourMs)}, ${JSON.stringify(seen)}::jsonb,
          ${one.finding ? 'found' : 'fine'}, ${one.finding ?? null}, ${one.finding ? first.id : null}, 'demo', ${one.byName}, ${one.byGroup},
          ${one.finding ? 'open' : null}, ${one.finding ? 3 : 0})`.execute(tx)
    }
  }
}
