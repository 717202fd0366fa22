import { findPlatformReadings } from '@zhugong/contract/monitoring/unloading/unloading-lists'
import { unloadingInfo, unloadingLine } from '@zhugong/contract/monitoring/unloading/unloading-live'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Notice, Panel } from '#kit/feedback.tsx'
import { measure, shortTime, span } from '#kit/format.ts'
import { isStale } from '#kit/live.ts'
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
import { Gauge, toneAgainst } from '../gauge.tsx'
import '../meter/meter.css'
import { Sum } from '../meter/electric-page.tsx'
import { MetricTrend, trendLimits } from '../metric-trend.tsx'
import { MonitorActions } from '../monitor-actions.tsx'
import '../monitoring.css'
import { ReplayBar } from '../replay-bar.tsx'
import { useReplay } from '../use-replay.ts'
import '../weigh/yard.css'
import { PlatformMoves, zeroWords } from './platform-moves.tsx'
import { PlatformScene } from './platform-scene.tsx'
import { boardWords, placeOf, usualRated } from './platform-state.ts'

const trendMs = 2 * 3_600_000
const asReadings = { kind: 'reading' } as const

/** Live page of unloading platforms. */
export default function UnloadingPage() {
  return (
    <FamilyMonitor family="unloadingPlatform" module="unloading" unit="卸料平台" emptyHint="登记卸料平台后，这里显示楼面位置、载重与倾角">
      {(desk) => <Platforms desk={desk} />}
    </FamilyMonitor>
  )
}

function Platforms({ desk: today }: { desk: Desk }) {
  const { selected } = today
  const info = useCall(unloadingInfo, { params: { id: selected } }, { quiet: true, keepPrevious: true, ...useEveryMs(30_000) })
  const own = info.data?.deviceId === selected ? info.data : undefined
  const present = useReadings(today, own)
  const replay = useReplay(today, present, findPlatformReadings, asReadings)
  const { desk, seen } = replay ?? { desk: today, seen: present }
  const { live } = desk
  const rail = railOf(desk, seen, (row, reading) => {
    const percent = numberIn(reading?.values, 'weightPercent')
    return {
      label: row.name.replace(/卸料平台$/, ''),
      note: row.modelName ?? row.deviceSn,
      fine: percent === undefined ? '在线' : `载重 ${percent.toFixed(0)} %`,
    }
  })
  const drawn = live.devices.map((row) => {
    const reading = seen.readings.get(row.id)
    return {
      id: row.id,
      name: row.name,
      ...placeOf(row.installPlace ?? row.name),
      percent: numberIn(reading?.values, 'weightPercent'),
      word: rail.find(({ id }) => id === row.id)?.status.word ?? '尚无数据',
      isOld: !row.online || isStale(reading, seen.now, seen.intervalMs),
    }
  })
  const v = (key: string) => numberIn(seen.reading?.values, key)
  const [moving, setMoving] = useState(false)
  const zero = replay ? undefined : zeroWords(own?.move, seen.now)
  const loadedSince = replay ? undefined : (own?.loadedSince ?? undefined)
  return (
    <MonitorFrame
      className="mon-tower"
      said="悬挑平台没有余量：100 % 即一级告警。声光警示由现场装置执行，平台画面用于监督与取证"
      actions={
        <MonitorActions
          desk={today}
          service={{ label: '报检修', kind: 'other' }}
          more={[
            { label: '移位与校零', onClick: () => setMoving(true) },
            { label: '装卸记录', href: hrefOf('/unloading/monitor', { deviceId: selected }) },
            { label: '设置限载', href: hrefOf('/administrationDetails', { id: selected }), needs: 'device-admin.edit' },
          ]}
        />
      }
      foot={replay && <ReplayBar replay={replay} desk={today} feature="readings.unloadingPlatform" />}
    >
      <div className="mon-left yard-side">
        <RailPanel desk={desk} unit={`卸料平台 ${live.devices.length} 个`} items={rail} />
        <Panel title="全场">
          <dl className="yard-sums">
            <Sum label="在用平台" value={live.devices.length} unit="个" />
            <Sum
              label="超载"
              value={drawn.filter((one) => !one.isOld && (one.percent ?? 0) >= 100).length}
              unit="个"
              tone={drawn.some((one) => !one.isOld && (one.percent ?? 0) >= 100) ? 'yard-grave' : ''}
            />
            <Sum label="滞留" value={live.alarms.filter((one) => one.active && one.alarmKey === 'stayTooLong').length} unit="个" />
            <Sum
              label="低电、离线"
              value={
                live.devices.filter((one) => !one.online).length +
                live.alarms.filter((one) => one.active && one.alarmKey === 'batteryLow').length
              }
              unit="个"
            />
          </dl>
          <EventList events={eventsOf(live)} onAlarm={desk.openAlarm} />
        </Panel>
      </div>
      <div className="mon-plan-panel">
        <Panel title="楼面" actions={<span className="mon-legend">{shortTime(seen.reading?.at)} 更新</span>}>
          {zero && <Notice tone={zero.late ? 'danger' : 'warning'}>{zero.text}</Notice>}
          {own && own.ratedLoad === null && (
            <Notice tone="danger">
              未设置限载，按 {usualRated} t 判断。<Link to={hrefOf('/administrationDetails', { id: selected })}>去设置</Link>
            </Notice>
          )}
          <PlatformScene
            platforms={drawn}
            selected={selected}
            onSelect={desk.select}
            large={{
              name: desk.device?.name ?? '',
              percent: v('weightPercent'),
              weight: v('weight'),
              tiltX: v('tiltX'),
              tiltY: v('tiltY'),
              board: boardWords(own?.ratedLoad ?? null),
              isUnset: own !== undefined && own.ratedLoad === null,
              lies: loadedSince === undefined ? undefined : seen.now - loadedSince,
              mayLie: (own?.stayLimitSeconds ?? 7_200) * 1_000,
              isOld: seen.stale,
            }}
          />
        </Panel>
      </div>
      <div className="mon-right">
        <PlatformGauges desk={desk} seen={seen} rated={own?.ratedLoad ?? null} today={own?.today} />
      </div>
      <div className="mon-low">
        <MetricTrend
          call={unloadingLine}
          deviceId={selected}
          metric="weightPercent"
          title="载重 近 2 小时"
          legend={(seconds) => `每 ${seconds} s 一点，%`}
          spanMs={trendMs}
          points={480}
          readings={seen}
          high={115}
          room={8}
          drawn={{
            ticks: [0, 50],
            peak: true,
            decimals: 0,
            limits: [
              { at: 80, tone: 'warning', text: '预警 80 %' },
              { at: 100, tone: 'alarm', text: '限载 100 %' },
            ],
          }}
        />
        <MetricTrend
          call={unloadingLine}
          deviceId={selected}
          metric="tilt"
          title="合成倾角 近 2 小时"
          legend={(seconds) => `每 ${seconds} s 一点，°`}
          spanMs={trendMs}
          points={480}
          readings={seen}
          high={3.6}
          room={0.4}
          drawn={{
            ticks: [0, 1],
            decimals: 2,
            limits: trendLimits(seen.limits, 'tilt', 4, '°'),
          }}
        />
      </div>
      {moving && own && (
        <PlatformMoves
          platform={{
            deviceId: own.deviceId,
            deviceName: desk.device?.name ?? '',
            projectCode: desk.device?.projectCode ?? desk.projectCode,
            installPlace: own.installPlace,
          }}
          onClose={() => setMoving(false)}
        />
      )}
    </MonitorFrame>
  )
}

interface Today {
  loads: number
  overloads: number
  maxWeight: number | null
  longestSeconds: number
}

function PlatformGauges({ desk, seen, rated, today }: { desk: Desk; seen: Readings; rated: number | null; today: Today | undefined }) {
  const { reading, limits } = seen
  const v = (key: string) => numberIn(reading?.values, key)
  const { plain, limited } = gaugesOf(seen)
  return (
    <InstrumentPanel desk={desk} reading={reading} emptyHint="卸料平台接入后显示载重与倾角">
      <div className="mon-gauges">
        <Gauge
          {...plain('weightPercent')}
          label="载重"
          remark={rated === null ? '未设限载' : `限载 ${rated} t`}
          unit="%"
          decimals={0}
          high={120}
          ticks={[
            { at: 80, text: '80', tone: 'warning' },
            { at: 100, text: '100', tone: 'alarm' },
          ]}
          tone={toneAgainst(limits, 'weightPercent', v('weightPercent'))}
        />
        <Gauge {...limited('tilt', 4)} label="合成倾角" unit="°" decimals={2} />
        <Gauge {...limited('batteryPercent', 100)} label="电量" unit="%" decimals={0} />
        <div className="mon-sub">今天</div>
        <dl className="yard-sums">
          <Sum label="上料" value={today?.loads ?? '--'} unit="次" />
          <Sum label="超载" value={today?.overloads ?? '--'} unit="次" tone={today?.overloads ? 'yard-grave' : ''} />
          <Sum label="最大载重" value={measure(today?.maxWeight, 2)} unit="t" />
          <Sum label="最长滞留" value={today ? span(today.longestSeconds * 1000) : '--'} unit="" />
        </dl>
      </div>
    </InstrumentPanel>
  )
}
