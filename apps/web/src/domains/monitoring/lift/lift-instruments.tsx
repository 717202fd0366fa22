import { findLiftRuns } from '@zhugong/contract/monitoring/lift/lift-lists'
import { cageNames } from '@zhugong/contract/monitoring/lift/lift-runs'
import { Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { dark } from '#kit/colors.ts'
import { numberIn } from '../crane-state.ts'
import { DriverHead, type LastRecord, type Switch, Switches } from '../cycles/instruments.tsx'
import { type Desk, gaugesOf, InstrumentPanel, type Readings, useEveryMs } from '../family-monitor.tsx'
import { Gauge, type Tick, ticksOf, toneAgainst } from '../gauge.tsx'
import './lift.css'
import type { LiftParams } from './lift-state.ts'

const overSpeed = 1.2
/** Only this rule limits the speed; others use the speed to know that the cage moves. */
const speedAlarm = 'speedAlarm'

const switches: readonly Switch[] = [
  { label: '前门', key: 'frontDoorOpen', words: ['开', '关'] },
  { label: '后门', key: 'rearDoorOpen', words: ['开', '关'] },
  { label: '门锁', key: 'doorLocked', words: ['闭合', '未闭'], good: true },
  { label: '上限位', key: 'upperLimit' },
  { label: '下限位', key: 'lowerLimit' },
  { label: '防坠器', key: 'safetyDeviceTriggered' },
]

interface InstrumentsProps {
  desk: Desk
  /** Readings of the selected cage. */
  seen: Readings
  cages: readonly string[]
  cage: string
  onCage: (cage: string) => void
  params: LiftParams
  record: LastRecord
}

/** Driver, gauges, doors and limit switches of the selected cage. */
export function LiftInstruments({ desk, seen, cages, cage, onCage, params, record }: InstrumentsProps) {
  const { reading, limits, stale } = seen
  const runs = useCall(
    findLiftRuns,
    { query: { deviceId: desk.selected, projectCode: desk.projectCode, size: 1 } },
    { quiet: true, ...useEveryMs(60_000) },
  )
  const v = (key: string) => numberIn(reading?.values, key)
  const { plain, limited } = gaugesOf(seen)
  const rated = params.ratedSpeed ?? 0.6
  const tooFast = limits.filter((one) => one.alarmKey === speedAlarm)
  return (
    <InstrumentPanel desk={desk} reading={reading} emptyHint="升降机接入后显示读数，参数见设备档案">
      {cages.length > 1 && (
        <div className="lift-cages">
          <Segmented
            aria-label="吊笼"
            size="small"
            value={cage}
            options={cages.map((one) => ({ value: one, label: cageNames[one] ?? one }))}
            onChange={(value) => onCage(value)}
          />
        </div>
      )}
      <DriverHead
        driver={reading?.values.driverName}
        record={record}
        expected="启动前应有识别记录"
        today={{ label: '今日运行', value: runs.data?.today.runs }}
      />
      <div className="mon-gauges">
        <Gauge
          {...limited('loadPercent', 125)}
          label="载重"
          remark={`${v('load')?.toFixed(2) ?? '--'} / ${params.ratedLoad?.toFixed(2) ?? '--'} t`}
          unit="%"
          decimals={0}
        />
        <Gauge
          {...plain('personCount')}
          label="人数"
          remark="按门或摄像估算"
          unit="人"
          decimals={0}
          high={Math.max(params.ratedPersons * 1.4, v('personCount') ?? 0)}
          ticks={[{ at: params.ratedPersons, text: `限 ${params.ratedPersons}`, tone: 'alarm' }]}
          tone={(v('personCount') ?? 0) > params.ratedPersons ? 'alarm' : 'fine'}
        />
        <Gauge
          {...plain('speed')}
          label="速度"
          remark={`额定 ${rated.toFixed(2)} m/s`}
          unit="m/s"
          decimals={2}
          high={rated * 1.4}
          ticks={speedTicks(tooFast, rated)}
          tone={toneAgainst(tooFast, 'speed', v('speed'))}
        />
        <Gauge
          {...plain('height')}
          label="高度"
          remark={v('floor') === undefined ? undefined : `${v('floor')} 层 / 共 ${params.floors} 层`}
          unit="m"
          high={params.maxHeight * 1.08}
          ticks={[{ at: params.maxHeight, text: `上限 ${params.maxHeight}`, tone: 'alarm' }]}
        />
        <Gauge {...limited('windSpeed', 24)} label="风速" unit="m/s" />
        <Tilt x={v('tiltX')} y={v('tiltY')} limit={limits.find((one) => one.alarmKey === 'tiltAlarm')?.value ?? 1.5} grey={stale} />
      </div>
      <Switches switches={switches} seen={seen} />
    </InstrumentPanel>
  )
}

/** Thresholds of the rule, which depend on the rated speed; without the rule, the tripping speed of GB/T 26557. */
function speedTicks(limits: Readings['limits'], rated: number): Tick[] {
  const own = ticksOf(limits, 'speed', rated * overSpeed)
  return own.length > 0 ? own : [{ at: rated * overSpeed, text: (rated * overSpeed).toFixed(2), tone: 'alarm' }]
}

const bubblePx = 21

/** A spirit level: the dot leaves the ring when the tilt exceeds the limit. */
function Tilt({ x, y, limit, grey }: { x: number | undefined; y: number | undefined; limit: number; grey: boolean }) {
  const share = (value: number | undefined) => Math.min(1.15, Math.max(-1.15, (value ?? 0) / limit)) * (bubblePx - 5)
  const over = Math.abs(x ?? 0) >= limit || Math.abs(y ?? 0) >= limit
  const tone = grey || x === undefined ? dark.stale : over ? dark.alarm : dark.fine
  return (
    <div className="lift-tilt">
      <svg width={2 * bubblePx + 4} height={2 * bubblePx + 4} aria-hidden="true">
        <g transform={`translate(${bubblePx + 2} ${bubblePx + 2})`} fill="none" stroke={dark.edge}>
          <circle r={bubblePx} />
          <path d={`M-${bubblePx} 0h${2 * bubblePx}M0 -${bubblePx}v${2 * bubblePx}`} />
          <circle cx={share(x)} cy={-share(y)} r={5} fill={tone} stroke={tone} />
        </g>
      </svg>
      <span>
        倾角 X <b>{x?.toFixed(2) ?? '--'}°</b>，Y <b>{y?.toFixed(2) ?? '--'}°</b>
        {over && <b className="mon-doubt">，超过 {limit}°</b>}
      </span>
    </div>
  )
}
