import { dayMs, startOfShanghaiDay } from '@zhugong/contract/kit/time'
import { electricInfo, electricLine } from '@zhugong/contract/monitoring/meter/meters'
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
import { Gauge } from '../gauge.tsx'
import { MetricTrend } from '../metric-trend.tsx'
import { MonitorActions } from '../monitor-actions.tsx'
import '../monitoring.css'
import '../weigh/yard.css'
import { LineDiagram } from './line-diagram.tsx'
import './meter.css'
import { EntriesButton, meterOf } from './meter-entries.tsx'
import { lossWords, supplyOf, supplyWords, suspectLossPercent, unbalanceOf, voltageBand } from './meter-state.ts'
import { PhaseBars } from './phase-bars.tsx'
import { UseBars } from './use-bars.tsx'
import { useSiteMeters } from './use-site-meters.ts'

const trendMs = 4 * 3_600_000

/** Live page of distribution boxes. */
export default function ElectricPage() {
  return (
    <FamilyMonitor family="electricMeter" module="meters" unit="电表" emptyHint="登记电表后，这里显示一次线路与各箱状态">
      {(desk) => <Boxes desk={desk} />}
    </FamilyMonitor>
  )
}

function Boxes({ desk }: { desk: Desk }) {
  const { selected, live } = desk
  const info = useCall(electricInfo, { params: { id: selected } }, { quiet: true, keepPrevious: true, ...useEveryMs(60_000) })
  const own = info.data?.deviceId === selected ? info.data : undefined
  const seen = useReadings(desk, own)
  const meters = useSiteMeters(desk, seen, {
    kind: 'electric',
    metric: 'activePower',
    unit: 'kW',
    decimals: 1,
    fine: (values) => supplyWords[supplyOf(values)],
  })
  const loss = meters.branch?.lossPercent
  return (
    <MonitorFrame
      className="mon-tower"
      said="漏电 200 mA 预警、300 mA 报警；线缆 60 ℃ 预警、70 ℃ 报警。平台不远程分合闸"
      actions={
        <MonitorActions
          desk={{ ...desk, replay: undefined }}
          past={false}
          service={{ label: '停电检修', kind: 'other' }}
          more={[
            { label: '读数记录', href: hrefOf('/electric/record', { deviceId: selected }) },
            { label: '水电结算', href: hrefOf('/electric/record_2') },
          ]}
        >
          <EntriesButton meter={meterOf(desk)} />
        </MonitorActions>
      }
    >
      <div className="mon-left yard-side">
        <RailPanel desk={desk} unit={`电表 ${live.devices.length} 块`} items={meters.rail} />
        <Panel title="全场">
          <dl className="yard-sums">
            <Sum label="当前功率" value={measure(meters.flow, 1)} unit="kW" />
            <Sum label="本月用电" value={meters.settled ? thousands(Math.round(meters.monthUsage)) : '--'} unit="kWh" />
            <Sum
              label="漏电、过温"
              value={live.alarms.filter((one) => one.active && grave.includes(one.alarmKey)).length}
              unit="处"
              tone={live.alarms.some((one) => one.active && grave.includes(one.alarmKey)) ? 'yard-grave' : ''}
            />
            <Sum label="离线" value={live.devices.filter((one) => !one.online).length} unit="块" />
          </dl>
          <EventList events={eventsOf(live)} onAlarm={desk.openAlarm} />
        </Panel>
      </div>
      <div className="mon-plan-panel">
        <Panel
          title="一次线路"
          remark={
            loss !== undefined && (
              <span className={Math.abs(loss) > suspectLossPercent ? 'yard-warn' : ''}>本月总表减分表：{lossWords(loss)}</span>
            )
          }
          actions={<span className="mon-legend">线越粗功率越大　{shortTime(seen.reading?.at)} 更新</span>}
        >
          <LineDiagram main={meters.main} below={meters.below} selected={selected} source="transformer" onSelect={desk.select} />
        </Panel>
      </div>
      <div className="mon-right">
        <BoxGauges desk={desk} seen={seen} rated={numberIn(own?.params, 'ratedCurrent')} />
      </div>
      <div className="mon-low">
        <MetricTrend
          call={electricLine}
          deviceId={selected}
          metric="activePower"
          title="有功功率 近 4 小时"
          legend={(seconds) => `每 ${Math.round(seconds / 60) || 1} 分一点，kW`}
          spanMs={trendMs}
          points={360}
          readings={seen}
          high={5}
          room={2}
          drawn={{ ticks: [0], peak: true }}
        />
        <TodayUse deviceId={selected} now={seen.now} sums={own} />
      </div>
    </MonitorFrame>
  )
}
const grave = ['residualAlarm', 'residualWarning', 'cableTempAlarm', 'cableTempWarning']

export const Sum = ({ label, value, unit, tone = '' }: { label: string; value: React.ReactNode; unit: string; tone?: string }) => (
  <div>
    <dt>{label}</dt>
    <dd className={tone}>
      <b>{value}</b>
      <small>{unit}</small>
    </dd>
  </div>
)

function BoxGauges({ desk, seen, rated }: { desk: Desk; seen: Readings; rated: number | undefined }) {
  const { reading } = seen
  const v = (key: string) => numberIn(reading?.values, key)
  const { plain, limited } = gaugesOf(seen)
  const currents = [v('currentA'), v('currentB'), v('currentC')]
  const apart = unbalanceOf(currents)
  return (
    <InstrumentPanel desk={desk} reading={reading} emptyHint="电表接入后显示读数">
      <div className="mon-gauges">
        <Gauge {...limited('residualCurrent', 400)} label="漏电流" unit="mA" decimals={0} />
        <Gauge
          {...limited('cableTemperature', 100)}
          label="线缆温度"
          remark={v('ambientTemperature') === undefined ? undefined : `箱内 ${v('ambientTemperature')?.toFixed(1)} ℃`}
          unit="℃"
        />
        <Gauge
          {...plain('activePower')}
          label="有功功率"
          remark={v('powerFactor') === undefined ? undefined : `功率因数 ${v('powerFactor')?.toFixed(3)}`}
          unit="kW"
          high={Math.max(50, (v('activePower') ?? 0) * 1.4)}
        />
        <PhaseBars
          title="相电压 V"
          values={[v('voltageA'), v('voltageB'), v('voltageC')]}
          low={180}
          high={250}
          decimals={1}
          isWrong={(n) => n < voltageBand.low || n > voltageBand.high}
          remark={`${voltageBand.low} 至 ${voltageBand.high}`}
          stale={seen.stale}
        />
        <PhaseBars
          title="相电流 A"
          values={currents}
          low={0}
          high={rated ?? Math.max(10, ...currents.map((one) => (one ?? 0) * 1.3))}
          decimals={1}
          isWrong={(n) => rated !== undefined && n > rated}
          remark={`${rated === undefined ? '' : `额定 ${rated}　`}${apart === undefined ? '' : `不平衡 ${apart.toFixed(0)} %`}`}
          stale={seen.stale}
        />
      </div>
    </InstrumentPanel>
  )
}

function TodayUse({
  deviceId,
  now,
  sums,
}: {
  deviceId: string
  now: number
  sums: { todayUsage: number | null; yesterdayUsage: number | null } | undefined
}) {
  const dayStart = useMemo(() => startOfShanghaiDay(now), [now])
  const line = useCall(
    electricLine,
    { query: { deviceId, startTime: time(dayStart - dayMs), step: 'hour', points: 48, metrics: 'activePower' } },
    { quiet: true, keepPrevious: true, ...useEveryMs(300_000) },
  )
  const use = line.data?.usage ?? []
  return (
    <Panel
      title="今日用电"
      actions={<span className="mon-legend">{`${measure(sums?.todayUsage, 1)} kWh　▬ 昨日 ${measure(sums?.yesterdayUsage, 1)}`}</span>}
    >
      <UseBars
        label="每小时用电"
        unit="kWh"
        dayStart={dayStart}
        today={use.filter((one) => one.time >= dayStart)}
        yesterday={use.filter((one) => one.time < dayStart)}
      />
    </Panel>
  )
}
