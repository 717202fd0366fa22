import { familyOf } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { inside, toWgs84 } from '@zhugong/simulator/geo'
import { idOf, stream } from '@zhugong/simulator/random'
import { sitePhoto } from '@zhugong/simulator/site-photo'
import { formatDay, startOfDay } from '#kit/clock'
import type { Database } from '#kit/db'
import { inTransaction } from '#kit/transaction'
import { writeAlarms } from './past-alarms.ts'
import type { PastAlarm } from './past-rules.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'

const key = 'demo-helmets'
const family = 'smartHelmet'
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
/** Days of helmet history. */
const days = 30
/** Pictures per helmet with a camera, and the number of different drawn pictures they use. */
const [shotsEach, drawnOnes] = [66, 30]
/** Delay of uploads from a helmet without connection. */
const lateMs = hourMs
/** Alarms of a site with twenty helmets in a month; six of eight falls are false (the helmet was dropped). */
const reported = { sos: 3, fall: 8, falseFalls: 6, removal: 30, still: 5 } as const

/** A month of helmets: pictures as files, handled alarms, and wearing times. */
export async function seedHelmets(database: Database, city: City, now: number, folder: string): Promise<void> {
  const { pool } = database
  if ((await pool.query('select 1 from setting where key = $1', [key])).rowCount) return
  for (const { projectCode } of city.projects) {
    const helmets = city.devices.filter((d) => d.projectCode === projectCode && d.family === family && d.behaviour === 'normal')
    if (helmets.length === 0) continue
    const drawn = await drawShots(folder, projectCode)
    const alarms = helmetAlarms(city, helmets, now)
    const shots = helmets.filter((d) => d.params.camera === '1').flatMap((d) => shotsOf(city, d, drawn, alarms, now))
    await inTransaction(pool, async (client) => {
      await client.query('set local synchronous_commit = off')
      await client.query(
        `insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by)
         select f.id, f.owner, t.id, f.name, f.mime, f.bytes, f.sha256, 'demo'
         from jsonb_to_recordset($1::jsonb) as f(id text, owner text, name text, mime text, bytes bigint, sha256 text)
           join tenant t on t.type = 3 and t.code = f.owner on conflict do nothing`,
        [JSON.stringify(drawn)],
      )
      await client.query(
        `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
         select device_id, $2, ts, id, 'snapshot', data, received_at
         from jsonb_to_recordset($1::jsonb) as r(device_id text, ts timestamptz, id text, data jsonb, received_at timestamptz) on conflict do nothing`,
        [JSON.stringify(shots), projectCode],
      )
      // Worn from the first shift to the last except on Sundays: these intervals are the basis of the analysis.
      await client.query(
        `insert into telemetry_5m (device_id, ts, n, v)
         select d.id, s.ts, 10, '{"batteryPercent":[60,62,610,10]}'
         from unnest($1::text[]) d(id), generate_series($2::timestamptz, $3::timestamptz, interval '5 minutes') s(ts)
         where extract(hour from s.ts at time zone 'Asia/Shanghai') between 6 and 17 and extract(dow from s.ts at time zone 'Asia/Shanghai') <> 0
         on conflict do nothing`,
        [helmets.map((d) => d.id), new Date(startOfDay(formatDay(now)) - days * dayMs), new Date(now - hourMs)],
      )
      await writeAlarms(client, city, alarms, now, false)
    })
  }
  await pool.query('insert into setting (key, value) values ($1, $2) on conflict do nothing', [key, JSON.stringify({ days })])
}

async function drawShots(folder: string, projectCode: string): Promise<Drawn[]> {
  const drawn: Drawn[] = []
  for (let i = 0; i < drawnOnes; i++)
    drawn.push(
      await keepFile(
        folder,
        projectCode,
        { id: idOf('helmet shot', projectCode, String(i)), name: '安全帽抓拍.png', mime: 'image/png' },
        sitePhoto(projectCode, i),
      ),
    )
  return drawn
}

/** A time within a shift on one of the last days. */
function momentOf(random: ReturnType<typeof stream>, now: number): number {
  const midnight = startOfDay(formatDay(now - random.int(1, days - 1) * dayMs))
  return midnight + Math.floor(random.float(6.8, 17.2) * hourMs)
}

function placeIn(city: City, device: Device, random: ReturnType<typeof stream>): { longitude: number; latitude: number } {
  const plan = city.sitePlans.find((one) => one.projectCode === device.projectCode)
  if (!plan) return { longitude: device.installPos.lng, latitude: device.installPos.lat }
  const [xs, ys] = [plan.fence.map(([x]) => x), plan.fence.map(([, y]) => y)]
  for (let i = 0; i < 100; i++) {
    const [x, y] = [random.float(Math.min(...xs), Math.max(...xs)), random.float(Math.min(...ys), Math.max(...ys))]
    if (!inside(plan.fence, x, y)) continue
    const at = toWgs84(plan.origin, x, y)
    return { longitude: at.lng, latitude: at.lat }
  }
  return { longitude: device.installPos.lng, latitude: device.installPos.lat }
}

function helmetAlarms(city: City, helmets: readonly Device[], now: number): PastAlarm[] {
  const kinds = familyOf(family)
  const random = stream(city.seed, 'helmet alarms', helmets[0]?.projectCode ?? '')
  const share = Math.min(1, helmets.length / 20)
  const alarms: PastAlarm[] = []
  for (const alarmKey of ['sos', 'fall', 'removal', 'still'] as const) {
    const kind = kinds?.alarm(alarmKey)
    if (!kind) continue
    for (let i = 0; i < Math.max(1, Math.round(reported[alarmKey] * share)); i++) {
      // One team takes helmets off more often than the others.
      const device = alarmKey === 'removal' && random.chance(0.6) ? random.pick(helmets.slice(0, 4)) : random.pick(helmets)
      const startTime = momentOf(random, now)
      const lasts = alarmKey === 'removal' ? random.int(20, 95) * minuteMs : random.int(40, 400) * 1000
      alarms.push({
        deviceId: device.id,
        alarmKey,
        label: kind.label,
        level: kind.level,
        startTime,
        fireTime: startTime + (kind.forSeconds ?? 0) * 1000,
        clearTime: startTime + (kind.forSeconds ?? 0) * 1000 + lasts,
        metric: null,
        peak: null,
        peakTime: null,
        text: kind.label,
        values: { ...placeIn(city, device, random), batteryPercent: random.int(35, 96), wearing: alarmKey !== 'removal' },
        isFalse: alarmKey === 'fall' && i < reported.falseFalls * share ? true : undefined,
      })
    }
  }
  return alarms
}

interface Shot {
  device_id: string
  ts: Date
  id: string
  data: Record<string, unknown>
  received_at: Date
}

/** Pictures of a wearer's rounds, and automatic ones at SOS and falls. */
function shotsOf(city: City, device: Device, drawn: readonly Drawn[], alarms: readonly PastAlarm[], now: number): Shot[] {
  const random = stream(city.seed, 'helmet shots', device.deviceSn)
  const shot = (time: number, trigger: string, at: Record<string, unknown>): Shot => ({
    device_id: device.id,
    ts: new Date(time),
    id: `snapshot:${Math.floor(time / 1000)}`,
    data: { time: new Date(time).toISOString(), url: random.pick(drawn).id, ...at, trigger },
    received_at: new Date(time + (random.chance(0.06) ? lateMs : 4_000)),
  })
  const own = alarms.filter((one) => one.deviceId === device.id && (one.alarmKey === 'sos' || one.alarmKey === 'fall'))
  return [
    ...Array.from({ length: shotsEach }, (_, i) =>
      shot(momentOf(random, now), i % 9 === 8 ? 'remote' : 'manual', placeIn(city, device, random)),
    ),
    ...own.map((one) => shot(one.startTime + 2_000, 'alarm', { longitude: one.values.longitude, latitude: one.values.latitude })),
  ]
}
