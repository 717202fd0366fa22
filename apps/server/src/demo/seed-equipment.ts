import { creditCodeCheckCharacter, maskPhone, organisationCheckCharacter } from '@zhugong/contract/kit/checks'
import { dayMs } from '@zhugong/contract/kit/time'
import { families, familyOf } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { stream } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import type { Tx } from '#kit/db'
import type { Secrets } from '#kit/secret'
import { idOf, makers, protocolsOf, providers, registersOf } from './equipment-given.ts'
import { seedDockings } from './seed-gateways.ts'

/** Fills library, services and dockings of an empty installation; sets manufacturer, model and provider of devices. */
export async function seedEquipment(tx: Tx, city: City, secrets: Secrets, now: number): Promise<void> {
  const today = formatDay(now)
  await seedLibrary(tx, secrets, city, now)
  await seedProviders(tx, secrets, today, now)
  await linkDevices(tx, city)
  await seedReviews(tx, city, now)
  await seedServices(tx, city, today, now)
  await seedDockings(tx, city, secrets, now)
  await seedStrangers(tx, city, now)
  await seedFrames(tx, city, now)
  await seedMoves(tx, city)
  await seedDays(tx, today)
}

/** A code with valid check characters, of an invented organisation. */
function corpCodeOf(i: number): string {
  const organisation = `MA7EQ${String(i + 1).padStart(3, '0')}`
  const first17 = `91420200${organisation}${organisationCheckCharacter(organisation)}`
  return first17 + creditCodeCheckCharacter(first17)
}

const phoneOf = (name: string) => `139${String(10_000_000 + (Number.parseInt(idOf(name).slice(0, 6), 16) % 89_999_999)).slice(-8)}`

/** Results of a docking test. */
const dockVerdict = (passed: boolean, i: number) => [
  { key: 'frame', label: '报文格式', state: 'ok', text: `${8_640 - i * 37} 条全部正确` },
  { key: 'time', label: '时间', state: 'ok', text: '时钟偏差在 60 秒以内' },
  { key: 'units', label: '单位与量程', state: passed ? 'ok' : 'bad', text: passed ? '数值都在量程内' : '312 条超出量程或有故障标记' },
  { key: 'resend', label: '断线补传', state: 'ok', text: `补传 ${120 + i * 11} 条` },
  { key: 'alarm', label: '告警', state: 'ok', text: `产生 ${2 + (i % 3)} 条告警` },
]

async function seedLibrary(tx: Tx, secrets: Secrets, city: City, now: number): Promise<void> {
  for (const [i, m] of makers.entries()) {
    const phone = phoneOf(m.name)
    const startedAt = now - (40 + i * 9) * dayMs
    const deviceId = city.devices.find((d) => m.families.includes(d.family))?.id ?? null
    const tests =
      m.dock === '0'
        ? []
        : [
            {
              id: idOf('dock', m.name),
              protocol: protocolsOf[m.families[0] ?? '']?.[0] ?? 'mqtt',
              deviceId,
              startedAt: m.dock === '1' ? now - 5 * 3_600_000 : startedAt,
              endedAt: m.dock === '1' ? null : startedAt + dayMs,
              state: m.dock,
              reason: m.dock === '3' ? '固件升级后单位错误，未按期整改' : null,
              by: '平台管理员',
              checks: m.dock === '1' ? undefined : dockVerdict(m.dock === '2', i),
            },
          ]
    await sql`insert into factory (id, name, corp_code, families, contact, contact_phone, contact_phone_mask, service_hours, area_codes, dock_state, dock_tests, enable, create_time, create_by, update_time)
      values (${idOf('factory', m.name)}, ${m.name}, ${corpCodeOf(i)}, ${m.families}, ${m.contact}, ${secrets.seal(phone)}, ${maskPhone(phone)}, ${m.hours}, ${i % 3 === 0 ? ['420200'] : []}, ${m.dock},
        ${JSON.stringify(tests)}::jsonb, ${m.dock === '3' ? '0' : '1'}, ${new Date(startedAt - 30 * dayMs)}, '平台管理员', ${new Date(startedAt)})`.execute(
      tx,
    )
    for (const b of m.brands)
      await sql`insert into brand (id, factory_id, name, alias, families, create_time, create_by, update_time)
        values (${idOf('brand', b.name)}, ${idOf('factory', m.name)}, ${b.name}, ${b.alias}, ${b.families}, ${new Date(startedAt - 20 * dayMs)}, '平台管理员', ${new Date(startedAt)})`.execute(
        tx,
      )
  }
  const known = new Set<string>()
  for (const m of city.deviceModels) {
    known.add(m.family)
    await insertModel(tx, { id: m.id, brand: m.brand, family: m.family, name: m.name, version: 1, rootId: m.id }, now)
  }
  // A second version of the crane device's model, a model for each family without one, and one for the brands entered twice.
  const crane = city.deviceModels.find((m) => m.family === 'towerCrane')
  if (crane)
    await insertModel(
      tx,
      { id: idOf('model', 'crane', 2), brand: crane.brand, family: 'towerCrane', name: crane.name, version: 2, rootId: crane.id },
      now,
    )
  for (const f of families.filter((one) => !known.has(one.key)))
    await insertModel(
      tx,
      { id: idOf('model', f.key), brand: brandFor(f.key), family: f.key, name: `${f.key.slice(0, 2).toUpperCase()}-${f.code}`, version: 1 },
      now,
    )
  for (const [brand, family, name] of [
    ['衡安科技', 'towerCrane', 'HA-TC200'],
    ['清源环境', 'environment', 'QY-300'],
    ['楚水', 'waterMeter', 'CS-LXSY'],
    ['识途视界', 'videoAi', 'STV-8'],
    ['临江传感', 'foundationPit', 'LJ-M2'],
    ['衡安', 'lifter', 'HA-SL80'],
    ['岩测', 'foundationPit', 'YC-W2'],
    ['清源', 'environment', 'QY-N1'],
    ['楚电', 'electricMeter', 'CD-DTZY'],
    ['识途', 'faceGate', 'ST-F5'],
    ['护行', 'smartHelmet', 'HX-H2'],
  ] as const)
    await insertModel(tx, { id: idOf('model', brand, name), brand, family, name, version: 1 }, now)
}

const brandFor = (family: string) => makers.flatMap((m) => m.brands).find((b) => b.families.includes(family))?.name ?? '识途'

async function insertModel(
  tx: Tx,
  m: { id: string; brand: string; family: string; name: string; version: number; rootId?: string },
  now: number,
): Promise<void> {
  const family = familyOf(m.family)
  if (!family) return
  const brand = makers.find((maker) => maker.brands.some((b) => b.name === m.brand))
  const numeric = family.metrics.filter((one) => one.type === 'number' || one.type === 'integer')
  const metrics = numeric
    .slice(0, m.version > 1 ? numeric.length : Math.max(3, numeric.length - 2))
    .map((one) => ({ key: one.key, precision: one.precision ?? null }))
  const registers = (registersOf[m.family] ?? []).filter((r) => family.metric(r.metric))
  for (const r of registers) if (!metrics.some((one) => one.key === r.metric)) metrics.push({ key: r.metric, precision: null })
  const alarmCodes = family.alarms.slice(0, 3).map((a, i) => ({ code: String(i + 1), alarmKey: a.key }))
  await sql`insert into model (id, root_id, factory_id, brand_id, family, name, model_version, protocols, metrics, registers, alarm_codes, params, create_time, create_by, update_time)
    values (${m.id}, ${m.rootId ?? m.id}, ${idOf('factory', brand?.name ?? '')}, ${idOf('brand', m.brand)}, ${m.family}, ${m.name}, ${m.version},
      ${protocolsOf[m.family] ?? ['mqtt']}, ${JSON.stringify(metrics)}::jsonb, ${JSON.stringify(registers)}::jsonb, ${JSON.stringify(alarmCodes)}::jsonb, '{}'::jsonb,
      ${new Date(now - (m.version > 1 ? 12 : 60) * dayMs)}, '平台管理员', ${new Date(now - 10 * dayMs)})`.execute(tx)
}

async function seedProviders(tx: Tx, secrets: Secrets, today: string, now: number): Promise<void> {
  for (const p of providers) {
    const phone = phoneOf(p.name)
    await sql`insert into factory (id, name, roles, families, contact, contact_phone, contact_phone_mask, service_hours, service_until, create_time, create_by, update_time)
      values (${idOf('provider', p.name)}, ${p.name}, ${[...p.roles]}, '{}', ${`${p.name.slice(0, 1)}经理`}, ${secrets.seal(phone)}, ${maskPhone(phone)}, '7×24 小时，4 小时到场',
        ${addDays(today, p.until)}, ${new Date(now - 200 * dayMs)}, '平台管理员', ${new Date(now - 15 * dayMs)})`.execute(tx)
  }
}

async function linkDevices(tx: Tx, city: City): Promise<void> {
  await sql`update device d set model_id = m.id, brand_id = m.brand_id, factory_id = m.factory_id, brand_name = b.name, factory_name = f.name, model_name = m.name,
      apply_time = d.create_time, audit_time = d.create_time + interval '1 day', audit_by = '平台管理员'
    from model m join brand b on b.id = m.brand_id join factory f on f.id = m.factory_id where m.family = d.family and m.name = d.model_name`.execute(
    tx,
  )
  for (const p of providers)
    if (p.families.length)
      await sql`update device set provider_id = ${idOf('provider', p.name)} where family = any (${[...p.families]})`.execute(tx)
  // Hoisting machines have their registration number; a few machines have the duplicate brand.
  for (const [i, d] of city.devices.filter((one) => one.family === 'towerCrane' || one.family === 'lifter').entries())
    await sql`update device set special_record_no = ${`鄂B-${d.family === 'towerCrane' ? 'T' : 'S'}-2026-${String(i + 1).padStart(4, '0')}`} where id = ${d.id}`.execute(
      tx,
    )
  const doubled = city.devices.filter((d) => d.family === 'towerCrane').slice(-2)
  await sql`update device set brand_id = ${idOf('brand', '衡安科技')}, brand_name = '衡安科技', model_id = ${idOf('model', '衡安科技', 'HA-TC200')}, model_name = 'HA-TC200'
    where id = any (${doubled.map((d) => d.id)})`.execute(tx)
}

/** Twelve devices pending approval: new ones of several sites, one resubmitted, one change of a device in service. */
async function seedReviews(tx: Tx, city: City, now: number): Promise<void> {
  const random = stream(city.seed, 'equipment', 'reviews')
  const wanted: [string, number][] = [
    ['electricMeter', 3],
    ['videoAi', 3],
    ['waterMeter', 2],
    ['foundationPit', 1],
    ['towerCrane', 1],
    ['lifter', 1],
  ]
  let n = 0
  for (const [family, count] of wanted) {
    const kind = familyOf(family)
    if (!kind) continue
    for (let i = 0; i < count; i++) {
      const project = city.projects[n % city.projects.length]
      if (!project) continue
      const like =
        city.devices.find((d) => d.family === family && d.projectCode === project.projectCode) ??
        city.devices.find((d) => d.family === family)
      const gateway = like && like.projectCode === project.projectCode && like.access.protocol === 'mqtt' ? gatewayId(city, like) : null
      n++
      const sn = `RV26${String(n).padStart(6, '0')}`
      // A new camera has no GB/T 28181 number: the number of the device it is copied from must not be used twice.
      const { gbDeviceId: _taken, ...params }: Record<string, unknown> = like && family !== 'towerCrane' ? like.params : {}
      await sql`insert into device (id, project_code, name, device_sn, family, category, access, protocol, access_key, gateway_id, params, interval_seconds, lng, lat, install_place,
          status, create_time, create_by, origin, apply_time, model_id, brand_id, factory_id, model_name, brand_name, factory_name, audit_remark, audit_time, audit_by)
        select ${idOf('review', n)}, ${project.projectCode}, ${`新增${kind.name}${n}`}, ${sn}, ${family}, ${String(kind.code)},
          ${JSON.stringify(gateway ? { protocol: 'mqtt', gatewayId: gateway } : { protocol: 'http' })}::jsonb, ${gateway ? 'mqtt' : 'http'}, ${gateway ? `${gateway}/${sn}` : sn},
          ${gateway}, ${JSON.stringify(params)}::jsonb, ${kind.intervalSeconds}, p.lng, p.lat, '待定', '0', ${new Date(now - n * 5 * 3_600_000)}, ${random.pick(['周机械', '李设备', '陈工'])},
          ${String((n % 3) + 1)}, ${new Date(now - n * 5 * 3_600_000)}, m.id, m.brand_id, m.factory_id, m.name, b.name, f.name,
          ${n === 2 ? '缺少安装照片，补充后再提交' : null}, ${n === 2 ? new Date(now - 3 * dayMs) : null}, ${n === 2 ? '平台管理员' : null}
        from project p left join lateral (select * from model where family = ${family} order by name limit 1) m on true left join brand b on b.id = m.brand_id
          left join factory f on f.id = m.factory_id where p.project_code = ${project.projectCode}`.execute(tx)
    }
  }
  const crane = city.devices.find((d) => d.family === 'towerCrane')
  if (!crane) return
  const pending = {
    by: '周机械',
    at: now - 7_200_000,
    body: { params: { towerHeight: 74 } },
    difference: [{ label: '塔身高度', before: `${String(crane.params.towerHeight)} m`, after: '74 m' }],
  }
  await sql`update device set pending = ${JSON.stringify(pending)}::jsonb, apply_time = ${new Date(now - 7_200_000)} where id = ${crane.id}`.execute(
    tx,
  )
}

const gatewayId = (city: City, d: Device) =>
  d.access.protocol === 'mqtt'
    ? (city.gateways.find((g) => d.access.protocol === 'mqtt' && g.code === d.access.gatewayCode)?.id ?? null)
    : null

async function seedServices(tx: Tx, city: City, today: string, now: number): Promise<void> {
  const pick = (family: string, n: number) => city.devices.filter((d) => d.family === family).slice(0, n)
  const dues: { device: Device; kind: string; days: number; state?: string }[] = [
    ...pick('lifter', 4).map((device, i) => ({ device, kind: 'fallArrester', days: [12, 74, 160, 240][i] ?? 90 })),
    ...pick('environment', 6).map((device, i) => ({ device, kind: 'calibration', days: [-6, 5, 41, 88, 140, 200][i] ?? 60 })),
    ...pick('towerCrane', 5).map((device, i) => ({ device, kind: 'inspection', days: [22, 58, 119, 180, 260][i] ?? 90 })),
    ...pick('truckMonitor', 3).map((device, i) => ({
      device,
      kind: 'sim',
      days: [-2, 9, 28][i] ?? 30,
      state: i === 1 ? '1' : undefined,
    })),
    ...pick('faceGate', 2).map((device, i) => ({ device, kind: 'service', days: [3, 64][i] ?? 30, state: i === 0 ? '1' : undefined })),
  ]
  for (const [i, d] of dues.entries())
    await sql`insert into device_due (id, device_id, project_code, kind, due_date, owner, notice_state, noticed_at, noticed_to, create_time)
      values (${idOf('due', i)}, ${d.device.id}, ${d.device.projectCode}, ${d.kind}, ${addDays(today, d.days)}, ${i % 2 ? '李设备' : '周机械'}, ${d.state ?? '0'},
        ${d.state ? new Date(now - dayMs) : null}, ${d.state ? '维保单位' : null}, ${new Date(now - 120 * dayMs)})`.execute(tx)
  // 服务到期 of a device equals its due item.
  await sql`update device d set due_date = u.due_date from device_due u where u.device_id = d.id and u.kind = 'service'`.execute(tx)
  await sql`insert into device_due (id, device_id, project_code, kind, due_date, create_time)
    select md5('service' || id), id, project_code, 'service', due_date, create_time from device where due_date is not null
    on conflict (device_id, kind) do nothing`.execute(tx)
  const repairs = [...pick('environment', 2), ...pick('towerCrane', 2), ...pick('faceGate', 2), ...pick('truckMonitor', 1)]
  const faults = ['PM10 数值长时间不变', '校时失败', '吊重显示偏差', '风速仪不转', '识别率低', '开闸迟缓', '定位漂移']
  for (const [i, d] of repairs.entries()) {
    const open = i === 1 || i === 6
    const hours = [6, 60, 18, 9, 72, 61, 70][i] ?? 12
    await sql`insert into device_repair (id, device_id, device_name, project_code, provider_id, at, by_name, fault, done_at, done_by, measure, score, comment)
      select ${idOf('repair', i)}, d.id, d.name, d.project_code, d.provider_id, ${new Date(now - (open ? hours * 3_600_000 : (i + 2) * 6 * dayMs))}, '周机械', ${faults[i] ?? ''},
        ${open ? null : new Date(now - (i + 2) * 6 * dayMs + hours * 3_600_000)}, ${open ? null : '维保工程师'}, ${open ? null : '更换传感器并校准'}, ${open ? null : 5 - (i % 3)},
        ${open ? null : hours > 48 ? '到场太慢' : '处理及时'} from device d where d.id = ${d.id}`.execute(tx)
  }
}

/** Unregistered devices that try to connect. */
async function seedStrangers(tx: Tx, city: City, now: number): Promise<void> {
  const gateway = city.gateways[0]
  const station = city.devices.find((d) => d.access.protocol === 'hj212')
  const mn = station?.access.protocol === 'hj212' ? station.access.mn : 'A0000000000000000000000A'
  const rows = [
    {
      identifier: `${gateway?.id ?? ''}/TC26019999`,
      protocol: 'mqtt',
      address: '10.20.3.14',
      gateway: gateway?.id ?? null,
      reason: 'unregistered',
      count: 412,
      guess: 'towerCrane',
      sample: '{"time":1763600000000,"seq":17,"data":{"load":2.1,"radius":31.4,"windSpeed":4.2}}',
    },
    {
      identifier: '8F20C1D3A49B7E5502116C3D',
      protocol: 'hj212',
      address: '117.152.80.21',
      gateway: null,
      reason: 'unregistered',
      count: 96,
      guess: 'environment',
      sample: '##0136ST=39;CN=2011;PW=******;MN=8F20C1D3A49B7E5502116C3D;Flag=5;CP=&&DataTime=20261120080000;a34004-Rtd=38,a34004-Flag=N&&',
    },
    {
      identifier: `${mn}#`,
      protocol: 'hj212',
      address: '117.152.80.22',
      gateway: null,
      reason: 'wrongPassword',
      count: 23,
      guess: 'environment',
      sample: null,
    },
  ]
  for (const [i, r] of rows.entries())
    await sql`insert into unregistered_device (identifier, protocol, address, gateway_id, reason, count, first_time, last_time, sample, guess)
      values (${r.identifier}, ${r.protocol}, ${r.address}, ${r.gateway}, ${r.reason}, ${r.count}, ${new Date(now - (i + 1) * dayMs)}, ${new Date(now - (i + 1) * 90_000)}, ${r.sample}, ${r.guess})
      on conflict (identifier, reason) do nothing`.execute(tx)
}

/** A station moved from another site. */
async function seedMoves(tx: Tx, city: City): Promise<void> {
  const station = city.devices.find((d) => d.access.protocol === 'hj212')
  const from = city.projects.find((p) => p.projectCode !== station?.projectCode)
  if (!station || !from) return
  await sql`insert into device_move (id, device_id, device_name, from_project, to_project, at, since, by_name, reason)
    select ${idOf('move', 1)}, id, name, ${from.projectCode}, project_code, create_time + interval '21 days', create_time + interval '21 days', '平台管理员', '原项目基础施工结束，转场使用'
    from device where id = ${station.id}`.execute(tx)
}

/** A station with a bad connection: some of its recent frames fail their checksum. */
async function seedFrames(tx: Tx, city: City, now: number): Promise<void> {
  const station = city.devices.filter((d) => d.access.protocol === 'hj212')[1]
  if (station?.access.protocol !== 'hj212') return
  for (let i = 0; i < 6; i++) {
    const text = `QN=2026112008${String(i).padStart(2, '0')}00000;ST=39;CN=2011;PW=***;MN=${station.access.mn};Flag=5;CP=&&DataTime=2026112008${String(i).padStart(2, '0')}00;a34004-Rtd=3?,a34004-Flag=N&&`
    await sql`insert into device_frame (id, time, project_code, device_id, identifier, protocol, address, direction, kind, result, length, body, is_text)
      values (${idOf('frame', i)}, ${new Date(now - (i * 37 + 4) * 60_000)}, ${station.projectCode}, ${station.id}, ${station.access.mn}, 'hj212', '10.20.4.31', 'up', '2011', 'crc',
        ${text.length}, ${Buffer.from(text)}, true)`.execute(tx)
  }
}

/** A year of daily reporting rates in one statement: depending on the brand, with small daily differences. */
async function seedDays(tx: Tx, today: string): Promise<void> {
  const brands = makers.flatMap((m) => m.brands.map((b) => ({ id: idOf('brand', b.name), online: b.online, valid: b.valid })))
  await sql`insert into device_day (device_id, day, through, readings, doubtful, spans)
    select d.id, g.day::date, (g.day + interval '1 day') at time zone 'Asia/Shanghai', round(x.share * 86400 / greatest(d.interval_seconds, 1))::int,
      round(x.share * 86400 / greatest(d.interval_seconds, 1) * (1 - b.valid))::int, round(288 * x.share)::smallint
    from device d join jsonb_to_recordset(${JSON.stringify(brands)}::jsonb) as b(id text, online float8, valid float8) on b.id = d.brand_id
    cross join lateral generate_series(greatest(${today}::date - 364, d.install_date)::timestamp, (${today}::date - 1)::timestamp, interval '1 day') g(day)
    cross join lateral (select least(1, greatest(0, b.online + 0.03 * (('x' || substr(md5(d.id || g.day::text), 1, 6))::bit(24)::int / 16777215.0 - 0.6))) as share) x
    where d.install_date is not null and d.status = '1'`.execute(tx)
}

/** The query that opens each page of one record. */
export function equipmentSamples(city: City): Record<string, string> {
  const station = city.devices.find((d) => d.access.protocol === 'hj212')?.id ?? ''
  const crane = city.deviceModels.find((m) => m.family === 'towerCrane')?.id ?? ''
  const maker = `?id=${idOf('factory', makers[0]?.name ?? '')}`
  const brand = `?id=${idOf('brand', makers[0]?.brands[0]?.name ?? '')}`
  const docking = `?id=${idOf('docking', 'DK-ZH')}`
  return {
    '/equipmentDetail/:id': station,
    ...Object.fromEntries(
      ['', '/information', '/modelMatch', '/projectMatch'].map((tab) => [`/gatewayEnv/details${tab}`, `?id=${station}`]),
    ),
    '/manufactor1.1.0/details': maker,
    '/manufactor1.1.0/edit': maker,
    '/brand/details': brand,
    '/brand/edit': brand,
    '/model/details': `?id=${crane}`,
    '/model/edit': `?id=${crane}`,
    '/gatewayOther/details': docking,
    '/gatewayOther/edit': docking,
  }
}
