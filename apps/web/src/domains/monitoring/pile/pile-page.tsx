import { type PileKind, pileKindOf } from '@zhugong/contract/monitoring/pile/pile-kinds'
import { findPiles, leanLimit, leastGroutShare, pileInfo, pileLine, pileReadings } from '@zhugong/contract/monitoring/pile/piles'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Panel } from '#kit/feedback.tsx'
import { shortTime, time } from '#kit/format.ts'
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
  railOf,
  useEveryMs,
  useReadings,
} from '../family-monitor.tsx'
import { Gauge } from '../gauge.tsx'
import { MetricTrend } from '../metric-trend.tsx'
import { MonitorActions } from '../monitor-actions.tsx'
import '../monitoring.css'
import { ReplayBar } from '../replay-bar.tsx'
import { useReplay } from '../use-replay.ts'
import './pile.css'
import { PileSection } from './pile-section.tsx'
import { barsOf, checksOf, curvesOf, lineMetrics, metresOf, thisPile } from './pile-state.ts'
import { PileTroubles, PileWorkActions } from './pile-work.tsx'

/** Longest time for one pile. */
const lineMs = 4 * 3_600_000
const linePoints = 1_000
const trendMs = 10 * 60_000
const usualCurrent = 300

export default function PilePage() {
  return (
    <FamilyMonitor family="pileFoundation" module="foundation-pile" unit="桩机" emptyHint="登记桩机后，这里显示正在成的桩">
      {(desk) => <Rigs desk={desk} />}
    </FamilyMonitor>
  )
}

/** Live page of pile rigs. */
function Rigs({ desk: today }: { desk: Desk }) {
  const { selected } = today
  const often = useEveryMs(30_000)
  const info = useCall(pileInfo, { params: { id: selected } }, { quiet: true, keepPrevious: true, ...often })
  const piles = useCall(findPiles, { query: { projectCode: today.projectCode, size: 1 } }, { quiet: true, ...often })
  const present = useReadings(today, info.data)
  const replay = useReplay(today, present, pileReadings)
  const { desk, seen } = replay ?? { desk: today, seen: present }
  const { reading, limits } = seen
  const own = info.data?.deviceId === selected ? info.data : undefined
  const work = replay ? null : (own?.work ?? null)
  const designDepth = work?.designDepth ?? numberIn(own?.params, 'designDepth')
  const depth = numberIn(reading?.values, 'depth')
  const pileNo =
    typeof reading?.values.pileNo === 'string' && reading.values.pileNo !== '' ? reading.values.pileNo : (work?.pileNo ?? '未指定桩号')
  const lean = leanOf(seen)
  const metres = useMetres(selected, designDepth ?? 0, seen)
  const currentLimit = limits.find((one) => one.alarmKey === 'currentHigh')?.value ?? usualCurrent
  const kind = pileKindOf(own?.params.pileType)
  const design = {
    depth: designDepth,
    grout: numberIn(own?.params, 'designGrout'),
    pressure: numberIn(own?.params, 'designPressure'),
    penetration: numberIn(own?.params, 'designPenetration'),
  }
  const linesOf = (metric: string) =>
    metric === 'current'
      ? [{ at: currentLimit, text: `报警 ${currentLimit} A`, tone: 'warning' as const }]
      : metric === 'pressure' && design.pressure !== undefined
        ? [{ at: design.pressure, text: `设计 ${design.pressure} kN`, tone: 'warning' as const }]
        : []
  const rail = railOf(desk, seen, (row, each) => ({
    label: row.name,
    note: [row.installPlace, row.modelName].filter(Boolean).join(' · ') || row.deviceSn,
    fine: `${numberIn(each?.values, 'depth')?.toFixed(1) ?? '--'} m`,
  }))
  const counts = piles.data?.counts
  // A rig is working if its readings say so, whether or not a pile was started in the register.
  const making = today.live.devices.filter((one) => one.online && (numberIn(present.readings.get(one.id)?.values, 'depth') ?? 0) > 0).length
  const warned = today.live.alarms.filter((one) => one.active && one.alarmKey !== 'offline').length
  const dark = today.live.devices.filter((one) => !one.online).length
  return (
    <MonitorFrame
      className="mon-tower"
      said={`施工中桩机 ${making} 台，今日成桩 ${counts?.today ?? '--'} 根，预警 ${warned} 条，离线 ${dark} 台；近 30 天成桩 ${counts?.piles ?? '--'} 根，待定 ${counts?.pending ?? '--'} 根，不合格 ${counts?.failed ?? '--'} 根`}
      actions={
        <MonitorActions
          desk={today}
          service={{ label: '报维护（校准、换传感器）', kind: 'calibration' }}
          more={[{ label: '成桩记录', href: hrefOf('/foundation/monitor', { deviceId: selected }) }]}
        >
          {own && <PileWorkActions key={selected} rig={own} work={work} depth={depth} />}
        </MonitorActions>
      }
      foot={replay && <ReplayBar replay={replay} desk={today} feature="readings.pileFoundation" />}
    >
      <div className="mon-left">
        <RailPanel desk={desk} unit={`桩机 ${desk.live.devices.length} 台`} items={rail}>
          {own && <PileTroubles rig={own} />}
          <EventList events={eventsOf(desk.live)} onAlarm={desk.openAlarm} />
        </RailPanel>
      </div>
      <div className="mon-plan-panel">
        <Panel
          title={`正在成的桩 ${pileNo}`}
          actions={<span className="mon-legend">虚框为没有数据的一米，{shortTime(reading?.at)} 更新</span>}
        >
          <PileSection
            name={pileNo}
            metres={metres}
            depth={depth}
            designDepth={designDepth}
            lean={lean}
            leanLimit={leanLimit}
            stale={seen.stale}
            bars={barsOf(kind, { current: currentLimit, grout: design.grout, pressure: design.pressure })}
          />
        </Panel>
      </div>
      <div className="mon-right">
        <Instruments desk={desk} seen={seen} kind={kind} design={design} lean={lean} currentLimit={currentLimit} today={own?.today} />
      </div>
      <div className="mon-low">
        {curvesOf[kind].map((one) => (
          <MetricTrend
            key={one.metric}
            call={pileLine}
            deviceId={selected}
            metric={one.metric}
            title={`${one.label} 近 10 分钟`}
            legend={(bucket) => `每 ${bucket} s 一点，${one.unit}`}
            spanMs={trendMs}
            points={600}
            readings={seen}
            high={one.metric === 'current' ? currentLimit * 1.1 : one.high}
            room={one.room}
            drawn={{ ticks: one.ticks, peak: one.metric !== 'groutFlow', decimals: one.high > 10 ? 0 : 2, limits: linesOf(one.metric) }}
          />
        ))}
      </div>
    </MonitorFrame>
  )
}

/** The larger of both directions, with its sign. */
function leanOf({ reading }: Readings): number | undefined {
  const both = [numberIn(reading?.values, 'verticalityX'), numberIn(reading?.values, 'verticalityY')].flatMap((one) => one ?? [])
  return both.sort((a, b) => Math.abs(b) - Math.abs(a))[0]
}

/** The current pile by depth, refetched periodically or read from the replay. */
function useMetres(deviceId: string, designDepth: number, { history }: Readings) {
  const [since] = useState(() => time(Date.now() - lineMs))
  const line = useCall(
    pileLine,
    { query: { deviceId, startTime: since, metrics: lineMetrics, points: linePoints } },
    { quiet: true, keepPrevious: true, enabled: history === undefined, ...useEveryMs(60_000) },
  )
  const points = useMemo(
    () =>
      history?.map((one) => ({
        time: one.at,
        n: 1,
        v: Object.fromEntries(
          Object.entries(one.values).flatMap(([key, value]): [string, [number, number, number]][] =>
            typeof value === 'number' ? [[key, [value, value, value]]] : [],
          ),
        ),
      })) ??
      line.data?.list ??
      [],
    [history, line.data],
  )
  return useMemo(() => metresOf(thisPile(points), designDepth), [points, designDepth])
}

interface InstrumentsProps {
  desk: Desk
  seen: Readings
  kind: PileKind
  design: { depth: number | undefined; grout: number | undefined; pressure: number | undefined; penetration: number | undefined }
  lean: number | undefined
  currentLimit: number
  today: { piles: number; open: number } | undefined
}

const doneWords = (done: boolean | undefined) => (done === undefined ? '？' : done ? '✓' : '…')

function Instruments({ desk, seen, kind, design, lean, currentLimit, today }: InstrumentsProps) {
  const designDepth = design.depth
  const { reading } = seen
  const v = (key: string) => numberIn(reading?.values, key)
  const { plain } = gaugesOf(seen)
  const pressures = usePressures(reading?.at, v('pressure'))
  const checks = checksOf(
    {
      depth: v('depth'),
      lean: lean === undefined ? undefined : Math.abs(lean),
      penetration: v('penetration'),
      groutVolume: v('groutVolume'),
      pressures,
    },
    design,
    leanLimit,
    kind,
  )
  const leanTicks = [-leanLimit, leanLimit].map((at) => ({ at, text: `${at}`, tone: 'alarm' as const }))
  return (
    <InstrumentPanel desk={desk} reading={reading} emptyHint="桩机接入后显示读数">
      <div className="mon-driver">
        <div>
          <b>可停机条件</b>
          <small>各项都满足方可停机</small>
        </div>
        <div className="right">
          <small>今日成桩</small>
          <strong>{today?.piles ?? '--'}</strong>
        </div>
      </div>
      <ul className="pile-checks">
        {checks.map((one) => (
          <li key={one.text} data-done={one.done === undefined ? 'unknown' : one.done ? 'yes' : 'no'}>
            {doneWords(one.done)} {one.text}
          </li>
        ))}
      </ul>
      <div className="mon-gauges">
        <Gauge
          {...plain('depth')}
          label="深度"
          remark={designDepth === undefined ? '设计桩长未填' : `还差 ${Math.max(0, designDepth - (v('depth') ?? 0)).toFixed(1)} m`}
          unit="m"
          decimals={2}
          high={(designDepth ?? 30) * 1.15}
          ticks={designDepth === undefined ? [] : [{ at: designDepth, text: `设计 ${designDepth}`, tone: 'plain' }]}
        />
        {(['verticalityX', 'verticalityY'] as const).map((key) => (
          <Gauge
            {...plain(key)}
            key={key}
            label={key === 'verticalityX' ? '垂直度 X' : '垂直度 Y'}
            unit="%"
            decimals={2}
            low={-2}
            high={2}
            pointer
            ticks={leanTicks}
            tone={Math.abs(v(key) ?? 0) > leanLimit ? 'alarm' : 'fine'}
          />
        ))}
        <OwnGauges seen={seen} kind={kind} design={design} currentLimit={currentLimit} />
      </div>
    </InstrumentPanel>
  )
}

/** Pressure of the last two readings. */
function usePressures(at: number | undefined, pressure: number | undefined): readonly number[] {
  const [result, setResult] = useState<{ at: number | undefined; values: readonly number[] }>({ at: undefined, values: [] })
  if (at !== result.at) setResult({ at, values: pressure === undefined ? [] : [...result.values.slice(-1), pressure] })
  return result.values
}

/** Gauges of the kind of pile, besides depth and inclination. */
function OwnGauges({ seen, kind, design, currentLimit }: Pick<InstrumentsProps, 'seen' | 'kind' | 'design' | 'currentLimit'>) {
  const { reading } = seen
  const v = (key: string) => numberIn(reading?.values, key)
  const { plain, limited } = gaugesOf(seen)
  if (kind === 'precast')
    return (
      <>
        <Gauge {...plain('hammerBlows')} label="锤击数" unit="击" decimals={0} high={Math.max(100, (v('hammerBlows') ?? 0) * 1.2)} />
        <Gauge
          {...plain('penetration')}
          label="最后十击贯入度"
          unit="mm"
          decimals={1}
          high={Math.max(100, (design.penetration ?? 0) * 2)}
          ticks={design.penetration === undefined ? [] : [{ at: design.penetration, text: `设计 ${design.penetration}`, tone: 'plain' }]}
        />
      </>
    )
  if (kind === 'static')
    return (
      <Gauge
        {...plain('pressure')}
        label="压桩力"
        remark={design.pressure === undefined ? '设计终压力未填' : undefined}
        unit="kN"
        decimals={0}
        high={(design.pressure ?? 3_000) * 1.3}
        ticks={design.pressure === undefined ? [] : [{ at: design.pressure, text: `设计 ${design.pressure}`, tone: 'plain' }]}
      />
    )
  const current = <Gauge {...limited('current', currentLimit * 1.2)} label="电流" unit="A" decimals={0} />
  if (kind === 'mixing') {
    const wanted = design.grout === undefined ? undefined : design.grout * (v('depth') ?? 0)
    const volume = v('groutVolume')
    const share = wanted === undefined || wanted <= 0 || volume === undefined ? undefined : (volume / wanted) * 100
    return (
      <>
        {current}
        <Gauge {...plain('groutFlow')} label="浆液流量" unit="L/min" high={100} />
        <Gauge
          {...plain('groutVolume')}
          label="浆量占设计"
          remark={design.grout === undefined ? '设计浆量未填' : `浆液比重 ${v('groutDensity')?.toFixed(2) ?? '--'}`}
          value={share}
          unit="%"
          decimals={0}
          high={130}
          ticks={[{ at: leastGroutShare * 100, text: `${leastGroutShare * 100}`, tone: 'alarm' }]}
          tone={share !== undefined && share < leastGroutShare * 100 ? 'alarm' : 'fine'}
        />
      </>
    )
  }
  return (
    <>
      {current}
      <Gauge {...plain('torque')} label="扭矩" unit="kN·m" decimals={0} high={Math.max(200, (v('torque') ?? 0) * 1.2)} />
    </>
  )
}
