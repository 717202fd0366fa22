import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { soundFrameResults } from './frame-words.ts'

const recentMinutes = 10
/** Number of newest readings that decide the clock error; after this many correct ones the clock counts as corrected. */
const newestForClock = 5
/** Largest accepted clock error, in seconds. A larger one puts readings, and therefore rules, into the wrong minute. */
export const clockLimitSeconds = 60

export interface Health {
  delaySeconds: number | null
  ratePerMin: number
  expectedPerMin: number
  badFrames24h: number
  /** Positive if the device's clock is fast. */
  clockSkewSeconds: number | null
  doubtful: string[]
}

interface Row {
  id: string
  readings: number
  skew: number | null
  delay: number | null
  badFrames: number
  interval: number
  quality: Record<string, string> | null
}

/**
 * Connection health for the devices of one page. The clock error is the smallest lag of the newest readings; the rest of each lag is
 * transport.
 */
export async function findHealth(ctx: Pick<Context, 'db' | 'clock'>, ids: readonly string[]): Promise<Map<string, Health>> {
  if (ids.length === 0) return new Map()
  const now = ctx.clock.now()
  const { rows } = await sql<Row>`
    select d.id, t.readings, t.skew, extract(epoch from l.received_at - l.ts)::float8 as delay, d.interval_seconds::float8 as interval, l.quality,
      (select count(*)::int from device_frame f where f.device_id = d.id and f.time > ${new Date(now - 86_400_000)} and not f.result = any (${[...soundFrameResults]})) as bad_frames
    from device d left join device_latest l on l.device_id = d.id
    cross join lateral (select count(*)::int as readings, min(x.lag) filter (where x.nth <= ${newestForClock}) as skew from (
      select extract(epoch from r.received_at - r.ts)::float8 as lag, row_number() over (order by r.received_at desc, r.ts desc) as nth from telemetry r
      where r.device_id = d.id and r.received_at > ${new Date(now - recentMinutes * 60_000)} and r.ts > ${new Date(now - 2 * 86_400_000)}) x) t
    where d.id = any (${[...ids]})`.execute(ctx.db)
  const round = (n: number | null) => (n === null ? null : Math.round(n * 10) / 10)
  return new Map(
    rows.map((r) => [
      r.id,
      {
        delaySeconds: r.delay === null ? null : round(Math.max(0, r.delay - Math.min(0, r.skew ?? 0))),
        ratePerMin: Math.round((r.readings / recentMinutes) * 10) / 10,
        expectedPerMin: Math.round((60 / Math.max(0.1, r.interval)) * 100) / 100,
        badFrames24h: r.badFrames,
        clockSkewSeconds: round(r.skew === null ? null : -r.skew),
        doubtful: Object.keys(r.quality ?? {}),
      },
    ]),
  )
}

/** Frames received within the last hour, by result. */
export interface FrameFacts {
  /** Any frame at all, decoded or not. */
  came: boolean
  /** Decoded, but only heartbeats and responses. */
  onlyAccepted: boolean
  /** The newest frame refused for its time, if nothing was stored since. */
  badTime: string | null
  /** The decoder's hint for the newest bad frame. */
  badHint: string | null
}

export interface SelfCheckFacts {
  inService: boolean
  frames: FrameFacts
  heardSeconds: number | null
  offlineSeconds: number
  /** Expected reporting interval. */
  intervalSeconds: number
  refusedReason: string | null
  gateway: { online: boolean; enabled: boolean; name: string } | null
  badFramesHour: number
  skewSeconds: number | null
  doubtful: readonly string[]
  rules: number
  waitsForReview: boolean
}

/** Tolerance for clock and network delays. */
const steadySeconds = 60
const durationWords = (seconds: number) => (seconds < 120 ? `${Math.round(seconds)} 秒` : `${Math.round(seconds / 60)} 分钟`)

/** Connection checks from the socket to the page, in the order of the data path. Checks after the first failure are undetermined. */
export function selfChecks(f: SelfCheckFacts) {
  const heard = f.heardSeconds !== null && f.heardSeconds <= f.offlineSeconds
  const steps: { key: string; label: string; ok: boolean; good: string; bad: string }[] = [
    {
      key: 'connected',
      label: '已连接',
      // A device whose frames are all refused is still connected: cable and address are right.
      ok: heard || f.refusedReason !== null || f.frames.came || (f.gateway?.online ?? false),
      good: f.gateway ? `网关 ${f.gateway.name} 在线` : '平台收到过它的报文',
      bad: f.gateway
        ? f.gateway.enabled
          ? `网关 ${f.gateway.name} 离线，先恢复网关的电源和网络`
          : `网关 ${f.gateway.name} 已停用，先在网关管理中启用`
        : '没有收到任何报文，检查设备的平台地址、端口和网络',
    },
    {
      key: 'authenticated',
      label: '鉴权通过',
      ok: f.refusedReason === null,
      good: '标识与密钥正确',
      bad: f.refusedReason ?? '',
    },
    {
      key: 'format',
      label: '格式正确',
      ok: f.badFramesHour === 0,
      good: '一小时内没有错误帧',
      bad: `一小时内 ${f.badFramesHour} 帧错误：${f.frames.badHint ?? '在报文日志中查看每一帧的原因'}`,
    },
    {
      key: 'time',
      label: '时间正确',
      ok: f.frames.badTime === null && (f.skewSeconds === null || Math.abs(f.skewSeconds) <= clockLimitSeconds),
      good: '时钟偏差在 60 秒以内',
      bad: f.frames.badTime ?? `时钟${(f.skewSeconds ?? 0) > 0 ? '快' : '慢'} ${Math.abs(Math.round(f.skewSeconds ?? 0))} 秒，请校时`,
    },
    {
      key: 'range',
      label: '数值在范围',
      ok: f.doubtful.length === 0,
      good: '最新值都在量程内',
      bad: `${f.doubtful.join('、')} 超出量程或有故障标记，检查传感器与单位`,
    },
    {
      key: 'rules',
      label: '规则已匹配',
      ok: f.rules > 0,
      good: `${f.rules} 条规则生效`,
      bad: '没有生效的规则，在规则管理中启用',
    },
    {
      key: 'page',
      label: '已上页面',
      ok: f.inService && heard,
      good: '实时页面可见',
      bad: f.waitsForReview
        ? '设备待审核，通过后上页面'
        : !f.inService
          ? '设备没有投入使用'
          : f.frames.onlyAccepted
            ? '只收到心跳或应答，没有数据，检查设备的上报设置'
            : '当前没有新数据',
    },
    {
      key: 'steady',
      label: '持续上报',
      // One report may be lost; a second missing one means that the device has stopped.
      ok: f.heardSeconds !== null && f.heardSeconds <= Math.max(steadySeconds, 2 * f.intervalSeconds),
      good: `约每 ${f.intervalSeconds} 秒一次`,
      bad:
        f.heardSeconds === null
          ? '还没有数据'
          : `${durationWords(f.heardSeconds)}没有新数据，应约每 ${f.intervalSeconds} 秒一次：检查电源、网络和上报间隔`,
    },
  ]
  const first = steps.findIndex((s) => !s.ok)
  return steps.map(({ key, label, ok, good, bad }, i) => ({
    key,
    label,
    state: ok && (first === -1 || i < first) ? ('ok' as const) : i === first ? ('bad' as const) : ('waiting' as const),
    text: i === first ? bad : ok && (first === -1 || i < first) ? good : '等待上一步',
  }))
}
