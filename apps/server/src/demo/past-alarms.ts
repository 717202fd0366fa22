import { hourMs } from '@zhugong/contract/kit/time'
import { familyOf, offlineSecondsOf } from '@zhugong/contract/telemetry/families'
import type { City } from '@zhugong/simulator/city-types'
import { stream } from '@zhugong/simulator/random'
import { defaultRuleId } from '#domains/rules/defaults'
import { newId } from '#kit/ids'
import type { Client } from './past-readings.ts'
import type { PastAlarm } from './past-rules.ts'

const measures: Record<string, string[]> = {
  towerCrane: ['已要求司机减小幅度后卸载，复核吊物重量。', '信号工重新交底，超重钢筋分两吊。', '已停止吊装，待风力减小后恢复。'],
  lifter: ['已疏散超员人员，升降机恢复运行。', '已提醒司机按额定人数运送。'],
  environment: ['开启东线喷淋 10 分钟，浓度回落。', '道路洒水，裸土覆盖。'],
  unloadingPlatform: ['已吊离部分材料。'],
  foundationPit: [
    '加密监测至每 4 小时一次，连续两天低于速率控制值的 70 %。',
    '暂停该段开挖，先安装下一道支撑。',
    '复测棱镜，原因为碰撞，已重新取初始值。',
  ],
  waterMeter: [
    '关闭支管阀门，更换破损三通，夜间复测流量归零。',
    '查漏为冲洗龙头未关，已关闭并交底。',
    '抢修主管接头，恢复供水，路面已清扫。',
  ],
  smartHelmet: ['已到现场查看，人员无碍。', '已通话确认，误触按键，已交底。', '已提醒戴好安全帽。'],
  highFormwork: ['停泵撤离，增设立杆并调整布料顺序，总监同意后恢复。', '现场复核，布料机碰撞立杆，相邻测点无变化。'],
}

/** Writes past alarms with their handling and log; `withOffline` adds those of devices that are offline now. */
export async function writeAlarms(
  client: Client,
  city: City,
  alarms: readonly PastAlarm[],
  now: number,
  withOffline = true,
): Promise<void> {
  const devices = new Map(city.devices.map((d) => [d.id, d]))
  const offline = city.devices.flatMap((d): PastAlarm[] => {
    const family = familyOf(d.family)
    const alarm = family?.alarm('offline')
    if (d.behaviour !== 'offline' || !family || !alarm) return []
    const start = now - 7 * hourMs
    return [
      {
        deviceId: d.id,
        alarmKey: 'offline',
        label: alarm.label,
        level: alarm.level,
        startTime: start,
        fireTime: start + offlineSecondsOf(family) * 1000,
        clearTime: null,
        metric: null,
        peak: null,
        peakTime: null,
        text: `${alarm.condition.seconds} 秒无数据`,
        values: {},
      },
    ]
  })
  const rows: Record<string, unknown>[] = []
  const log: Record<string, unknown>[] = []
  for (const alarm of withOffline ? [...alarms, ...offline] : alarms) {
    const device = devices.get(alarm.deviceId)
    if (!device) continue
    const random = stream(city.seed, 'handling', device.deviceSn, alarm.alarmKey, String(alarm.startTime))
    const handlers = city.personas.filter((p) => p.projectCode === device.projectCode && p.groupType === 3).map((p) => p.name)
    const cleared = alarm.clearTime !== null
    const isOld = now - alarm.startTime > 6 * hourMs
    const serious = alarm.level <= 2
    const state = alarm.isFalse
      ? 'false'
      : !cleared
        ? 'open'
        : !serious
          ? random.chance(0.25)
            ? 'handled'
            : 'closed'
          : isOld || random.chance(0.3)
            ? random.pick(['handled', 'closed', 'closed'] as const)
            : random.pick(['open', 'acknowledged'] as const)
    const handler =
      handlers.length && state !== 'open' && (serious || state === 'handled' || state === 'false') ? random.pick(handlers) : null
    const id = newId(alarm.fireTime)
    const handledAt = (alarm.clearTime ?? alarm.fireTime) + random.int(3, 50) * 60_000
    const measure =
      handler && state !== 'acknowledged' && state !== 'false' ? random.pick(measures[device.family] ?? ['已到现场核实处理。']) : null
    rows.push({
      id,
      project_code: device.projectCode,
      device_id: device.id,
      device_name: device.name,
      family: device.family,
      alarm_key: alarm.alarmKey,
      label: alarm.label,
      level: alarm.level,
      state,
      active: !cleared,
      stale: false,
      start_time: new Date(alarm.startTime),
      fire_time: new Date(alarm.fireTime),
      clear_time: alarm.clearTime === null ? null : new Date(alarm.clearTime),
      clear_reason: cleared ? 'recovered' : null,
      peak_value: alarm.peak,
      peak_time: alarm.peakTime === null ? null : new Date(alarm.peakTime),
      metric: alarm.metric,
      threshold_text: alarm.text,
      rule_id: defaultRuleId(device.family, alarm.alarmKey),
      values_used: alarm.values,
      handler_name: handler,
      handle_time: handler ? new Date(Math.min(handledAt, now - 60_000)) : null,
      measure,
    })
    const line = (at: number, event: string, text: string, by: string | null = null) =>
      log.push({ id: newId(at), alarm_id: id, project_code: device.projectCode, at: new Date(at), event, text, by_name: by })
    line(alarm.fireTime, 'open', `${alarm.label}：${alarm.text}`)
    if (alarm.clearTime !== null) line(alarm.clearTime, 'clear', '恢复正常')
    if (handler) {
      const at = Math.min(handledAt, now - 60_000)
      line(Math.max(alarm.fireTime, at - 120_000), 'ack', '接单', handler)
      if (state === 'false') line(at, 'false', `误报：${alarm.falseWhy ?? '帽子掉落，人员无碍'}`, handler)
      if (measure) line(at, 'handle', `处置：${measure}`, handler)
      if (measure && state === 'closed') line(Math.min(at + 30_000, now), 'close', '关闭', handler)
    }
  }
  await client.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, state, active, stale, start_time, fire_time, clear_time,
       clear_reason, peak_value, peak_time, metric, threshold_text, rule_id, rule_version, sources, values_used, handler_name, handle_time, measure)
     select id, project_code, device_id, device_name, family, alarm_key, label, level, level, state, active, stale, start_time, fire_time, clear_time,
       clear_reason, peak_value, peak_time, metric, threshold_text, rule_id, 1, '{platform}', values_used, handler_name, handle_time, measure
     from jsonb_to_recordset($1::jsonb) as a(id text, project_code text, device_id text, device_name text, family text, alarm_key text, label text, level smallint,
       state text, active boolean, stale boolean, start_time timestamptz, fire_time timestamptz, clear_time timestamptz, clear_reason text, peak_value float8,
       peak_time timestamptz, metric text, threshold_text text, rule_id text, values_used jsonb, handler_name text, handle_time timestamptz, measure text)
     on conflict do nothing`,
    [JSON.stringify(rows)],
  )
  await client.query(
    `insert into alarm_log (id, alarm_id, project_code, at, event, text, by_name)
     select l.id, l.alarm_id, l.project_code, l.at, l.event, l.text, l.by_name
     from jsonb_to_recordset($1::jsonb) as l(id text, alarm_id text, project_code text, at timestamptz, event text, text text, by_name text)
     where exists (select 1 from alarm a where a.id = l.alarm_id)`,
    [JSON.stringify(log)],
  )
}
