import { findPiles, leanLimit, pileInfo, pileLine, pileReadings } from '@zhugong/contract/monitoring/piles'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Panel } from '#kit/feedback.tsx'
import { time, timeOfDay } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { numberIn } from '../crane-state.ts'
import { EventList, eventsOf } from '../family-events.tsx'
import {
  type Desk,
  FamilyMonitor,
  gaugeBasics,
  InstrumentPanel,
  MonitorFrame,
  RailPanel,
  type Readings,
  railOf,
  useEveryMs,
  useReadings,
} from '../family-monitor.tsx'
import { Gauge, ticksOf, toneAgainst } from '../gauge.tsx'
import { MetricTrend } from '../metric-trend.tsx'
import { MonitorActions } from '../monitor-actions.tsx'
import '../monitoring.css'
import { ReplayBar } from '../replay-bar.tsx'
import { useReplay } from '../use-replay.ts'
import './pile.css'
import { PileSection } from './pile-section.tsx'
import { checksOf, metresOf, thisPile } from './pile-state.ts'
import { PileTroubles, PileWorkActions } from './pile-work.tsx'

/** Longer than a pile takes. */
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

/** Is the pile being made now within limits, and when may we stop? */
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
  const rail = railOf(desk, seen, (row, each) => ({
    label: row.name,
    note: [row.installPlace, row.modelName].filter(Boolean).join(' · ') || row.deviceSn,
    fine: `${numberIn(each?.values, 'depth')?.toFixed(1) ?? '--'} m`,
  }))
  const counts = piles.data?.counts
  return (
    <MonitorFrame
      className="mon-tower"
      said={`近 30 天成桩 ${counts?.piles ?? '--'} 根，今日 ${counts?.today ?? '--'} 根，待定 ${counts?.pending ?? '--'} 根，不合格 ${counts?.failed ?? '--'} 根`}
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
          actions={<span className="mon-legend">虚框为没有数据的一米，{timeOfDay(reading?.at)} 更新</span>}
        >
          <PileSection
            name={pileNo}
            metres={metres}
            depth={depth}
            designDepth={designDepth}
            lean={lean}
            leanLimit={leanLimit}
            stale={seen.stale}
            currentLimit={currentLimit}
          />
        </Panel>
      </div>
      <div className="mon-right">
        <Instruments desk={desk} seen={seen} designDepth={designDepth} lean={lean} currentLimit={currentLimit} today={own?.today} />
      </div>
      <div className="mon-low">
        <MetricTrend
          call={pileLine}
          deviceId={selected}
          metric="current"
          title="电流 近 10 分钟"
          legend={(bucket) => `每 ${bucket} s 一点，A`}
          spanMs={trendMs}
          points={600}
          readings={seen}
          high={currentLimit * 1.1}
          room={20}
          drawn={{
            ticks: [0, 100, 200],
            peak: true,
            decimals: 0,
            limits: [{ at: currentLimit, text: `报警 ${currentLimit} A`, tone: 'warning' }],
          }}
        />
        <MetricTrend
          call={pileLine}
          deviceId={selected}
          metric="groutFlow"
          title="浆液流量 近 10 分钟"
          legend={(bucket) => `每 ${bucket} s 一点，L/min`}
          spanMs={trendMs}
          points={600}
          readings={seen}
          high={80}
          room={10}
          drawn={{ ticks: [0, 40] }}
        />
      </div>
    </MonitorFrame>
  )
}

/** The worse of both directions, with its sign. */
function leanOf({ reading }: Readings): number | undefined {
  const both = [numberIn(reading?.values, 'verticalityX'), numberIn(reading?.values, 'verticalityY')].flatMap((one) => one ?? [])
  return both.sort((a, b) => Math.abs(b) - Math.abs(a))[0]
}

/** The pile in front metre by metre: asked for once in a while, or read from what is replayed. */
function useMetres(deviceId: string, designDepth: number, { history }: Readings) {
  const [since] = useState(() => time(Date.now() - lineMs))
  const line = useCall(
    pileLine,
    { query: { deviceId, startTime: since, metrics: 'depth,current,groutFlow,verticalityX,verticalityY', points: linePoints } },
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
  designDepth: number | undefined
  lean: number | undefined
  currentLimit: number
  today: { piles: number; open: number } | undefined
}

const doneWords = (done: boolean | undefined) => (done === undefined ? '？' : done ? '✓' : '…')

function Instruments({ desk, seen, designDepth, lean, currentLimit, today }: InstrumentsProps) {
  const { reading, limits } = seen
  const v = (key: string) => numberIn(reading?.values, key)
  const common = gaugeBasics(seen)
  const checks = checksOf({ depth: v('depth'), lean: lean === undefined ? undefined : Math.abs(lean) }, designDepth, leanLimit)
  const leanTicks = [-leanLimit, leanLimit].map((at) => ({ at, text: `${at}`, tone: 'alarm' as const }))
  return (
    <InstrumentPanel desk={desk} reading={reading} emptyHint="桩机接入后显示读数">
      <div className="mon-driver">
        <div>
          <b>可停机条件</b>
          <small>两项都满足方可停机</small>
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
          label="深度"
          remark={designDepth === undefined ? '设计桩长未填' : `还差 ${Math.max(0, designDepth - (v('depth') ?? 0)).toFixed(1)} m`}
          value={v('depth')}
          unit="m"
          decimals={2}
          high={(designDepth ?? 30) * 1.15}
          ticks={designDepth === undefined ? [] : [{ at: designDepth, text: `设计 ${designDepth}`, tone: 'plain' }]}
          {...common('depth')}
        />
        {(['verticalityX', 'verticalityY'] as const).map((key) => (
          <Gauge
            key={key}
            label={key === 'verticalityX' ? '垂直度 X' : '垂直度 Y'}
            value={v(key)}
            unit="%"
            decimals={2}
            low={-2}
            high={2}
            pointer
            ticks={leanTicks}
            tone={Math.abs(v(key) ?? 0) > leanLimit ? 'alarm' : 'fine'}
            {...common(key)}
          />
        ))}
        <Gauge
          label="电流"
          value={v('current')}
          unit="A"
          decimals={0}
          high={currentLimit * 1.2}
          ticks={ticksOf(limits, 'current', currentLimit * 1.2)}
          tone={toneAgainst(limits, 'current', v('current'))}
          {...common('current')}
        />
        <Gauge label="浆液流量" value={v('groutFlow')} unit="L/min" high={100} {...common('groutFlow')} />
      </div>
    </InstrumentPanel>
  )
}
