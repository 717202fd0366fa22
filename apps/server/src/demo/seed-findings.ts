import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'

/** Handled some hours later. */
const answeredMs = 6 * 3_600_000
interface Said {
  family: string
  keys: readonly string[]
  code: string
  text: string
  person?: string
  everyHours?: number
  by: [name: string, group: string]
}
const said: readonly Said[] = [
  { family: 'waterMeter', keys: ['leak'], code: 'pipe', text: '支管三通接头老化渗水，已更换', by: ['机电工长', '项目部'] },
  { family: 'waterMeter', keys: ['burst'], code: 'pipe', text: '施工道路下主管被车辆压裂，关阀抢修后恢复', by: ['机电工长', '项目部'] },
  {
    family: 'foundationPit',
    keys: ['displacementRate'],
    code: 'denser',
    text: '该断面每 4 小时测一次，连续三次低于速率控制值的 70 % 后恢复',
    person: '周立新',
    everyHours: 4,
    by: ['总监理工程师', '项目监理部'],
  },
  {
    family: 'foundationPit',
    keys: ['topHorizontalWarning'],
    code: 'sensor',
    text: '反射棱镜被碰，已复测并重新取初始值',
    person: '周立新',
    by: ['监测员', '项目部'],
  },
  {
    family: 'highFormwork',
    keys: ['axialForceAlarm', 'axialForceWarning'],
    code: 'eccentric',
    text: '布料集中在三号梁一侧，改为对称布料并增设立杆',
    by: ['总监理工程师', '项目监理部'],
  },
  { family: 'highFormwork', keys: ['suddenChange'], code: 'sensor', text: '布料机碰撞立杆，相邻测点没有变化', by: ['监测员', '项目部'] },
  {
    family: 'electricMeter',
    keys: ['residualWarning', 'residualAlarm'],
    code: 'damp',
    text: '分箱进线口密封破损，雨后受潮',
    by: ['电工', '项目部'],
  },
]

/** Findings and decisions about alarms of meters, pits and formwork. */
export async function seedFindings(tx: Tx, city: City, now: number): Promise<void> {
  for (const [i, { family, keys, code, text, person, everyHours, by }] of said.entries()) {
    const { rows } = await sql<{ id: string; projectCode: string; fireTime: Date }>`select id, project_code, fire_time from alarm
      where family = ${family} and alarm_key = any (${[...keys]}) and not simulated and state <> 'false' order by fire_time desc`.execute(
      tx,
    )
    // The newest alarm is left for trying it out.
    for (const alarm of rows.length > 1 ? rows.slice(1) : rows)
      await sql`insert into alarm_finding (id, project_code, alarm_id, code, text, person, every_hours, by_name, by_group, at)
        values (${idOf(city.seed, 'finding', alarm.id, String(i))}, ${alarm.projectCode}, ${alarm.id}, ${code}, ${text}, ${person ?? null}, ${everyHours ?? null},
          ${by[0]}, ${by[1]}, ${new Date(Math.min(now, alarm.fireTime.getTime() + answeredMs))}) on conflict do nothing`.execute(tx)
  }
}
