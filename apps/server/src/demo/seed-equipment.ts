import { createHash } from 'node:crypto'
import { creditCodeCheckCharacter, maskPhone, organisationCheckCharacter } from '@zhugong/contract/kit/checks'
import { families, familyOf } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { stream } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import type { Tx } from '#kit/db'
import type { Secrets } from '#kit/secret'

/** The same name gives the same id on every installation. */
const idOf = (...words: (string | number)[]) =>
  createHash('md5')
    .update(['equipment', ...words].join('/'))
    .digest('hex')
const dayMs = 86_400_000

interface Maker {
  name: string
  families: string[]
  contact: string
  hours: string
  dock: '0' | '1' | '2' | '3'
  brands: { name: string; alias: string[]; families: string[]; online: number; valid: number }[]
}

/** Makers of the city, beside one that has lapsed and brands that were entered twice. */
const makers: readonly Maker[] = [
  {
    name: '衡安安全监控技术公司',
    families: ['towerCrane', 'lifter', 'unloadingPlatform'],
    contact: '何振',
    hours: '每日 7:00–22:00，4 小时到场',
    dock: '2',
    brands: [
      { name: '衡安', alias: ['HengAn', 'HA'], families: ['towerCrane', 'lifter', 'unloadingPlatform'], online: 0.985, valid: 0.996 },
      { name: '衡安科技', alias: [], families: ['towerCrane'], online: 0.98, valid: 0.99 },
    ],
  },
  {
    name: '岩测科技公司',
    families: ['foundationPit', 'highFormwork', 'pileFoundation'],
    contact: '严力',
    hours: '工作日 8:00–20:00',
    dock: '2',
    brands: [{ name: '岩测', alias: ['YanCe'], families: ['foundationPit', 'highFormwork', 'pileFoundation'], online: 0.97, valid: 0.99 }],
  },
  {
    name: '清源环境仪器公司',
    families: ['environment', 'sprayController'],
    contact: '秦源',
    hours: '每日 8:00–21:00',
    dock: '2',
    brands: [
      { name: '清源', alias: ['QingYuan'], families: ['environment', 'sprayController'], online: 0.965, valid: 0.95 },
      { name: '清源环境', alias: [], families: ['environment'], online: 0.95, valid: 0.93 },
    ],
  },
  {
    name: '楚电仪表公司',
    families: ['electricMeter', 'waterMeter'],
    contact: '楚明',
    hours: '工作日 8:30–17:30',
    dock: '2',
    brands: [
      { name: '楚电', alias: ['ChuDian'], families: ['electricMeter', 'waterMeter'], online: 0.99, valid: 0.999 },
      { name: '楚水', alias: [], families: ['waterMeter'], online: 0.98, valid: 0.99 },
    ],
  },
  {
    name: '准衡称重设备公司',
    families: ['weighbridge'],
    contact: '郑衡',
    hours: '工作日 8:00–18:00',
    dock: '1',
    brands: [{ name: '准衡', alias: ['ZunHeng'], families: ['weighbridge'], online: 0.96, valid: 0.99 }],
  },
  {
    name: '护行智能装备公司',
    families: ['smartHelmet', 'baseStationHelmet'],
    contact: '胡行',
    hours: '每日 9:00–18:00',
    dock: '2',
    brands: [
      { name: '护行', alias: ['HuXing'], families: ['smartHelmet'], online: 0.78, valid: 0.9 },
      { name: '护行基站', alias: [], families: ['baseStationHelmet'], online: 0.9, valid: 0.97 },
    ],
  },
  {
    name: '路明车载终端公司',
    families: ['truckMonitor'],
    contact: '卢明',
    hours: '每日 6:00–24:00',
    dock: '2',
    brands: [{ name: '路明', alias: ['LuMing'], families: ['truckMonitor'], online: 0.82, valid: 0.97 }],
  },
  {
    name: '识途智能科技公司',
    families: ['faceGate', 'truckAccess', 'videoAi'],
    contact: '史图',
    hours: '7×24 小时，2 小时到场',
    dock: '0',
    brands: [
      { name: '识途', alias: ['ShiTu', 'ST'], families: ['faceGate', 'truckAccess', 'videoAi'], online: 0.992, valid: 0.998 },
      { name: '识途视界', alias: [], families: ['videoAi'], online: 0.97, valid: 0.99 },
    ],
  },
  {
    name: '临江传感设备公司',
    families: ['foundationPit'],
    contact: '林江',
    hours: '工作日 9:00–17:00',
    dock: '3',
    brands: [{ name: '临江传感', alias: ['LinJiang'], families: ['foundationPit'], online: 0.6, valid: 0.7 }],
  },
]

const providers = [
  { name: '楚安设备租赁公司', roles: ['rent', 'install'], until: 210, families: ['towerCrane', 'lifter', 'unloadingPlatform'] },
  { name: '恒晟机械维保公司', roles: ['maintain'], until: 19, families: [] },
  { name: '清源技术服务公司', roles: ['sale', 'install', 'maintain'], until: 95, families: ['environment', 'sprayController'] },
  {
    name: '江城智慧工地服务公司',
    roles: ['install', 'maintain'],
    until: 320,
    families: ['faceGate', 'truckAccess', 'videoAi', 'smartHelmet'],
  },
  { name: '路达车联服务公司', roles: ['rent', 'maintain'], until: 12, families: ['truckMonitor'] },
  { name: '岩土监测服务公司', roles: ['install', 'maintain'], until: 150, families: ['foundationPit', 'highFormwork', 'pileFoundation'] },
  { name: '楚电能耗服务公司', roles: ['sale', 'maintain'], until: 400, families: ['electricMeter', 'waterMeter', 'weighbridge'] },
] as const

/** Registers and identifiers as the meters' own papers give them. */
const registersOf: Readonly<Record<string, { metric: string; type: string; code?: string; address?: number; scale: number }[]>> = {
  electricMeter: [{ metric: 'totalEnergy', type: 'dlt645', code: '00010000', scale: 1 }],
  waterMeter: [{ metric: 'totalFlow', type: 'cjt188', code: '901F', scale: 1 }],
}
const protocolsOf: Readonly<Record<string, string[]>> = {
  environment: ['hj212', 'mqtt'],
  truckMonitor: ['jt808'],
  electricMeter: ['mqtt', 'dlt645', 'modbus'],
  waterMeter: ['mqtt', 'cjt188'],
  weighbridge: ['http', 'mqtt'],
}

/** Fills library, services and dockings of an empty installation; devices get their makers, models and providers. */
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

/** A code whose check characters hold; the organisation is invented. */
function corpCodeOf(i: number): string {
  const organisation = `MA7EQ${String(i + 1).padStart(3, '0')}`
  const first17 = `91420200${organisation}${organisationCheckCharacter(organisation)}`
  return first17 + creditCodeCheckCharacter(first17)
}

const phoneOf = (name: string) => `139${String(10_000_000 + (Number.parseInt(idOf(name).slice(0, 6), 16) % 89_999_999)).slice(-8)}`

/** What a test showed when it was judged. */
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
  // A second version of the crane's box, one model for each family without, and what the doubled brands once were entered for.
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
  // Hoisting machines bear their registration; a few of the machines were entered under the doubled name.
  for (const [i, d] of city.devices.filter((one) => one.family === 'towerCrane' || one.family === 'lifter').entries())
    await sql`update device set special_record_no = ${`鄂B-${d.family === 'towerCrane' ? 'T' : 'S'}-2026-${String(i + 1).padStart(4, '0')}`} where id = ${d.id}`.execute(
      tx,
    )
  const doubled = city.devices.filter((d) => d.family === 'towerCrane').slice(-2)
  await sql`update device set brand_id = ${idOf('brand', '衡安科技')}, brand_name = '衡安科技', model_id = ${idOf('model', '衡安科技', 'HA-TC200')}, model_name = 'HA-TC200'
    where id = any (${doubled.map((d) => d.id)})`.execute(tx)
}

/** Twelve wait for the review: new ones of several sites, one sent again after a refusal, one change of a device in service. */
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
      const params = like && family !== 'towerCrane' ? like.params : {}
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
  // 服务到期 of a device is its due item: both say the same.
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

/** Two that push, one whose credential has ended, one switched off; one vendor's devices with the usual troubles. */
async function seedDockings(tx: Tx, city: City, secrets: Secrets, now: number): Promise<void> {
  const today = formatDay(now)
  const mapping = {
    list: 'data.list',
    externalId: 'deviceId',
    name: 'deviceName',
    project: 'site',
    model: 'type',
    sn: 'sn',
    time: 'ts',
    values: [{ from: 'weight', metric: 'weight', factor: 1 }],
  }
  const sample = JSON.stringify(
    {
      code: 0,
      data: {
        list: [
          { deviceId: 'WB-01', deviceName: '1# 地磅', site: '云东智谷二期', type: 'SCS100', sn: 'WB26040001', ts: now, weight: 12.36 },
        ],
      },
    },
    null,
    2,
  )
  const dockings = [
    {
      code: 'DK-ZH',
      name: '准衡称重云',
      vendor: '准衡称重设备公司',
      type: '2',
      enable: '1',
      expire: null,
      endpoint: null,
      result: 'partial',
    },
    { code: 'DK-CD', name: '楚电能耗平台', vendor: '楚电仪表公司', type: '2', enable: '1', expire: null, endpoint: null, result: 'ok' },
    {
      code: 'DK-LM',
      name: '路明车联平台',
      vendor: '路明车载终端公司',
      type: '3',
      enable: '1',
      expire: addDays(today, -3),
      endpoint: 'https://vehicle.example.com/api/v2/latest',
      result: 'failed',
    },
    {
      code: 'DK-YC',
      name: '岩测监测云',
      vendor: '岩测科技公司',
      type: '3',
      enable: '0',
      expire: addDays(today, 120),
      endpoint: 'https://monitor.example.com/open/points',
      result: 'ok',
    },
  ] as const
  for (const [i, d] of dockings.entries()) {
    const id = idOf('docking', d.code)
    await sql`insert into gateway3rd (id, code, name, vendor, conn_type, endpoint, auth_kind, auth_name, auth_secret, token_expire, schedule_minutes, mapping, model_match, project_match,
        push_secret, sample, enable, last_run, last_result, create_time, create_by, update_time)
      values (${id}, ${d.code}, ${d.name}, ${d.vendor}, ${d.type}, ${d.endpoint}, ${d.type === '3' ? 'header' : 'none'}, ${d.type === '3' ? 'x-token' : null},
        ${d.type === '3' ? secrets.seal(idOf('token', d.code)) : null}, ${d.expire}, 1440, ${JSON.stringify(mapping)}::jsonb, '{}'::jsonb, '{}'::jsonb,
        ${d.type === '2' ? secrets.seal(idOf('push', d.code, now)) : null}, ${i === 0 ? sample : null}, ${d.enable}, ${new Date(now - (i + 1) * 600_000)}, ${d.result},
        ${new Date(now - 90 * dayMs)}, '平台管理员', ${new Date(now - 9 * dayMs)})`.execute(tx)
    const runs = i === 0 ? 30 : i === 2 ? 6 : 10
    for (let r = 0; r < runs; r++) {
      const failed = i === 2 ? r < 2 : i === 0 && (r === 7 || r === 19)
      const partial = !failed && i === 0 && r === 0
      const rows = failed ? 0 : 26 + ((r * 7) % 5)
      const refused = partial
        ? [
            { externalId: 'WB-27', reason: '没有匹配到平台设备', item: '{"deviceId":"WB-27","weight":3.2}' },
            { externalId: 'WB-28', reason: 'weight 不是数字', item: '{"deviceId":"WB-28","weight":"--"}' },
          ]
        : []
      await sql`insert into gateway3rd_run (id, gateway_id, cause, at, ms, rows, accepted, duplicated, rejected, result, message, refused)
        values (${idOf('run', d.code, r)}, ${id}, ${d.type === '2' ? 'push' : 'schedule'}, ${new Date(now - (i + 1) * 600_000 - r * (d.type === '2' ? 3 * 3_600_000 : dayMs))}, ${180 + ((r * 37) % 400)},
          ${rows}, ${failed ? 0 : rows - refused.length}, ${failed ? 0 : r % 4 === 3 ? 2 : 0}, ${refused.length}, ${failed ? 'failed' : partial ? 'partial' : 'ok'},
          ${failed ? (i === 2 ? `凭证已于 ${addDays(today, -3)} 到期，请更新后重试` : '对方 20 秒内没有应答') : partial ? `${refused.length} 条未接收` : null}, ${JSON.stringify(refused)}::jsonb)`.execute(
        tx,
      )
    }
  }
  await seedExternals(tx, city, now)
}

/** Meters of the energy platform and the bridge of the weighing platform; four unmatched, one gone, one under two names. */
async function seedExternals(tx: Tx, city: City, now: number): Promise<void> {
  const bridge = city.devices.find((d) => d.access.protocol === 'http')
  const meters = city.devices.filter((d) => d.family === 'electricMeter' || d.family === 'waterMeter')
  const siteOf = (d: Device | undefined, n: number) => {
    const project = city.projects.find((p) => p.projectCode === d?.projectCode) ?? city.projects[n % city.projects.length]
    return project?.shortName ?? project?.name ?? null
  }
  const rows = [
    ...(bridge
      ? [
          {
            docking: 'DK-ZH',
            id: 'WB-01',
            name: bridge.name,
            model: 'SCS100',
            device: bridge,
            state: '1',
            sn: bridge.deviceSn,
            error: null,
          },
        ]
      : []),
    ...meters.map((d, i) => ({
      docking: 'DK-CD',
      id: `M-${1001 + i}`,
      name: d.name,
      model: d.family === 'waterMeter' ? 'CD-LXS' : 'CD-DTSY',
      device: d,
      state: '1',
      sn: d.deviceSn,
      error: i === 5 ? '数值类型不正确' : null,
    })),
    ...['2', '2', '2', '3'].map((state, i) => ({
      docking: 'DK-CD',
      id: `M-${1101 + i}`,
      name: `${i + 1}# 临时配电箱电表`,
      model: state === '3' ? 'CD-DTSY' : 'CD-DDS',
      device: undefined,
      state,
      sn: `CDX26${String(i + 1).padStart(5, '0')}`,
      error: null,
    })),
    {
      docking: 'DK-CD',
      id: 'M-1201',
      name: '原办公区电表',
      model: 'CD-DTSY',
      device: undefined,
      state: '4',
      sn: 'CDX2500031',
      error: '对方列表中已没有此设备',
    },
    {
      docking: 'DK-CD',
      id: 'M-1202',
      name: `${meters[0]?.name ?? '电表'}（旧标识）`,
      model: 'CD-DTSY',
      device: undefined,
      state: '2',
      sn: meters[0]?.deviceSn ?? null,
      error: null,
    },
  ]
  for (const [n, r] of rows.entries())
    await sql`insert into external_device (id, gateway_id, external_id, external_name, external_project, external_model, device_sn, device_id, match_state, last_sync, last_error, first_seen)
      values (${idOf('external', n)}, ${idOf('docking', r.docking)}, ${r.id}, ${r.name}, ${siteOf(r.device, n)}, ${r.model}, ${r.sn}, ${r.device?.id ?? null}, ${r.state},
        ${new Date(now - (r.state === '4' ? 4 * dayMs : (n + 1) * 61_000))}, ${r.error}, ${new Date(now - 60 * dayMs)})`.execute(tx)
  await sql`update device set source = '2' where id = ${bridge?.id ?? ''}`.execute(tx)
}

/** Boxes that knock without being known. */
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
      on conflict (identifier) do nothing`.execute(tx)
}

/** A station that came from another site. */
async function seedMoves(tx: Tx, city: City): Promise<void> {
  const station = city.devices.find((d) => d.access.protocol === 'hj212')
  const from = city.projects.find((p) => p.projectCode !== station?.projectCode)
  if (!station || !from) return
  await sql`insert into device_move (id, device_id, device_name, from_project, to_project, at, since, by_name, reason)
    select ${idOf('move', 1)}, id, name, ${from.projectCode}, project_code, create_time + interval '21 days', create_time + interval '21 days', '平台管理员', '原项目基础施工结束，转场使用'
    from device where id = ${station.id}`.execute(tx)
}

/** A station with a bad line: some of its frames of the last hours fail their check. */
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

/** A year of how devices reported, in one statement: as good as their brand, a little different every day. */
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

/** For each page that shows one record, the query that opens it. */
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
