import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { dayMs, startOfShanghaiDay } from '@zhugong/contract/kit/time'
import { waterInfo, waterLine } from '@zhugong/contract/monitoring/meter/meters'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Panel } from '#kit/feedback.tsx'
import { measure, shortTime, thousands, time } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { numberIn } from '../crane-state.ts'
import { EventList, eventsOf } from '../family-events.tsx'
import {
  type Desk,
  FamilyMonitor,
  gaugesOf,
  InstrumentPanel,
  MonitorFrame,
  RailPanel,
  type Readings,
  useEveryMs,
  useReadings,
} from '../family-monitor.tsx'
import { Gauge, ticksOf, toneAgainst } from '../gauge.tsx'
import { MetricTrend } from '../metric-trend.tsx'
import { MonitorActions } from '../monitor-actions.tsx'
import '../monitoring.css'
import '../weigh/yard.css'
import { Sum } from './electric-page.tsx'
import { LineDiagram } from './line-diagram.tsx'
import './meter.css'
import { EntriesButton, meterOf } from './meter-entries.tsx'
import { leakFlow } from './meter-state.ts'
import { UseBars } from './use-bars.tsx'
import { useSiteMeters } from './use-site-meters.ts'
import { ValveActions } from './valve.tsx'

const trendMs = 4 * 3_600_000
/** Planned use at night (curing, tests) is not a leak; a burst is still reported. */
const plannedNight = ['leak']
/** Battery meters report once an hour; their values are valid for three hours. */
const usualIntervalMs = 3_600_000
const valveWords: Readonly<Record<string, string>> = { 0: '阀开', 1: '阀关', 3: '阀门异常' }

/** Live page of water meters. */
export default function WaterPage() {
  return (
    <FamilyMonitor family="waterMeter" module="meters" unit="水表" emptyHint="登记水表后，这里显示管路、流量与夜间最小流量">
      {(desk) => <Meters desk={desk} />}
    </FamilyMonitor>
  )
}

function Meters({ desk }: { desk: Desk }) {
  const { selected, live } = desk
  const info = useCall(waterInfo, { params: { id: selected } }, { quiet: true, keepPrevious: true, ...useEveryMs(60_000) })
  const own = info.data?.deviceId === selected ? info.data : undefined
  const reported = useReadings(desk, own)
  const isOld = reported.reading !== undefined && reported.now - reported.reading.at > 3 * usualIntervalMs
  const seen: Readings = { ...reported, intervalMs: Math.max(reported.intervalMs, usualIntervalMs), stale: isOld }
  const meters = useSiteMeters(desk, seen, {
    kind: 'water',
    metric: 'flowRate',
    unit: 'm³/h',
    decimals: 2,
    fine: (values) => valveWords[String(values?.valve)] ?? '在线',
  })
  const night = own && own.nights.length > 0 ? Math.min(...own.nights.map((one) => one.minFlow)) : undefined
  const leaking = live.alarms.filter((one) => one.active && (one.alarmKey === 'leak' || one.alarmKey === 'burst')).length
  return (
    <MonitorFrame
      className="mon-tower"
      said={`夜间 0 至 6 时持续高于 ${leakFlow} m³/h 视为疑似漏水；消防总管不能远程关阀`}
      actions={
        <MonitorActions
          desk={{ ...desk, replay: undefined }}
          past={false}
          service={{ label: '夜间用水计划（养护、检修）', kind: 'other', alarmKeys: plannedNight }}
          more={[{ label: '用水结算', href: hrefOf('/electric/record_2', { by: 'water' }) }]}
        >
          <EntriesButton meter={meterOf(desk)} />
          <ValveActions desk={desk} valve={String(seen.reading?.values.valve ?? '')} />
        </MonitorActions>
      }
    >
      <div className="mon-left yard-side">
        <RailPanel desk={desk} unit={`水表 ${live.devices.length} 块`} items={meters.rail} />
        <Panel title="全场">
          <dl className="yard-sums">
            <Sum label="当前流量" value={measure(meters.flow, 2)} unit="m³/h" />
            <Sum label="本月用水" value={meters.settled ? thousands(meters.monthUsage, 1) : '--'} unit="m³" />
            <Sum label="漏水、爆管" value={leaking} unit="处" tone={leaking > 0 ? 'yard-grave' : ''} />
            <Sum label="离线" value={live.devices.filter((one) => !one.online).length} unit="块" />
          </dl>
          <EventList events={eventsOf(live)} onAlarm={desk.openAlarm} />
        </Panel>
      </div>
      <div className="mon-plan-panel">
        <Panel title="管路" actions={<span className="mon-legend">线越粗流量越大　{shortTime(seen.reading?.at)} 更新</span>}>
          <LineDiagram main={meters.main} below={meters.below} selected={selected} source="streetMain" onSelect={desk.select} />
        </Panel>
      </div>
      <div className="mon-right">
        <InstrumentPanel desk={desk} reading={seen.reading} emptyHint="水表接入后显示读数">
          <WaterGauges seen={seen} info={own} night={night} />
        </InstrumentPanel>
      </div>
      <div className="mon-low">
        <MetricTrend
          call={waterLine}
          deviceId={selected}
          metric="flowRate"
          title="流量 近 4 小时"
          legend={(seconds) => `每 ${Math.round(seconds / 60) || 1} 分一点，m³/h`}
          spanMs={trendMs}
          points={180}
          readings={seen}
          high={0.5}
          room={0.3}
          drawn={{
            ticks: [0],
            peak: true,
            decimals: 2,
            reference: night === undefined ? undefined : { value: night, text: `近七夜最小 ${night.toFixed(2)}` },
          }}
        />
        <TodayUse deviceId={selected} now={seen.now} info={own} />
      </div>
    </MonitorFrame>
  )
}

type Info = OutputFor<typeof waterInfo>

function WaterGauges({ seen, info, night }: { seen: Readings; info: Info | undefined; night: number | undefined }) {
  const v = (key: string) => numberIn(seen.reading?.values, key)
  const { plain } = gaugesOf(seen)
  const most = numberIn(info?.params, 'maxFlow') ?? 40
  const battery = v('batteryVoltage')
  // The limit for leaks at night does not apply to the flow by day.
  const bursts = seen.limits.filter((one) => one.alarmKey === 'burst')
  return (
    <div className="mon-gauges">
      <Gauge
        {...plain('flowRate')}
        label="流量"
        remark={`累计 ${measure(v('totalVolume'), 1)} m³`}
        unit="m³/h"
        decimals={2}
        high={most * 1.12}
        ticks={ticksOf(bursts, 'flowRate', most)}
        tone={toneAgainst(bursts, 'flowRate', v('flowRate'))}
      />
      <Gauge
        {...plain('dayUsage')}
        label="今日用水"
        remark={info?.quota === null || info === undefined ? '未设置日定额' : `日定额 ${info.quota} m³`}
        value={info?.todayUsage ?? undefined}
        unit="m³"
        high={Math.max((info?.quota ?? 0) * 1.25, (info?.todayUsage ?? 0) * 1.2, 10)}
        ticks={info?.quota ? [{ at: info.quota, text: `定额 ${info.quota}`, tone: 'warning' }] : []}
        tone={info?.quota && (info.todayUsage ?? 0) > info.quota ? 'warning' : 'fine'}
      />
      <Gauge {...plain('pressure')} label="管压" unit="MPa" decimals={3} high={0.6} />
      <Gauge
        {...plain('batteryVoltage')}
        label="电池"
        value={battery}
        unit="V"
        decimals={2}
        low={2.8}
        high={3.8}
        ticks={ticksOf(seen.limits, 'batteryVoltage', 1)}
        tone={toneAgainst(seen.limits, 'batteryVoltage', battery)}
      />
      <div className="mon-sub">
        夜间最小流量 <span className="mon-legend">m³/h，0 至 6 时</span>
      </div>
      {info && info.nights.length > 0 ? (
        <>
          <dl className="meter-nights">
            {info.nights.map((one) => (
              <div key={one.day}>
                <dt>{one.day.slice(8)} 日</dt>
                <dd className={one.minFlow > leakFlow ? 'yard-warn' : ''}>{one.minFlow.toFixed(2)}</dd>
              </div>
            ))}
          </dl>
          <p className="yard-note">
            {night !== undefined && night > leakFlow
              ? `每夜都有 ${night.toFixed(2)} m³/h 在流，疑似漏水，先关末端阀门分段查`
              : '有夜间回到静止，没有持续漏水'}
          </p>
        </>
      ) : (
        info && <p className="yard-note">近七夜没有读数</p>
      )}
    </div>
  )
}

function TodayUse({ deviceId, now, info }: { deviceId: string; now: number; info: Info | undefined }) {
  const dayStart = useMemo(() => startOfShanghaiDay(now), [now])
  const line = useCall(
    waterLine,
    { query: { deviceId, startTime: time(dayStart - dayMs), step: 'hour', points: 48, metrics: 'flowRate' } },
    { quiet: true, keepPrevious: true, ...useEveryMs(300_000) },
  )
  const use = line.data?.usage ?? []
  return (
    <Panel
      title="每小时用水"
      actions={<span className="mon-legend">{`今日 ${measure(info?.todayUsage, 1)} m³　▬ 昨日 ${measure(info?.yesterdayUsage, 1)}`}</span>}
    >
      <UseBars
        label="每小时用水"
        unit="m³"
        dayStart={dayStart}
        today={use.filter((one) => one.time >= dayStart)}
        yesterday={use.filter((one) => one.time < dayStart)}
      />
    </Panel>
  )
}
