import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { nextOf } from '#domains/linkage/spray-clock'
import { surveySeq } from '#domains/monitoring/pit/survey/check'
import { pitMetricOf } from '#domains/monitoring/shared/points'
import { markGiven } from '#domains/readings/public'
import { copyReadings, type StoredReading } from '#domains/telemetry/store'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import type { Database, Tx } from '#kit/db'
import { inTransaction } from '#kit/transaction'
import { frameOf, pngOf, sceneOf } from './media/scene.ts'
import { keepFile } from './seed-pictures.ts'

/** Things kept by users of monitoring: saved camera pictures, scheduled spraying, imported surveys. */
export async function seedKept(database: Database, city: City, now: number, folder: string): Promise<void> {
  await database.kysely.transaction().execute(async (tx) => {
    for (const { projectCode } of city.projects) {
      await seedMarks(tx, city, projectCode, now, folder)
      await seedSprays(tx, city, projectCode, now)
    }
  })
  for (const { projectCode } of city.projects) await seedSurveys(database, city, projectCode, now)
}

const kept = [
  { kind: 'snapshot', hoursAgo: 2, note: null, by: '项目经理' },
  { kind: 'snapshot', hoursAgo: 26, note: '渣土车出场未冲洗', by: '安全员' },
  { kind: 'bookmark', hoursAgo: 3, note: '吊钩下方有人穿行', by: '安全员' },
] as const

async function seedMarks(tx: Tx, city: City, projectCode: string, now: number, folder: string): Promise<void> {
  const cameras = city.devices.filter((d) => d.family === 'videoAi' && d.projectCode === projectCode && d.behaviour === 'normal')
  for (const [i, { kind, hoursAgo, note, by }] of kept.entries()) {
    const camera = cameras[i % Math.max(1, cameras.length)]
    if (!camera) return
    const at = now - hoursAgo * hourMs
    const id = idOf(city.seed, 'videoMark', projectCode, String(i))
    if (kind === 'snapshot') {
      const picture = pngOf(frameOf(sceneOf(camera.name), (at / 1000) % 60, formatInstant(at).slice(11)))
      const file = { id: idOf(city.seed, 'videoMarkFile', projectCode, String(i)), name: `${camera.name}.png`, mime: 'image/png' as const }
      const drawn = await keepFile(folder, projectCode, file, picture)
      await sql`insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by)
        select ${drawn.id}, ${projectCode}, t.id, ${drawn.name}, ${drawn.mime}, ${drawn.bytes}, ${drawn.sha256}, 'demo' from tenant t
        where t.type = 3 and t.code = ${projectCode} on conflict do nothing`.execute(tx)
    }
    await sql`insert into video_mark (id, project_code, device_id, kind, at, file_id, note, by_id, by_name, by_group, create_time)
      values (${id}, ${projectCode}, ${camera.id}, ${kind}, ${new Date(at)}, ${kind === 'snapshot' ? idOf(city.seed, 'videoMarkFile', projectCode, String(i)) : null},
        ${note}, 'demo', ${by}, ${'项目部'}, ${new Date(at + minuteMs)})`.execute(tx)
  }
  // A picture under the hook is attached to the newest alarm of a crane.
  await sql`update video_mark m set alarm_id = a.id, attached_by = '安全员', attached_at = m.create_time
    from (select id from alarm where project_code = ${projectCode} and family = 'towerCrane' and not simulated order by start_time desc limit 1) a
    where m.project_code = ${projectCode} and (m.note is null or m.note like '吊钩%')`.execute(tx)
}

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const plans = [
  { name: '早班前道路', days: everyDay, times: ['06:40', '12:40'], minutes: 15 },
  { name: '土方外运', days: [1, 2, 3, 4, 5, 6], times: ['09:00', '15:00', '17:30'], minutes: 10 },
] as const

/** Schedules of a site's first two spray lines, and yesterday's results: once blocked by wind. */
async function seedSprays(tx: Tx, city: City, projectCode: string, now: number): Promise<void> {
  const lines = city.devices.filter((d) => d.family === 'sprayController' && d.projectCode === projectCode && d.behaviour === 'normal')
  for (const [i, plan] of plans.entries()) {
    const line = lines[i]
    if (!line) return
    const id = idOf(city.seed, 'sprayPlan', projectCode, String(i))
    await sql`insert into spray_plan (id, project_code, device_id, name, days, times, minutes, since, create_by, create_time)
      values (${id}, ${projectCode}, ${line.id}, ${plan.name}, ${plan.days}::smallint[], ${plan.times}::text[], ${plan.minutes}, ${new Date(now)}, '环保专员',
        ${new Date(now - 20 * dayMs)})`.execute(tx)
    const yesterday = startOfDay(addDays(formatDay(now), -1))
    let at = nextOf(plan, yesterday)
    for (let n = 0; at !== null && at < now; n++, at = nextOf(plan, at + minuteMs)) {
      const isKept = i === 1 && n === 1
      await sql`insert into spray_plan_run (id, plan_id, plan_name, project_code, device_id, due_at, minutes, state, message, at)
        values (${idOf(city.seed, 'sprayPlanRun', id, String(n))}, ${id}, ${plan.name}, ${projectCode}, ${line.id}, ${new Date(at)}, ${plan.minutes},
          ${isKept ? 'held' : 'sent'}, ${isKept ? '互锁：风速 13.2 m/s，达到 12 m/s' : '已执行'}, ${new Date(at)})`.execute(tx)
    }
  }
}

/** Two level surveys of yesterday, at points that loggers measure as well. */
async function seedSurveys(database: Database, city: City, projectCode: string, now: number): Promise<void> {
  const family = familyOf('foundationPit')
  const order = storedOrder('foundationPit')
  const levelled = ['surface', 'building', 'topVertical']
  const points = city.devices.filter(
    (d) =>
      d.family === 'foundationPit' &&
      d.projectCode === projectCode &&
      d.behaviour === 'normal' &&
      levelled.includes(String(d.params.pointType)),
  )
  if (!family || !order || points.length === 0) return
  const { rows } = await sql<{ deviceId: string; v: Record<string, unknown> }>`
    select device_id, v from device_latest where device_id = any (${points.map((d) => d.id)})`.execute(database.kysely)
  const values = new Map(rows.map((row) => [row.deviceId, row.v]))
  const yesterday = startOfDay(addDays(formatDay(now), -1))
  for (const [round, hour] of [8, 16].entries()) {
    const surveyId = idOf(city.seed, 'pitSurvey', projectCode, String(round))
    const readings = points.flatMap((device, i): StoredReading[] => {
      const [type, code] = [String(device.params.pointType), String(device.params.pointCode)]
      const last = values.get(device.id)?.[pitMetricOf(type)]
      if (typeof last !== 'number') return []
      const time = yesterday + hour * hourMs + i * 2 * minuteMs
      const unknown = { pointCode: code, pointType: type, source: 'manual', surveyId, surveyor: '李测' }
      return [
        {
          device: { id: device.id, family, order } as StoredReading['device'],
          reading: {
            time,
            receivedAt: yesterday + (hour + 2) * hourMs,
            mark: markGiven(surveySeq(code)),
            values: { [pitMetricOf(type)]: Math.round((last + (i % 3) * 0.1) * 100) / 100 },
            unknown,
            quality: null,
            flag: 1,
          },
        },
      ]
    })
    const times = readings.map(({ reading }) => reading.time)
    if (readings.length === 0 || Math.max(...times) > now) continue
    await inTransaction(database.pool, async (client) => {
      await copyReadings(client, readings)
      await client.query(
        `insert into pit_survey (id, project_code, file_name, state, row_count, readings, points, stored, first_time, last_time, create_by, create_time)
         values ($1, $2, $3, 'done', $4, $4, $4, $4, $5, $6, '监测员', $7)`,
        [
          surveyId,
          projectCode,
          `水准测量_${formatDay(yesterday)}_${round === 0 ? '上午' : '下午'}.xlsx`,
          readings.length,
          new Date(Math.min(...times)),
          new Date(Math.max(...times)),
          new Date(yesterday + (hour + 2) * hourMs),
        ],
      )
    })
  }
}
