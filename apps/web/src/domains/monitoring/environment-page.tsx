import { SoundOutlined, WarningFilled } from '@ant-design/icons'
import { listDevices } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { envDevice, envInfo, envLine, getFamily, openEnvDevices, sprayRecords, switchSpray } from '@zhugong/contract/telemetry/endpoints'
import { Button } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailSkeleton, Empty, ErrorPanel, Notice, Panel } from '#kit/feedback.tsx'
import { day, minuteOfDay, span, time, timeOfDay } from '#kit/format.ts'
import { metresFrom } from '#kit/geo.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { isStale, useLatest, useLiveState, useNow } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { setSound } from './alarm-sound.ts'
import { byUrgency, numberIn, told } from './crane-state.ts'
import { dark } from './dark.ts'
import { DeviceRail } from './device-rail.tsx'
import { EnvironmentPlan, type SprayLine, type StationMark, sprayColors, sprayWordColors } from './environment-plan.tsx'
import { soundOn, takeReading, useFamilyLive, useSite } from './family-live.ts'
import { Gauge, qualityNames, ticksOf, toneAgainst } from './gauge.tsx'
import './environment.css'
import './monitoring.css'
import { hourlyNoise, NoiseBars } from './noise-bars.tsx'
import { ProjectChooser } from './project-chooser.tsx'
import { Trend, type TrendPoint } from './trend.tsx'

const family = 'environment'
const trendMs = 150 * 60_000

export default function EnvironmentPage() {
  const projectCode = useProjectCode()
  return projectCode === '*' ? <ProjectChooser family={family} unit="监测站" /> : <Monitor key={projectCode} projectCode={projectCode} />
}

type Live = ReturnType<typeof useFamilyLive>
type Site = NonNullable<ReturnType<typeof useSite>['site']>
const noSite: Site = { origin: [0, 0], fence: [], buildings: [], roads: [], zones: [], gates: [], spray: [] }

function Monitor({ projectCode }: { projectCode: string }) {
  const query = usePageQuery()
  const go = useGo()
  const page = usePage()
  const live = useFamilyLive(projectCode, family)
  const ground = useSite(projectCode)
  const wanted = query.get('deviceId') ?? undefined
  const first = [...live.devices].sort((a, b) => (a.openLevel ?? 9) - (b.openLevel ?? 9) || Number(b.online) - Number(a.online))[0]?.id
  const selected = live.devices.some((one) => one.id === wanted) ? wanted : first
  if (live.loading || ground.loading || live.error || !selected) {
    return (
      <PageShell fill>
        <div className={live.loading || ground.loading ? '' : 'zg-card'} style={{ flex: 1 }}>
          {live.loading || ground.loading ? (
            <DetailSkeleton />
          ) : live.error ? (
            <ErrorPanel error={live.error} retry={live.retry} />
          ) : (
            <Empty hint="本项目还没有登记扬尘噪声监测站，登记后这里显示实时数据">
              <Button type="primary" onClick={() => go('/administration')}>
                去登记设备
              </Button>
            </Empty>
          )}
        </div>
      </PageShell>
    )
  }
  return (
    <>
      <Desk
        projectCode={projectCode}
        live={live}
        site={ground.site ?? noSite}
        selected={selected}
        onSelect={(deviceId) => go(page.path, { deviceId }, { replace: true })}
        onAlarm={(alarmId) => go(page.path, { deviceId: selected, alarmId }, { replace: true })}
      />
      <AlarmDrawer id={query.get('alarmId') ?? undefined} onClose={() => go(page.path, { deviceId: selected }, { replace: true })} />
    </>
  )
}

interface DeskProps {
  projectCode: string
  live: Live
  site: Site
  selected: string
  onSelect: (id: string) => void
  onAlarm: (id: string) => void
}

function sprayOf(name: string, online: boolean, reading: Reading | undefined): Omit<SprayLine, 'id'> {
  const pressure = numberIn(reading?.values, 'waterPressure')
  const on = reading?.values.running === '1'
  if (!online) return { name, state: 'offline', word: '离线' }
  if (pressure !== undefined && pressure < 0.05) return { name, state: 'dry', word: '无水' }
  return on ? { name, state: 'running', word: '运行' } : { name, state: 'standby', word: '待命' }
}

const stages: Readonly<Record<string, string>> = { earthwork: '土方阶段', structure: '主体结构阶段' }

function Desk({ projectCode, live, site, selected, onSelect, onAlarm }: DeskProps) {
  const page = usePage()
  const state = useLiveState()
  const sound = soundOn()
  const everyMs = page.active ? (state === 'online' ? 60_000 : 10_000) : undefined
  const often = everyMs ? { everyMs } : {}
  const file = useCall(envDevice, { params: { id: selected } }, { quiet: true, keepPrevious: true, ...often })
  const info = useCall(envInfo, { params: { id: selected } }, { quiet: true, ...often })
  const places = useCall(openEnvDevices, { query: { projectCode, size: 200 } }, { quiet: true, staleMs: 600_000 })
  const kind = useCall(getFamily, { params: { key: family } }, { quiet: true, staleMs: 3_600_000 })
  const sprayList = useCall(
    listDevices,
    { query: { projectCode, family: 'sprayController', with: 'latest', size: 100 } },
    { quiet: true, ...often },
  )
  const sprayDevices = sprayList.data?.list
  const ids = useMemo(
    () => [...live.devices.map((one) => one.id), ...(sprayDevices ?? []).map((one) => one.id)],
    [live.devices, sprayDevices],
  )
  const readings = useLatest(ids, projectCode)
  useEffect(() => {
    for (const one of sprayDevices ?? []) takeReading(one.id, one.latest)
  }, [sprayDevices])
  useEffect(() => takeReading(selected, info.data?.latest), [info.data, selected])
  const skew = useMemo(() => (info.data ? info.data.now - Date.now() : 0), [info.data])
  const now = useNow(1000) + skew
  const intervalMs = (info.data?.intervalSeconds ?? 60) * 1000
  const offlineMs = (kind.data?.offlineSeconds ?? 600) * 1000
  const limits = info.data?.limits ?? []
  const params = file.data?.deviceId === selected ? file.data.params : undefined
  const [dayStart] = useState(() => Date.parse(`${day(Date.now())}T00:00:00+08:00`))
  const runs = useCall(
    sprayRecords,
    { query: { projectCode, startTime: time(dayStart), size: 100, sort: '-time' } },
    { quiet: true, keepPrevious: true, ...often },
  )

  const sprays = (sprayDevices ?? []).map((one): SprayLine => ({ id: one.id, ...sprayOf(one.name, one.online, readings.get(one.id)) }))
  const stations = live.devices.map((row) => {
    const reading = readings.get(row.id)
    const pm10 = numberIn(reading?.values, 'pm10')
    const at = reading?.at ?? row.lastTime ?? undefined
    const stale = isStale(at, now, intervalMs)
    return {
      id: row.id,
      name: row.name,
      label: row.name,
      note: row.installPlace && row.installPlace !== row.name ? row.installPlace : (row.modelName ?? row.deviceSn),
      at,
      stale,
      pm10,
      told: told({
        online: row.online,
        reading,
        lastTime: row.lastTime,
        intervalMs,
        now,
        alarm: live.openAlarm(row.id),
        activated: row.status === '1',
        fine: pm10 === undefined ? '在线' : `PM10 ${pm10.toFixed(0)}`,
      }),
      ...(stale && at !== undefined
        ? {
            more: [
              `最后 PM10 ${pm10?.toFixed(0) ?? '--'}，不参与喷淋`,
              ...(row.online ? [`满 ${span(offlineMs)}（${timeOfDay(at + offlineMs)}）判离线`] : []),
            ],
          }
        : {}),
    }
  })
  const placeById = useMemo(
    () =>
      new Map(
        (places.data?.list ?? []).flatMap(({ deviceId, lng, lat }) =>
          lng === null || lat === null ? [] : [[deviceId, metresFrom(site.origin, [lng, lat])] as const],
        ),
      ),
    [places.data, site],
  )
  const marks = live.devices.flatMap((row): StationMark[] => {
    const station = stations.find((one) => one.id === row.id)
    const at = placeById.get(row.id)
    if (!station || !at) return []
    return [
      {
        id: row.id,
        label: row.name,
        at,
        stale: station.stale || !row.online,
        told: station.told,
        text:
          station.stale && station.at !== undefined
            ? `${station.pm10?.toFixed(0) ?? '--'}，${span(now - station.at)}前`
            : `PM10 ${station.pm10?.toFixed(0) ?? '--'}`,
      },
    ]
  })
  const reading = readings.get(selected)
  const speed = numberIn(reading?.values, 'windSpeed')
  const from = numberIn(reading?.values, 'windDirection')
  const stale = isStale(reading?.at, now, intervalMs)
  const tspLimit = limits.find((one) => one.alarmKey === 'tspHourly')?.value
  const noise = info.data?.noiseLimit
  const said = [
    `${stages[String(params?.stage)] ?? '施工阶段未填'}${tspLimit ? `，TSP 限值 ${tspLimit}` : ''}`,
    noise && `噪声${noise.period} ${noise.value} dB，${minuteOfDay(noise.until)} 起换限值`,
  ].filter(Boolean)

  return (
    <PageShell
      fill
      actions={
        <>
          <span className="mon-said">{said.join('；')}</span>
          <Button icon={<SoundOutlined />} aria-pressed={sound.on} onClick={() => setSound(!sound.on)}>
            告警声 {sound.on ? '开' : '关'}
          </Button>
        </>
      }
    >
      <div className="mon env">
        <div className="env-left">
          <Panel
            title={`监测站 ${live.devices.length} 个`}
            actions={<span className="mon-legend">在线 {live.devices.filter((one) => one.online).length}</span>}
          >
            <DeviceRail items={[...stations].sort(byUrgency)} selected={selected} onSelect={onSelect} />
          </Panel>
          <Panel title="喷淋设备" actions={<span className="mon-legend">{sprays.length} 台</span>}>
            <ul className="env-sprays">
              {sprays.map((one) => (
                <li key={one.id}>
                  <span
                    className={`mon-dot ${one.state === 'standby' || one.state === 'offline' ? '' : 'mon-dot-full'}`}
                    style={{ color: one.state === 'standby' ? dark.label : sprayColors[one.state] }}
                  />
                  {one.name}
                  <span style={{ color: sprayWordColors[one.state] }}>{one.word}</span>
                </li>
              ))}
              {sprays.length === 0 && <li style={{ color: dark.label }}>未安装喷淋</li>}
            </ul>
          </Panel>
          <Today live={live} runs={runs.data?.list ?? []} dayStart={dayStart} onAlarm={onAlarm} />
        </div>
        <Panel
          title="平面"
          actions={
            <span className="mon-legend">
              <span className="optional">
                <i style={{ background: sprayColors.running }} />
                运行
              </span>
              <span className="optional">
                <i style={{ background: sprayColors.standby }} />
                待命
              </span>
              <span className="optional" style={{ color: dark.limit }}>
                ··· 无水
              </span>
              <span className="optional" style={{ color: dark.limitWarning }}>
                橙色为推算扩散方向
              </span>
              {timeOfDay(reading?.at)} 更新
            </span>
          }
        >
          {state === 'offline' && <Notice tone="warning">实时通道已断开，正在重连，每 10 秒读取一次</Notice>}
          <EnvironmentPlan
            site={site}
            stations={marks}
            selected={selected}
            sprays={sprays}
            wind={speed === undefined || from === undefined ? undefined : { speed, from }}
            windStale={stale}
            onSelect={onSelect}
          />
        </Panel>
        <Tiles
          name={live.devices.find((one) => one.id === selected)?.name ?? ''}
          reading={reading}
          alarm={live.openAlarm(selected)}
          info={info.data}
          deviceId={selected}
          dayStart={dayStart}
          now={now}
          intervalMs={intervalMs}
          stage={stages[String(params?.stage)]}
        />
        <DustTrend
          deviceId={selected}
          name={live.devices.find((one) => one.id === selected)?.name ?? ''}
          reading={reading}
          limits={limits}
          background={numberIn(params, 'pm10Background')}
          runs={runs.data?.list ?? []}
          now={now}
          intervalMs={intervalMs}
        />
        <Spraying sprays={sprays} runs={runs.data?.list ?? []} error={runs.data ? undefined : runs.error} retry={runs.refetch} />
      </div>
    </PageShell>
  )
}

type Run = { id: string; deviceName: string; time: number; data: Record<string, unknown> }
const seconds = (run: Run): number => numberIn(run.data, 'durationSeconds') ?? 0
const startOf = (run: Run): number => {
  const given = run.data.startTime
  const at = typeof given === 'string' ? Date.parse(given) : typeof given === 'number' ? given : Number.NaN
  return Number.isNaN(at) ? run.time - seconds(run) * 1000 : at
}
const triggers: Readonly<Record<string, string>> = { manual: '手动', timer: '定时', linkage: '联动' }

function Today({ live, runs, dayStart, onAlarm }: { live: Live; runs: readonly Run[]; dayStart: number; onAlarm: (id: string) => void }) {
  const today = live.alarms.filter((one) => one.startTime >= dayStart && one.alarmKey !== 'offline')
  const minutes = Math.round(runs.reduce((sum, one) => sum + seconds(one), 0) / 60)
  const water = runs.reduce((sum, one) => sum + (numberIn(one.data, 'waterVolume') ?? 0), 0)
  const over = today.filter((one) => one.level <= 3)
  const events = [
    ...live.alarms.flatMap((one) => [
      { at: one.fireTime, text: `${one.deviceName} ${one.alarmLabel}`, color: one.level <= 2 ? dark.limit : dark.limitWarning, id: one.id },
      ...(one.clearTime === null
        ? []
        : [{ at: one.clearTime, text: `${one.deviceName} ${one.alarmLabel} 已恢复`, color: dark.fine, id: one.id }]),
    ]),
    ...runs.map((one) => ({
      at: one.time,
      text: `${one.deviceName} 喷淋 ${Math.round(seconds(one) / 60)} 分`,
      color: dark.text,
      id: undefined,
    })),
    ...live.events.flatMap((one) => {
      const who = live.devices.find((row) => row.id === one.deviceId)?.name
      return who ? [{ at: one.at, text: `${who} ${one.online ? '上线' : '离线'}`, color: '#C2CEDC', id: undefined }] : []
    }),
  ]
    .sort((a, b) => b.at - a.at)
    .slice(0, 10)
  return (
    <Panel title="今天" style={{ flex: 1 }}>
      <dl className="env-today">
        <div>
          <dt>超标告警</dt>
          <dd>
            {over.length > 0 && <small>未恢复 {over.filter((one) => one.active).length}</small>} <b>{over.length} 次</b>
          </dd>
        </div>
        <div>
          <dt>预警</dt>
          <dd>
            <b>{today.length - over.length} 次</b>
          </dd>
        </div>
        <div>
          <dt>喷淋</dt>
          <dd>
            <small>
              {minutes} 分{water > 0 ? ` · ${water.toFixed(1)} m³` : ''}
            </small>{' '}
            <b>{runs.length} 次</b>
          </dd>
        </div>
      </dl>
      <div className="mon-sub">最近事件</div>
      <ul className="mon-events" style={{ maxHeight: 'none' }}>
        {events.length === 0 && <li style={{ color: dark.label }}>近期没有事件</li>}
        {events.map((one) => (
          <li key={`${one.at}${one.text}`}>
            <time title={time(one.at)}>{timeOfDay(one.at)}</time>
            {one.id ? (
              <button type="button" className="zg-bare" onClick={() => onAlarm(one.id)}>
                <span style={{ color: one.color }}>{one.text}</span>
              </button>
            ) : (
              <span style={{ color: one.color }}>{one.text}</span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

interface TilesProps {
  name: string
  reading: Reading | undefined
  alarm: { level: number; label: string } | undefined
  info: OutputFor<typeof envInfo> | undefined
  deviceId: string
  dayStart: number
  now: number
  intervalMs: number
  stage: string | undefined
}

function Tiles({ name, reading, alarm, info, deviceId, dayStart, now, intervalMs, stage }: TilesProps) {
  const page = usePage()
  const noiseLine = useCall(
    envLine,
    { query: { deviceId, startTime: time(dayStart), metrics: 'noise', points: 288 } },
    { quiet: true, keepPrevious: true, ...(page.active ? { everyMs: 300_000 } : {}) },
  )
  const hours = useMemo(() => hourlyNoise(noiseLine.data?.list ?? [], 'noise', dayStart), [noiseLine.data, dayStart])
  const limits = info?.limits ?? []
  const v = (key: string) => numberIn(reading?.values, key)
  const stale = isStale(reading?.at, now, intervalMs)
  const left = 60 - Math.floor((now / 60_000) % 60)
  const common = (key: string) => {
    const said = reading?.quality?.[key]
    return { at: reading?.at, now, stale, doubt: said === undefined ? undefined : (qualityNames[said] ?? said) }
  }
  const mean = (key: string) => info?.hour[key]
  const noiseKey = v('leq') === undefined ? 'noise' : 'leq'
  const noiseTicks = [
    { key: 'noiseNight', word: '夜' },
    { key: 'noiseDay', word: '昼' },
  ].flatMap(({ key, word }) => {
    const found = limits.find((one) => one.alarmKey === key)
    return found?.value == null
      ? []
      : [
          {
            at: found.value,
            text: `${word} ${found.value}`,
            tone: info?.noiseLimit.value === found.value ? ('alarm' as const) : ('plain' as const),
            title: found.text,
          },
        ]
  })
  const dayLimit = limits.find((one) => one.alarmKey === 'noiseDay')?.value ?? 70
  const nightLimit = limits.find((one) => one.alarmKey === 'noiseNight')?.value ?? 55
  const loud = v(noiseKey)
  return (
    <Panel
      title={name}
      remark={
        alarm && (
          <span style={{ color: alarm.level === 1 ? dark.alarm : dark.warning, fontSize: 13, fontWeight: 600 }}>
            <WarningFilled /> {alarm.level} 级 {alarm.label}
          </span>
        )
      }
      actions={
        <span className="mon-legend" title={`设备 ${time(reading?.at)}，接收 ${time(reading?.receivedAt)}`}>
          {timeOfDay(reading?.at)}
        </span>
      }
    >
      {reading === undefined ? (
        <Empty small text="尚未收到数据" hint="监测站接入后显示读数" />
      ) : (
        <div className="mon-gauges">
          <Gauge
            label="PM10"
            remark={mean('pm10') === undefined ? undefined : `本小时均值 ${mean('pm10')?.toFixed(0)}，剩 ${left} 分`}
            value={v('pm10')}
            unit="μg/m³"
            decimals={0}
            high={Math.max(200, (v('pm10') ?? 0) * 1.15)}
            ticks={ticksOf(limits, 'pm10', 200)}
            tone={toneAgainst(limits, 'pm10', v('pm10'))}
            mean={mean('pm10')}
            {...common('pm10')}
          />
          <Gauge
            label="PM2.5"
            remark={mean('pm25') === undefined ? undefined : `均值 ${mean('pm25')?.toFixed(0)}`}
            value={v('pm25')}
            unit="μg/m³"
            decimals={0}
            high={100}
            ticks={ticksOf(limits, 'pm25', 100)}
            tone={toneAgainst(limits, 'pm25', v('pm25'))}
            mean={mean('pm25')}
            {...common('pm25')}
          />
          <Gauge
            label="TSP"
            remark={stage}
            value={v('tsp')}
            unit="μg/m³"
            decimals={0}
            high={900}
            ticks={ticksOf(limits, 'tsp', 900)}
            tone={toneAgainst(limits, 'tsp', v('tsp'))}
            mean={mean('tsp')}
            {...common('tsp')}
          />
          <Gauge
            label={noiseKey === 'leq' ? '噪声 Leq' : '噪声'}
            remark={info?.noiseLimit.period}
            value={loud}
            unit="dB"
            low={30}
            high={90}
            ticks={noiseTicks}
            tone={loud !== undefined && info && loud > info.noiseLimit.value ? 'warning' : 'fine'}
            mean={mean(noiseKey)}
            {...common(noiseKey)}
          />
          <div className="env-noise">
            <div>
              今日小时噪声 dB
              <span>
                气温 {v('temperature')?.toFixed(1) ?? '--'} ℃　湿度 {v('humidity')?.toFixed(0) ?? '--'} %
              </span>
            </div>
            <NoiseBars hours={hours} day={dayLimit} night={nightLimit} nowHour={Math.floor((now - dayStart) / 3_600_000)} />
          </div>
        </div>
      )}
    </Panel>
  )
}

function DustTrend({
  deviceId,
  name,
  reading,
  limits,
  background,
  runs,
  now,
  intervalMs,
}: {
  deviceId: string
  name: string
  reading: Reading | undefined
  limits: Parameters<typeof ticksOf>[0]
  background: number | undefined
  runs: readonly Run[]
  now: number
  intervalMs: number
}) {
  const page = usePage()
  const minute = Math.floor(now / 60_000) * 60_000
  const [since] = useState(() => time(Date.now() - trendMs - 120_000))
  const line = useCall(
    envLine,
    { query: { deviceId, startTime: since, metrics: 'pm10', points: 400 } },
    { quiet: true, keepPrevious: true, ...(page.active ? { everyMs: 120_000 } : {}) },
  )
  const points = useMemo(() => {
    const asked = (line.data?.list ?? []).flatMap((one): TrendPoint[] => {
      const mean = one.v.pm10?.[0]
      return mean === undefined ? [] : [{ time: one.time, value: mean }]
    })
    const value = numberIn(reading?.values, 'pm10')
    const last = asked.at(-1)?.time ?? 0
    return reading && value !== undefined && reading.at > last ? [...asked, { time: reading.at, value }] : asked
  }, [line.data, reading])
  const marks = ticksOf(limits, 'pm10', 200)
  return (
    <Panel
      title="PM10 近 150 分钟"
      remark={`${name}，分钟均值，μg/m³`}
      actions={<span className="mon-legend">{background === undefined ? '' : '- - 区域站　'}▬ 喷淋</span>}
    >
      {line.error && !line.data ? (
        <ErrorPanel error={line.error} retry={line.refetch} />
      ) : (
        <Trend
          label="PM10 近 150 分钟"
          points={points}
          from={minute - trendMs}
          to={minute + 60_000}
          high={Math.max(180, ...points.map((one) => one.value + 10))}
          gapMs={Math.max(3 * intervalMs, (line.data?.bucketSeconds ?? 0) * 2500)}
          ticks={[0, 60]}
          decimals={0}
          limits={marks.map((one) => ({
            at: one.at,
            tone: one.tone === 'alarm' || one.at >= 150 ? 'alarm' : 'warning',
            text: `${one.at >= 150 ? '限值' : '预警'} ${one.text}`,
          }))}
          reference={background === undefined ? undefined : { value: background, text: `区域站 ${background}` }}
          blocks={runs.map((one) => ({
            from: startOf(one),
            to: startOf(one) + seconds(one) * 1000,
            text: `${one.deviceName} ${minuteOfDay(startOf(one))} 喷淋`,
          }))}
        />
      )}
    </Panel>
  )
}

function Spraying({
  sprays,
  runs,
  error,
  retry,
}: {
  sprays: readonly SprayLine[]
  runs: readonly Run[]
  error: unknown
  retry: () => unknown
}) {
  const [chosen, setChosen] = useState<string>()
  const running = sprays.filter((one) => one.state === 'running')
  const target = sprays.find((one) => one.id === chosen) ?? running[0] ?? sprays.find((one) => one.state === 'standby')
  const act = useAct(switchSpray, {
    success: false,
    onDone: ({ message, result }) => (result === 0 ? notify.success(message) : notify.warning(message)),
  })
  const start = async () => {
    if (!target) return
    const reason = await askReason(`启动 ${target.name} 喷淋 10 分钟`, '事由')
    if (reason) void act.run({ body: { deviceId: target.id, status: '1', minutes: 10, reason } })
  }
  const stop = async () => {
    if (!target) return
    const yes = await confirmDanger({
      thing: `停止 ${target.name} 喷淋`,
      consequence: '立即关阀，本次用水到此为止；定时与手动启动不受影响。',
      verb: `停止 ${target.name}`,
      keep: '继续喷淋',
    })
    if (yes) void act.run({ body: { deviceId: target.id, status: '0' } })
  }
  return (
    <Panel
      title="喷淋"
      actions={
        <span className="mon-legend" style={running.length > 0 ? { color: '#7DBEFF' } : {}}>
          {running.length > 0 ? `${running.length} 台运行中` : '待命'}
        </span>
      }
    >
      <div className="env-spraying">
        <div className="strip">
          {sprays.map((one) => (
            <button
              key={one.id}
              type="button"
              className="zg-bare"
              aria-pressed={one.id === target?.id}
              data-state={one.state}
              onClick={() => setChosen(one.id)}
            >
              {one.name} {one.word}
            </button>
          ))}
        </div>
        {error ? (
          <ErrorPanel error={error} retry={retry} />
        ) : (
          <ul>
            {runs.slice(0, 4).map((one) => {
              const before = numberIn(one.data, 'pm10Before')
              const after = numberIn(one.data, 'pm10After')
              return (
                <li key={one.id}>
                  <time title={time(startOf(one))}>{minuteOfDay(startOf(one))}</time>
                  <span>
                    {one.deviceName} {Math.round(seconds(one) / 60)} 分 {triggers[String(one.data.trigger)] ?? ''}
                  </span>
                  <b>{before === undefined || after === undefined ? '--' : `${before.toFixed(0)} → ${after.toFixed(0)}`}</b>
                  <em>
                    {before && after !== undefined
                      ? `${after <= before ? '−' : '+'}${Math.abs(((after - before) / before) * 100).toFixed(0)} %`
                      : ''}
                  </em>
                </li>
              )
            })}
            {runs.length === 0 && <li style={{ color: dark.label }}>今天还没有喷淋记录</li>}
          </ul>
        )}
        <Can call={switchSpray}>
          <div className="acts">
            <Button danger ghost disabled={target?.state !== 'running'} loading={act.running} onClick={() => void stop()}>
              停止 {target?.state === 'running' ? target.name : ''}
            </Button>
            <Button ghost disabled={target?.state !== 'standby'} loading={act.running} onClick={() => void start()}>
              启动 {target?.state === 'standby' ? target.name : ''}
            </Button>
          </div>
        </Can>
      </div>
    </Panel>
  )
}
