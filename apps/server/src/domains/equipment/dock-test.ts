import { protocolNames } from '@zhugong/contract/equipment/codes'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import { soundFrameResults } from './frame-words.ts'

/** The element type of factory.dock_tests. */
export interface DockTest {
  id: string
  protocol: string
  deviceId: string | null
  startedAt: number
  endedAt: number | null
  state: string
  reason: string | null
  by: string
  /** The checks as of the verdict: readings are deleted over time, the verdict stays. */
  checks?: DockCheck[]
}
export interface DockCheck {
  key: string
  label: string
  state: 'ok' | 'bad' | 'waiting'
  text: string
}

export interface DockFacts {
  readings: number
  late: number
  doubtful: number
  farOff: number
  badFrames: number
  alarms: number
}

const testMs = 24 * 3_600_000
/** Largest accepted clock error, in seconds; rules fail beyond it. */
const clockSeconds = 60

/** Judges a maker's interface by 24 hours of data from one device. */
export function dockChecks(facts: DockFacts, running: boolean): DockCheck[] {
  const waiting = running ? ('waiting' as const) : ('bad' as const)
  const heard = facts.readings > 0
  const check = (key: string, label: string, ok: boolean, good: string, bad: string, until = false) => ({
    key,
    label,
    state: ok ? ('ok' as const) : until ? waiting : ('bad' as const),
    text: ok ? good : bad,
  })
  return [
    check(
      'frame',
      '报文格式',
      heard && facts.badFrames === 0,
      `${facts.readings} 条全部正确`,
      heard ? `${facts.badFrames} 帧错误` : '尚未收到数据',
      !heard,
    ),
    check(
      'time',
      '时间',
      heard && facts.farOff === 0,
      '时钟偏差在 60 秒以内',
      heard ? `${facts.farOff} 条时间偏差过大` : '尚未收到数据',
      !heard,
    ),
    check(
      'units',
      '单位与量程',
      heard && facts.doubtful === 0,
      '数值都在量程内',
      heard ? `${facts.doubtful} 条超出量程或有故障标记` : '尚未收到数据',
      !heard,
    ),
    check('resend', '断线补传', facts.late > 0, `补传 ${facts.late} 条`, '断开网络后恢复，应补传断线期间的数据', true),
    check('alarm', '告警', facts.alarms > 0, `产生 ${facts.alarms} 条告警`, '使一项数值越限，应产生告警', true),
  ]
}

export async function findDockChecks(ctx: Pick<Context, 'db' | 'clock'>, tests: readonly DockTest[]) {
  const out = []
  for (const test of tests) {
    const until = test.endedAt ?? Math.min(ctx.clock.now(), test.startedAt + testMs)
    const [from, to] = [new Date(test.startedAt), new Date(until)]
    const { rows } = await sql<DockFacts & { name: string | null }>`
      select (select name from device where id = ${test.deviceId}) as name, t.readings, t.late, t.doubtful, t.far_off,
        (select count(*)::int from device_frame f where f.device_id = ${test.deviceId} and f.time between ${from} and ${to} and not f.result = any (${[...soundFrameResults]})) as bad_frames,
        (select count(*)::int from alarm a where a.device_id = ${test.deviceId} and a.fire_time between ${from} and ${to} and not a.simulated) as alarms
      from (select count(*)::int as readings, count(*) filter (where flag = 1)::int as late, count(quality)::int as doubtful,
          count(*) filter (where flag <> 1 and abs(extract(epoch from received_at - ts)) > ${clockSeconds})::int as far_off
        from telemetry where device_id = ${test.deviceId} and ts between ${from} and ${to}) t`.execute(ctx.db)
    const facts = rows[0] ?? { name: null, readings: 0, late: 0, doubtful: 0, farOff: 0, badFrames: 0, alarms: 0 }
    out.push({
      ...pick(test, 'id', 'state', 'reason'),
      protocol: protocolNames[test.protocol as keyof typeof protocolNames] ?? test.protocol,
      // The device id is returned only to users who may see the device.
      deviceId: facts.name === null ? null : test.deviceId,
      deviceName: facts.name,
      startedAt: formatInstant(test.startedAt),
      endedAt: test.endedAt ? formatInstant(test.endedAt) : null,
      byName: test.by,
      checks: test.checks ?? dockChecks(facts, test.state === '1'),
    })
  }
  return out
}
