import { hourMs, minuteMs } from '@zhugong/contract/kit/time'
import type { RunResult } from '@zhugong/contract/linkage/codes'
import { familyOf } from '@zhugong/contract/telemetry/families'
import type { City, Device, Family } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { defaultInWords, defaultRules } from '#domains/rules/defaults'
import type { Tx } from '#kit/db'

interface Action {
  key: string
  name: string
  kind: 'notify' | 'linkage' | 'rectify'
  definition: object
}
interface SitePlan {
  project: string
  actions: Action[]
  /** Alarms of delivered rules that trigger these actions. */
  rules: { family: Family; alarmKey: string; actions: string[] }[]
}

const linkage = (command: string, more: object): object => ({
  command,
  params: {},
  stopParams: {},
  minRunSeconds: 0,
  maxRunSeconds: 60,
  cooldownSeconds: 0,
  interlocks: [],
  confirm: 'none',
  ...more,
})
const notify = (more: object): object => ({ roles: [], userIds: [], onDuty: false, channels: ['1'], escalation: [], ...more })
const spray = (deviceIds: string[], more: object = {}) =>
  linkage('spray.start', {
    selector: { kind: 'list', deviceIds },
    stopCommand: 'spray.stop',
    minRunSeconds: 180,
    maxRunSeconds: 900,
    cooldownSeconds: 600,
    interlocks: ['frost', 'rain', 'wind', 'lowWater'],
    ...more,
  })
const warn = linkage('crane.warn', { selector: { kind: 'bound' }, params: { text: '力矩超限，请立即减载' }, cooldownSeconds: 60 })
const call = linkage('helmet.call', { selector: { kind: 'bound' }, cooldownSeconds: 60 })

function plansOf(city: City): SitePlan[] {
  const ids = (project: string, ...names: string[]) =>
    city.devices.filter((d) => d.projectCode === project && d.family === 'sprayController' && names.includes(d.name)).map((d) => d.id)
  const [hospital = '', dongwan = '', , zhigu = '', , tunnel = ''] = city.projects.map((p) => p.projectCode)
  return [
    {
      project: hospital,
      actions: [
        {
          key: 'officer',
          name: '安全员通知',
          kind: 'notify',
          definition: notify({ roles: ['安全员'], onDuty: true, channels: ['1', '2'] }),
        },
        {
          key: 'ladder',
          name: '一二级告警逐级上报',
          kind: 'notify',
          definition: notify({
            roles: ['安全员'],
            channels: ['1', '2'],
            repeatMinutes: 5,
            escalation: [
              { afterMinutes: 5, roles: ['项目经理'] },
              { afterMinutes: 15, roles: ['公司安全部'] },
              { afterMinutes: 30, roles: ['监理单位'] },
            ],
          }),
        },
        {
          key: 'quiet',
          name: '扬尘通知（夜间静默）',
          kind: 'notify',
          definition: notify({
            roles: ['安全员', '机械员'],
            quietHours: { from: '22:00', to: '06:00' },
            text: '{设备} {告警}：{数值}，阈值 {阈值}',
          }),
        },
        { key: 'mail', name: '项目部邮件抄送', kind: 'notify', definition: notify({ roles: ['项目经理'], channels: ['1', '4'] }) },
        { key: 'spray', name: 'PM10 超标喷淋', kind: 'linkage', definition: spray(ids(hospital, '东线', '北线', '雾炮 1')) },
        { key: 'call', name: 'SOS 呼叫安全帽', kind: 'linkage', definition: call },
        {
          key: 'picture',
          name: 'SOS 就近抓拍',
          kind: 'linkage',
          definition: linkage('camera.snapshot', { selector: { kind: 'bound' }, family: 'videoAi', cooldownSeconds: 30 }),
        },
        { key: 'warn', name: '超载驾驶室喊话', kind: 'linkage', definition: warn },
      ],
      rules: [
        { family: 'environment', alarmKey: 'pm10Warning', actions: ['quiet', 'spray'] },
        { family: 'environment', alarmKey: 'pm10Alarm', actions: ['officer', 'mail', 'spray'] },
        { family: 'smartHelmet', alarmKey: 'sos', actions: ['ladder', 'call', 'picture'] },
        { family: 'towerCrane', alarmKey: 'momentAlarm', actions: ['ladder', 'warn'] },
        { family: 'towerCrane', alarmKey: 'loadAlarm', actions: ['ladder', 'warn'] },
      ],
    },
    {
      project: zhigu,
      actions: [
        { key: 'officer', name: '安全员通知', kind: 'notify', definition: notify({ roles: ['安全员'], channels: ['1'] }) },
        {
          key: 'spray',
          name: '扬尘喷淋（人工确认）',
          kind: 'linkage',
          definition: spray(ids(zhigu, '南线', '雾炮 1'), { confirm: 'person' }),
        },
      ],
      rules: [{ family: 'environment', alarmKey: 'pm10Alarm', actions: ['officer', 'spray'] }],
    },
    {
      project: dongwan,
      actions: [
        { key: 'warn', name: '超载驾驶室喊话', kind: 'linkage', definition: warn },
        {
          key: 'order',
          name: '超力矩下发整改',
          kind: 'rectify',
          definition: { category: '04', requirement: '停机检查力矩限制器并校准，查明超载原因后报复查', days: 3, fromLevel: 2 },
        },
      ],
      rules: [{ family: 'towerCrane', alarmKey: 'momentAlarm', actions: ['warn', 'order'] }],
    },
    {
      project: tunnel,
      actions: [{ key: 'call', name: 'SOS 呼叫安全帽', kind: 'linkage', definition: call }],
      rules: [{ family: 'smartHelmet', alarmKey: 'sos', actions: ['call'] }],
    },
  ]
}

/** Notification and linkage rules of four sites, with their results of the last hours. */
export async function seedLinkage(tx: Tx, city: City, now: number): Promise<void> {
  const plans = plansOf(city)
  for (const [i, plan] of plans.entries()) {
    const made = new Date(now - (30 - i) * 24 * hourMs)
    const idFor = (key: string) => execIdOf(city, plan.project, key)
    for (const action of plan.actions) {
      await sql`insert into rule_exec (id, name, kind, project_code, definition, create_by, create_time)
        values (${idFor(action.key)}, ${action.name}, ${action.kind}, ${plan.project}, ${JSON.stringify(action.definition)}::jsonb, '演示', ${made})`.execute(
        tx,
      )
    }
    for (const { family, alarmKey, actions } of plan.rules) {
      const standard = defaultRules.find((r) => r.family === family && r.alarmKey === alarmKey)
      if (!standard) throw new Error(`no delivered rule ${family} ${alarmKey}`)
      const scope = { kind: 'projects', projectCodes: [plan.project] }
      await sql`insert into rule_trigger (id, name, family, alarm_key, scope, project_code, levels, schedule, options, exec_ids, create_by, create_time)
        values (${ruleIdOf(city, plan.project, family, alarmKey)}, ${`${standard.name}（本项目）`}, ${family}, ${alarmKey}, ${JSON.stringify(scope)}::jsonb, ${plan.project},
          ${JSON.stringify(standard.levels)}::jsonb, ${standard.schedule ? JSON.stringify(standard.schedule) : null}::jsonb, ${JSON.stringify(standard.options)}::jsonb,
          ${actions.map(idFor)}, '演示', ${made})`.execute(tx)
    }
  }
  await seedPast(tx, city, plans, now)
}

const execIdOf = (city: City, project: string, key: string) => idOf(city.seed, 'exec', project, key)
const ruleIdOf = (city: City, project: string, family: string, alarmKey: string) => idOf(city.seed, 'execRule', project, family, alarmKey)

interface PastAlarm {
  project: string
  device: Device
  alarmKey: string
  at: number
  minutes: number
  peak: number
  /** Triggered actions and their results. */
  runs: {
    exec: string
    target: Device
    result: RunResult
    reason: string
    pm10?: [number, number]
  }[]
  notices: { exec: string; channel: string; receiver: string; mask?: string; state: 'sent' | 'failed'; result: string }[]
}

async function seedPast(tx: Tx, city: City, plans: SitePlan[], now: number): Promise<void> {
  const [hospital, zhigu] = plans.map((p) => p.project)
  const find = (project: string | undefined, family: Family, name?: string): Device => {
    const device = city.devices.find((d) => d.projectCode === project && d.family === family && (name === undefined || d.name === name))
    if (!device) throw new Error(`no ${family} ${name ?? ''}`)
    return device
  }
  const officer = city.personas.find((p) => p.account === 'hospital-officer')?.name ?? '安全员'
  const manager = city.personas.find((p) => p.account === 'hospital-pm')?.name ?? '项目经理'
  const station = find(hospital, 'environment')
  const [east, north, cannon] = ['东线', '北线', '雾炮 1'].map((name) => find(hospital, 'sprayController', name)) as [
    Device,
    Device,
    Device,
  ]
  const crane = find(hospital, 'towerCrane', '2# 塔机')
  const helmet = find(hospital, 'smartHelmet', '安全帽 03')
  const camera = find(hospital, 'videoAi', '制高点')
  const past: PastAlarm[] = [
    {
      project: hospital ?? '',
      device: station,
      alarmKey: 'pm10Alarm',
      at: now - 5 * hourMs,
      minutes: 13,
      peak: 168,
      runs: [
        { exec: 'spray', target: east, result: 'recovered', reason: '告警已解除', pm10: [168, 121] },
        { exec: 'spray', target: north, result: 'recovered', reason: '告警已解除', pm10: [168, 121] },
        { exec: 'spray', target: cannon, result: 'refused', reason: '设备拒绝：水箱液位低' },
      ],
      notices: [
        { exec: 'officer', channel: '1', receiver: officer, state: 'sent', result: '已送达' },
        { exec: 'officer', channel: '2', receiver: officer, mask: '138****0021', state: 'failed', result: '短信网关超时，已重试 3 次' },
        { exec: 'mail', channel: '1', receiver: manager, state: 'sent', result: '已送达' },
      ],
    },
    {
      project: hospital ?? '',
      device: station,
      alarmKey: 'pm10Warning',
      at: now - 9 * hourMs,
      minutes: 22,
      peak: 134,
      runs: [{ exec: 'spray', target: east, result: 'alarmOver', reason: '风速 12.6 m/s，达到 12 m/s' }],
      notices: [{ exec: 'quiet', channel: '1', receiver: officer, state: 'sent', result: '已送达' }],
    },
    {
      project: hospital ?? '',
      device: crane,
      alarmKey: 'momentAlarm',
      at: now - 3 * hourMs,
      minutes: 1,
      peak: 103.2,
      runs: [{ exec: 'warn', target: crane, result: 'done', reason: '已执行' }],
      notices: [{ exec: 'ladder', channel: '1', receiver: officer, state: 'sent', result: '已送达' }],
    },
    {
      project: hospital ?? '',
      device: helmet,
      alarmKey: 'sos',
      at: now - 7 * hourMs,
      minutes: 4,
      peak: 1,
      runs: [
        { exec: 'call', target: helmet, result: 'done', reason: '已执行' },
        { exec: 'picture', target: camera, result: 'done', reason: '已执行' },
      ],
      notices: [
        { exec: 'ladder', channel: '1', receiver: officer, state: 'sent', result: '已送达' },
        { exec: 'ladder', channel: '1', receiver: manager, state: 'sent', result: '已送达' },
      ],
    },
    {
      project: zhigu ?? '',
      device: find(zhigu, 'environment'),
      alarmKey: 'pm10Alarm',
      at: now - 15 * hourMs,
      minutes: 31,
      peak: 161,
      runs: [{ exec: 'spray', target: find(zhigu, 'sprayController', '南线'), result: 'unconfirmed', reason: '10 分钟内无人确认，未启动' }],
      notices: [],
    },
  ]
  for (const one of past) await seedAlarm(tx, city, plans, one)
}

async function seedAlarm(tx: Tx, city: City, plans: SitePlan[], one: PastAlarm): Promise<void> {
  const kind = familyOf(one.device.family)?.alarm(one.alarmKey)
  if (!kind) throw new Error(`no alarm ${one.alarmKey}`)
  const words = defaultInWords(kind, one.device.family)
  const id = idOf(city.seed, 'linkedAlarm', one.device.id, one.alarmKey)
  const cleared = one.at + one.minutes * minuteMs
  const [at, end] = [new Date(one.at), new Date(cleared)]
  const rule = ruleIdOf(city, one.project, one.device.family, one.alarmKey)
  await sql`insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, state, active, start_time, fire_time, clear_time,
      clear_reason, peak_value, peak_time, metric, threshold_text, rule_id, rule_version, sources, handler_name, handle_time, measure)
    values (${id}, ${one.project}, ${one.device.id}, ${one.device.name}, ${one.device.family}, ${one.alarmKey}, ${kind.label}, ${kind.level}, ${kind.level}, 'closed', false,
      ${at}, ${at}, ${end}, 'recovered', ${one.peak}, ${at}, ${kind.condition.metric ?? null}, ${words}, ${rule}, 1, '{platform}',
      ${kind.level <= 2 ? '周立新' : null}, ${kind.level <= 2 ? end : null}, ${kind.level <= 2 ? '现场核实，已提醒司机与班组' : null})`.execute(
    tx,
  )
  const line = async (time: number, event: string, text: string) => {
    await sql`insert into alarm_log (id, alarm_id, project_code, at, event, text)
      values (${idOf(city.seed, 'linkedLog', id, event, text, String(time))}, ${id}, ${one.project}, ${new Date(time)}, ${event}, ${text})`.execute(
      tx,
    )
  }
  await line(one.at, 'open', `${kind.label}：${words}`)
  const actionOf = (key: string) => {
    const action = plans.find((p) => p.project === one.project)?.actions.find((a) => a.key === key)
    if (!action) throw new Error(`no action ${key}`)
    return { ...action, id: execIdOf(city, one.project, key) }
  }
  const logged = async (row: {
    key: string
    exec: string
    kind: string
    step: string
    channel: string
    receiverId: string | null
    receiver: string
    mask?: string | undefined
    title: string
    text: string
    state: string
    result: string
    attempts: number
    time: number
  }) => {
    await sql`insert into exec_log (id, project_code, alarm_id, alarm_ids, exec_id, kind, step, level, channel, receiver_id, receiver_name, receiver_mask, title, text, state, result,
        attempts, sent_at, create_time)
      values (${idOf(city.seed, 'execLog', id, row.key)}, ${one.project}, ${id}, ${[id]}, ${row.exec}, ${row.kind}, ${row.step}, ${kind.level}, ${row.channel}, ${row.receiverId},
        ${row.receiver}, ${row.mask ?? null}, ${row.title}, ${row.text}, ${row.state}, ${row.result}, ${row.attempts}, ${row.state === 'sent' ? new Date(row.time) : null},
        ${new Date(row.time)})`.execute(tx)
  }
  for (const [n, notice] of one.notices.entries()) {
    await logged({
      ...notice,
      key: `notice ${n}`,
      exec: actionOf(notice.exec).id,
      kind: 'notify',
      step: 'open',
      receiverId: null,
      title: kind.label,
      text: `${one.device.name} ${kind.label}，${words}`,
      attempts: notice.state === 'failed' ? 3 : 1,
      time: one.at + 32_000,
    })
  }
  for (const [n, run] of one.runs.entries()) {
    const action = actionOf(run.exec)
    const { command, stopCommand } = action.definition as { command: string; stopCommand?: string }
    const ran = run.result === 'recovered' || run.result === 'done'
    const began = one.at + 2_000
    const stopped = run.result === 'recovered' ? cleared + 1_500 : began
    const runId = idOf(city.seed, 'linkageRun', id, run.target.id, command)
    await sql`insert into linkage_run (id, project_code, exec_id, exec_name, rule_id, command, device_id, device_name, family, definition, level, state, result, reason, cmd_id,
        stop_cmd_id, attempts, stop_attempts, failed, start_time, end_time, pm10_before, pm10_after, due_at, create_time)
      values (${runId}, ${one.project}, ${action.id}, ${action.name}, ${rule}, ${command}, ${run.target.id}, ${run.target.name}, ${run.target.family},
        ${JSON.stringify(action.definition)}::jsonb, ${kind.level}, 'ended', ${run.result}, ${run.reason}, ${idOf(city.seed, 'cmd', runId)}, ${idOf(city.seed, 'stopCmd', runId)},
        ${ran || run.result === 'refused' ? 1 : 0}, ${run.result === 'recovered' ? 1 : 0}, ${run.result === 'refused'}, ${ran ? new Date(began) : null},
        ${new Date(ran ? stopped : cleared)}, ${run.pm10?.[0] ?? null}, ${run.pm10?.[1] ?? null}, ${new Date(stopped)}, ${at})`.execute(tx)
    await sql`insert into linkage_run_alarm (run_id, alarm_id, project_code, joined_at) values (${runId}, ${id}, ${one.project}, ${at})`.execute(
      tx,
    )
    const said = async (step: 'start' | 'stop' | 'hold', state: string, text: string, time: number) => {
      const titles = { start: '联动启动', stop: '联动停止', hold: '联动未启动' }
      await logged({
        key: `run ${n} ${step}`,
        exec: action.id,
        kind: 'linkage',
        step,
        channel: command,
        receiverId: run.target.id,
        receiver: run.target.name,
        title: `${titles[step]}：${run.target.name}`,
        text,
        state,
        result: run.reason,
        attempts: state === 'held' ? 0 : 1,
        time,
      })
      await line(time, 'linkage', `${action.name} · ${run.target.name}：${text}`)
    }
    if (ran) await said('start', 'sent', '已执行', began)
    else if (run.result === 'refused') await said('start', 'failed', `启动失败：${run.reason}`, began)
    else await said('hold', 'held', `未启动：${run.reason}`, began)
    if (ran && stopCommand) await said('stop', 'sent', `停止：${run.reason}`, stopped)
    if (run.pm10) {
      const data = {
        startTime: new Date(began).toISOString(),
        endTime: new Date(stopped).toISOString(),
        durationSeconds: Math.round((stopped - began) / 1000),
        trigger: 'linkage',
        ruleId: rule,
        pm10Before: run.pm10[0],
        pm10After: run.pm10[1],
        result: 'done',
      }
      await sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at)
        values (${run.target.id}, ${one.project}, ${new Date(stopped)}, ${`linkage:${runId}`}, 'sprayRecord', ${JSON.stringify(data)}::jsonb, ${new Date(stopped)})`.execute(
        tx,
      )
    }
  }
  await line(cleared, 'clear', '恢复正常')
}
