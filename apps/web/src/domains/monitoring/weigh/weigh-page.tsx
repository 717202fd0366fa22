import { roadLimitTonnes } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { findTickets } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import { scaleInfo } from '@zhugong/contract/monitoring/weigh/weighing'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Empty, Known, Notice, Panel } from '#kit/feedback.tsx'
import { day, measure, shortTime, thousands, time } from '#kit/format.ts'
import { isStale } from '#kit/live.ts'
import { hrefOf } from '#kit/page.tsx'
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
import { MonitorActions } from '../monitor-actions.tsx'
import '../monitoring.css'
import { Trend } from '../trend.tsx'
import { RunningTicket } from './running-ticket.tsx'
import { useTrail } from './use-trail.ts'
import { WaitingTrucks } from './waiting-trucks.tsx'
import { WeighScene } from './weigh-scene.tsx'
import { heavyTone, isUneven, phaseWords, plateauOf, plateOf, type Weighed } from './weigh-state.ts'
import './yard.css'

const trailMs = 3 * 60_000
/** An empty weighbridge reports once a minute; shorter pauses are not gaps. */
const gapMs = 100_000
const emptyIntervalMs = 60_000

/** Live page of weighbridges. */
export default function WeighPage() {
  return (
    <FamilyMonitor family="weighbridge" module="weighbridge" unit="地磅" emptyHint="登记地磅后，这里显示磅台上的车辆与重量">
      {(desk) => <Bridges desk={desk} />}
    </FamilyMonitor>
  )
}

function Bridges({ desk }: { desk: Desk }) {
  const { selected } = desk
  const info = useCall(scaleInfo, { params: { id: selected } }, { quiet: true, keepPrevious: true, ...useEveryMs(15_000) })
  const own = info.data?.deviceId === selected ? info.data : undefined
  const reported = useReadings(desk, own)
  const { reading, now } = reported
  // An empty weighbridge reports once a minute, a loaded one every two seconds.
  const intervalMs = plateOf(reading).phase === 'empty' ? Math.max(reported.intervalMs, emptyIntervalMs) : reported.intervalMs
  const seen: Readings = { ...reported, intervalMs, stale: isStale(reading, now, intervalMs) }
  const trail = useTrail(selected, 'weight', reading, trailMs)
  const plate = plateOf(reading)
  const truck = own?.truck && own.truck.plateNo === plate.plateNo ? own.truck : null
  const capacity = own?.maxCapacity ?? null
  const isAway = desk.device?.online === false
  const rail = railOf(desk, seen, (row, said) => {
    const one = plateOf(said)
    return {
      label: row.name,
      note: row.installPlace ?? row.modelName ?? row.deviceSn,
      fine: one.phase === 'empty' ? '空磅' : one.weight === undefined ? '在线' : `${measure(one.weight, 3)} t`,
    }
  })
  return (
    <MonitorFrame
      className="mon-tower"
      said={`取值以仪表的稳定读数为准；超过 ${roadLimitTonnes} t 为超载，读数未稳时不能取值`}
      actions={
        <MonitorActions
          desk={{ ...desk, replay: undefined }}
          past={false}
          service={{ label: '检定与校准', kind: 'calibration' }}
          more={[
            { label: '过磅记录', href: hrefOf('/loadometer/record', { deviceId: selected }) },
            { label: '手工补录', needs: 'weighbridge.manual', href: hrefOf('/loadometer/edit', { manual: '1', deviceId: selected }) },
          ]}
        />
      }
    >
      <div className="mon-left yard-side">
        <RailPanel desk={desk} unit={`地磅 ${desk.live.devices.length} 台`} items={rail} />
        <Panel title="今天" actions={<span className="mon-legend">{day(now).slice(5)}</span>}>
          <Today today={own?.today} />
          <EventList events={eventsOf(desk.live)} onAlarm={desk.openAlarm} />
        </Panel>
      </div>
      <div className="mon-plan-panel">
        <Panel
          title="磅台"
          remark={isUneven(trail) && <span className="yard-warn">读数不平稳，磅上可能有人或两辆车</span>}
          actions={<span className="mon-legend">{shortTime(reading?.at)} 更新</span>}
        >
          {isAway && (
            <Notice tone="warning">地磅离线，重量不再更新。恢复前不要放行待称车辆，现场过磅用“手工补录”登记，重量经审核后生效</Notice>
          )}
          <WeighScene
            name={desk.device?.name ?? '地磅'}
            plate={plate}
            tone={heavyTone(plate.weight, roadLimitTonnes, capacity)}
            ageMs={seen.stale && reading ? now - reading.at : undefined}
            mean={truck?.meanTare ?? null}
          />
        </Panel>
      </div>
      <div className="mon-right yard-side">
        <Weight desk={desk} seen={seen} capacity={capacity} />
        <RunningTicket
          requested={info}
          waitingId={truck?.waitingId ?? null}
          last={own?.lastTicket ?? null}
          plateNo={plate.plateNo}
          tares={truck?.tares ?? []}
        />
      </div>
      <div className="mon-low">
        <WeightCurve trail={trail} now={now} />
        <LastTickets desk={desk} />
      </div>
    </MonitorFrame>
  )
}

function Today({ today }: { today: { trucks: number; actualWeight: number; waiting: number; shortTrucks: number } | undefined }) {
  const rows = [
    { label: '今日车次', value: today?.trucks, unit: '车' },
    { label: '实重合计', value: today && thousands(today.actualWeight, 2), unit: 't' },
    { label: '待二次过磅', value: today?.waiting, unit: '车', tone: today?.waiting ? 'yard-warn' : '' },
    { label: '负差车次', value: today?.shortTrucks, unit: '车', tone: today?.shortTrucks ? 'yard-grave' : '' },
  ]
  return (
    <dl className="yard-sums">
      {rows.map(({ label, value, unit, tone }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={tone}>
            <b>{value ?? '--'}</b>
            <small>{unit}</small>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Weight({ desk, seen, capacity }: { desk: Desk; seen: Readings; capacity: number | null }) {
  const plate = plateOf(seen.reading)
  const high = (capacity ?? 60) * 1.12
  const tone = heavyTone(plate.weight, roadLimitTonnes, capacity)
  return (
    <InstrumentPanel desk={desk} reading={seen.reading} emptyHint="地磅接入后显示重量">
      <div className="mon-gauges">
        <Gauge
          {...gaugesOf(seen).plain('weight')}
          label="重量"
          remark={phaseWords[plate.phase]}
          value={plate.weight}
          unit="t"
          decimals={3}
          high={high}
          ticks={[
            { at: roadLimitTonnes, text: `车货总重 ${roadLimitTonnes}`, tone: 'warning' },
            ...(capacity === null ? [] : [{ at: capacity, text: `量程 ${capacity}`, tone: 'alarm' as const }]),
          ]}
          tone={tone === 'alarm' ? 'alarm' : tone === 'warning' ? 'warning' : 'fine'}
        />
        <WaitingTrucks projectCode={desk.projectCode} />
      </div>
    </InstrumentPanel>
  )
}

/** Rise, plateau and drop of the weight, with the plateau that is used. */
function WeightCurve({ trail, now }: { trail: readonly Weighed[]; now: number }) {
  const plateau = plateauOf(trail)
  const most = Math.max(10, ...trail.map((one) => one.value))
  return (
    <Panel
      title="重量 近 3 分钟"
      actions={
        <span className="mon-legend">{plateau ? `取值 ${plateau.value.toFixed(3)} t，自 ${shortTime(plateau.from)}` : '无稳定段'}</span>
      }
    >
      <Trend
        label="重量"
        points={trail}
        from={now - trailMs}
        to={now}
        high={most * 1.15}
        gapMs={gapMs}
        ticks={[0, Math.round(most / 2)]}
        decimals={3}
        blocks={plateau ? [{ from: plateau.from, to: plateau.to, text: `取值段 ${plateau.value.toFixed(3)} t` }] : []}
      />
    </Panel>
  )
}

const shownTickets = 12

function LastTickets({ desk }: { desk: Desk }) {
  const list = useCall(
    findTickets,
    { query: { projectCode: desk.projectCode, deviceId: desk.selected, size: shownTickets, sort: '-time' } },
    { quiet: true, keepPrevious: true, ...useEveryMs(30_000) },
  )
  const rows = list.data?.list ?? []
  return (
    <Panel title="最近磅单" actions={<Link to={hrefOf('/loadometer/record', { deviceId: desk.selected })}>全部</Link>}>
      {rows.length === 0 ? (
        <Known of={list}>
          <Empty small text="近 7 天没有过磅" hint="车辆完成过磅后显示" />
        </Known>
      ) : (
        <ul className="yard-list">
          {rows.map((row) => (
            <li key={row.id}>
              <time title={time(row.time)}>{shortTime(row.time)}</time>
              <Link to={hrefOf('/loadometer/detail', { id: row.id })}>{row.plateNo}</Link>
              <span className="grow">{row.material || '未填货物'}</span>
              <span>{row.actualWeight === null ? '待二次' : `${row.actualWeight.toFixed(3)} t`}</span>
              {row.deviationPercent !== null && (
                <span className={row.deviationState === 'short' ? 'yard-grave' : row.deviationState === 'over' ? 'yard-warn' : ''}>
                  {row.deviationPercent > 0 ? '+' : ''}
                  {row.deviationPercent.toFixed(2)} %
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
