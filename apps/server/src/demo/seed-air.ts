import { hourMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tx } from '#kit/db'

const said = [
  { source: 'earthwork', text: '北侧土方外运集中出车，雾炮临时停水约 20 分钟，已恢复并增开一台' },
  { source: 'road', text: '出口道路洒水车上午检修，改由人工冲洗，车辆限速 5 km/h' },
  { source: 'nearby', text: '监测站东侧市政道路铣刨，项目内当时没有土方作业' },
  { source: 'pour', text: '底板浇筑，泵车与搅拌车密集，已错峰并加喷' },
] as const
/** Of this many newest exceedances all but one have a cause. */
const mostSaid = said.length + 1

/** Causes of exceedances entered by sites, and their night permits. */
export async function seedAir(tx: Tx, city: City, now: number): Promise<void> {
  for (const projectCode of new Set(city.devices.filter((d) => d.family === 'environment').map((d) => d.projectCode))) {
    await causes(tx, city, projectCode, now)
    await permits(tx, city, projectCode, now)
  }
}

async function causes(tx: Tx, city: City, projectCode: string, now: number): Promise<void> {
  const { rows } = await sql<{ id: string; fireTime: Date; alarmKey: string }>`select id, fire_time, alarm_key from alarm
    where project_code = ${projectCode} and family = 'environment' and alarm_key not in ('offline', 'constantValue') and not simulated
      and fire_time < ${new Date(now - hourMs)} order by fire_time desc limit ${mostSaid}`.execute(tx)
  for (const [i, alarm] of rows.slice(1).entries()) {
    const one = said[alarm.alarmKey.startsWith('noise') ? said.length - 1 : i % (said.length - 1)]
    if (!one) continue
    await sql`insert into exceed_cause (id, project_code, alarm_id, source, text, by_name, at)
      values (${idOf(city.seed, 'cause', alarm.id)}, ${projectCode}, ${alarm.id}, ${one.source}, ${one.text}, '环保专员',
        ${new Date(Math.min(now, alarm.fireTime.getTime() + (20 + 10 * i) * 60_000))}) on conflict do nothing`.execute(tx)
  }
}

/** Three nights of a past pour, the last night, and one permit filed under a wrong number. */
async function permits(tx: Tx, city: City, projectCode: string, now: number): Promise<void> {
  const night = (daysAgo: number) => startOfDay(addDays(formatDay(now), -daysAgo)) + 22 * hourMs
  const filed = [
    { no: '118', scope: '3# 楼筏板连续浇筑，夜间 22 时至次日 6 时', from: night(20), until: night(17) + 8 * hourMs, gone: false },
    { no: '131', scope: '地下室顶板连续浇筑，夜间 22 时至次日 6 时', from: night(1), until: night(-1) + 8 * hourMs, gone: false },
    { no: '113', scope: '地下室顶板连续浇筑', from: night(1), until: night(-1) + 8 * hourMs, gone: true },
  ]
  for (const { no, scope, from, until, gone } of filed) {
    const at = from - 6 * hourMs
    await sql`insert into night_permit (id, project_code, permit_no, issuer, scope, from_time, until_time, by_name, create_time, void_reason, void_by, void_at)
      values (${idOf(city.seed, 'nightPermit', projectCode, no)}, ${projectCode}, ${`夜施${formatDay(now).slice(0, 4)}-${no}`}, '区住房和城乡建设局', ${scope},
        ${new Date(from)}, ${new Date(until)}, '环保专员', ${new Date(at)}, ${gone ? '编号录错，另行登记' : null}, ${gone ? '环保专员' : null},
        ${gone ? new Date(at + hourMs) : null}) on conflict do nothing`.execute(tx)
  }
}
