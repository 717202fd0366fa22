import { CheckCircleFilled, UserOutlined } from '@ant-design/icons'
import { findLiftRuns } from '@zhugong/contract/monitoring/lift-lists'
import { cageNames } from '@zhugong/contract/monitoring/lift-runs'
import { Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { dark } from '#kit/colors.ts'
import { shortTime } from '#kit/format.ts'
import { numberIn } from '../crane-state.ts'
import { type Desk, gaugeBasics, InstrumentPanel, type Readings, useEveryMs } from '../family-monitor.tsx'
import { Gauge, type Tick, ticksOf, toneAgainst } from '../gauge.tsx'
import './lift.css'
import type { LiftParams } from './lift-state.ts'

/** Result of a driver's recognition: it was him, and he may. */
const recognisedYes = '1'
const overSpeed = 1.2
/** Other rules ask for the speed as well, only to know that a cage moves: at theirs nothing is wrong yet. */
const speedAlarm = 'speedAlarm'

interface InstrumentsProps {
  desk: Desk
  /** Of the cage in front. */
  seen: Readings
  cages: readonly string[]
  cage: string
  onCage: (cage: string) => void
  params: LiftParams
  record: { record: string; time: number; data: Record<string, unknown> } | undefined
}

/** Driver, gauges, doors and limits of the cage in front. */
export function LiftInstruments({ desk, seen, cages, cage, onCage, params, record }: InstrumentsProps) {
  const { reading, limits, stale } = seen
  const runs = useCall(
    findLiftRuns,
    { query: { deviceId: desk.selected, projectCode: desk.projectCode, size: 1 } },
    { quiet: true, ...useEveryMs(60_000) },
  )
  const v = (key: string) => numberIn(reading?.values, key)
  const common = gaugeBasics(seen)
  const driver = reading?.values.driverName
  const named = typeof driver === 'string' && driver !== ''
  const recognised = record?.record === 'driverRecognition' ? record : undefined
  const rated = params.ratedSpeed ?? 0.6
  const tooFast = limits.filter((one) => one.alarmKey === speedAlarm)
  const flags: [label: string, key: string, on: string, off: string, good: boolean][] = [
    ['前门', 'frontDoorOpen', '开', '关', false],
    ['后门', 'rearDoorOpen', '开', '关', false],
    ['门锁', 'doorLocked', '闭合', '未闭', true],
    ['上限位', 'upperLimit', '动作', '正常', false],
    ['下限位', 'lowerLimit', '动作', '正常', false],
    ['防坠器', 'safetyDeviceTriggered', '动作', '正常', false],
  ]
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
      <div className="mon-driver">
        <span className="face">
          <UserOutlined />
        </span>
        <div>
          <b>{named ? driver : '未识别司机'}</b>
          <small>
            {recognised ? (
              <span className={recognised.data.result === recognisedYes ? 'mon-fine' : 'mon-doubt'}>
                <CheckCircleFilled /> {shortTime(recognised.time)} {recognised.data.result === recognisedYes ? '识别' : '识别失败'}
              </span>
            ) : named ? (
              '设备上报的在岗司机'
            ) : (
              '启动前应有识别记录'
            )}
          </small>
        </div>
        <div className="right">
          <small>今日运行</small>
          <strong>{runs.data?.today.runs ?? '--'}</strong>
        </div>
      </div>
      <div className="mon-gauges">
        <Gauge
          label="载重"
          remark={`${v('load')?.toFixed(2) ?? '--'} / ${params.ratedLoad?.toFixed(2) ?? '--'} t`}
          value={v('loadPercent')}
          unit="%"
          decimals={0}
          high={125}
          ticks={ticksOf(limits, 'loadPercent', 125)}
          tone={toneAgainst(limits, 'loadPercent', v('loadPercent'))}
          {...common('loadPercent')}
        />
        <Gauge
          label="人数"
          remark="按门或摄像估算"
          value={v('personCount')}
          unit="人"
          decimals={0}
          high={Math.max(params.ratedPersons * 1.4, v('personCount') ?? 0)}
          ticks={[{ at: params.ratedPersons, text: `限 ${params.ratedPersons}`, tone: 'alarm' }]}
          tone={(v('personCount') ?? 0) > params.ratedPersons ? 'alarm' : 'fine'}
          {...common('personCount')}
        />
        <Gauge
          label="速度"
          remark={`额定 ${rated.toFixed(2)} m/s`}
          value={v('speed')}
          unit="m/s"
          decimals={2}
          high={rated * 1.4}
          ticks={speedTicks(tooFast, rated)}
          tone={toneAgainst(tooFast, 'speed', v('speed'))}
          {...common('speed')}
        />
        <Gauge
          label="高度"
          remark={v('floor') === undefined ? undefined : `${v('floor')} 层 / 共 ${params.floors} 层`}
          value={v('height')}
          unit="m"
          high={params.maxHeight * 1.08}
          ticks={[{ at: params.maxHeight, text: `上限 ${params.maxHeight}`, tone: 'alarm' }]}
          {...common('height')}
        />
        <Gauge
          label="风速"
          value={v('windSpeed')}
          unit="m/s"
          high={24}
          ticks={ticksOf(limits, 'windSpeed', 24)}
          tone={toneAgainst(limits, 'windSpeed', v('windSpeed'))}
          {...common('windSpeed')}
        />
        <Tilt x={v('tiltX')} y={v('tiltY')} limit={limits.find((one) => one.alarmKey === 'tiltAlarm')?.value ?? 1.5} grey={stale} />
      </div>
      <div className="mon-limits">
        {flags.map(([label, key, on, off, good]) => {
          const told = reading?.values[key]
          return (
            <span key={key}>
              {label}
              <b data-tone={stale || told === undefined ? 'stale' : told === good ? 'fine' : 'warning'}>
                {told === undefined ? '--' : told === true ? on : off}
              </b>
            </span>
          )
        })}
      </div>
    </InstrumentPanel>
  )
}

/** The rule counts from the rated speed of the lift; where it is not in force, GB/T 26557's tripping speed is marked. */
function speedTicks(limits: Readings['limits'], rated: number): Tick[] {
  const own = ticksOf(limits, 'speed', rated * overSpeed)
  return own.length > 0 ? own : [{ at: rated * overSpeed, text: (rated * overSpeed).toFixed(2), tone: 'alarm' }]
}

const bubblePx = 21

/** A spirit level: the dot leaves the ring where the mast leans too far. */
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
