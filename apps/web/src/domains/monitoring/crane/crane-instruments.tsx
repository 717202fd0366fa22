import { towerCycles } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { useCall } from '#kit/call.ts'
import { numberIn } from '../crane-state.ts'
import { DriverHead, type LastRecord, type Switch, Switches } from '../cycles/instruments.tsx'
import { type Desk, gaugesOf, InstrumentPanel, type Readings, useEveryMs } from '../family-monitor.tsx'
import { Gauge, type Tick, ticksOf, toneAgainst } from '../gauge.tsx'

const switches: readonly Switch[] = [
  { label: '上限位', key: 'limitUpper' },
  { label: '外限位', key: 'limitOuter' },
  { label: '左限位', key: 'limitLeft' },
  { label: '下限位', key: 'limitLower' },
  { label: '内限位', key: 'limitInner' },
  { label: '右限位', key: 'limitRight' },
]

interface InstrumentsProps {
  desk: Desk
  seen: Readings
  record: LastRecord
  params: Readonly<Record<string, unknown>> | undefined
}

const signed = (value: number | undefined, decimals = 1) => {
  if (value === undefined) return '--'
  const text = Math.abs(value).toFixed(decimals)
  return Number(text) === 0 ? text : `${value > 0 ? '+' : '−'}${text}`
}
const plainTick = (at: number | undefined, text?: string): Tick[] =>
  at === undefined ? [] : [{ at, text: text ?? String(at), tone: 'plain' }]

/** Driver, gauges and limit switches of the selected crane. */
export function CraneInstruments({ desk, seen, record, params }: InstrumentsProps) {
  const { reading, limits } = seen
  const cycles = useCall(
    towerCycles,
    { query: { deviceId: desk.selected, projectCode: desk.projectCode, size: 1 } },
    { quiet: true, ...useEveryMs(60_000) },
  )
  const v = (key: string) => numberIn(reading?.values, key)
  const p = (key: string) => numberIn(params, key)
  const { plain, limited } = gaugesOf(seen)
  const load = v('load')
  const rated = v('ratedLoad')
  const slew = v('slewSpeed')
  const jib = p('maxRadius') ?? 60
  const top = p('maxHeight')
  const slewFrom = p('slewLimitFrom')
  const slewTo = p('slewLimitTo')
  return (
    <InstrumentPanel desk={desk} reading={reading} emptyHint="设备接入后显示读数，参数见设备档案">
      <DriverHead
        driver={reading?.values.driverName}
        record={record}
        expected="作业中应有识别记录"
        today={{ label: '今日循环', value: cycles.data?.today.cycles }}
      />
      <div className="mon-gauges">
        <Gauge
          {...limited('momentPercent', 125)}
          label="力矩"
          remark={v('moment') === undefined ? undefined : `${v('moment')?.toFixed(1)} / ${p('ratedMoment')?.toFixed(1) ?? '--'} t·m`}
          unit="%"
        />
        <Gauge
          {...plain('load')}
          label="吊重"
          remark={`${v('loadPercent')?.toFixed(0) ?? '--'} %，${v('fall') ?? '--'} 倍率`}
          value={load}
          unit="t"
          decimals={2}
          high={(rated ?? p('maxLoad') ?? 5) * 1.2}
          ticks={
            rated === undefined
              ? []
              : ticksOf(limits, 'loadPercent', 120).map((one) => ({
                  ...one,
                  at: (one.at / 100) * rated,
                  text: one.at === 100 ? `额定 ${rated.toFixed(2)}` : one.at < 100 ? `${one.text} %` : one.text,
                }))
          }
          tone={toneAgainst(limits, 'loadPercent', v('loadPercent'))}
        />
        <Gauge
          {...plain('radius')}
          label="幅度"
          remark={`变幅 ${signed(v('trolleySpeed'))} m/min`}
          unit="m"
          high={jib * 1.06}
          ticks={[...plainTick(p('minRadius'), p('minRadius')?.toFixed(1)), ...plainTick(p('maxRadius'), p('maxRadius')?.toFixed(1))]}
        />
        <Gauge
          {...plain('hookHeight')}
          label="吊钩高度"
          remark={`起升 ${signed(v('hoistSpeed'), 0)} m/min`}
          unit="m"
          high={(top ?? 60) * 1.12}
          ticks={top === undefined ? [] : [{ at: top, text: `上限 ${top}`, tone: 'alarm' }]}
        />
        <Gauge
          {...plain('slewAngle')}
          label="回转"
          remark={
            slew === undefined || Math.abs(slew) < 0.02 ? '静止' : `${slew > 0 ? '顺' : '逆'}时针 ${Math.abs(slew * 6).toFixed(1)} °/s`
          }
          unit="°"
          high={360}
          pointer
          ticks={[slewFrom, slewTo].flatMap((at) => (at === undefined ? [] : [{ at, text: String(at), tone: 'alarm' as const }]))}
        />
        <Gauge
          {...limited('windSpeed', 24)}
          label="风速"
          remark={v('windLevel') === undefined ? undefined : `${v('windLevel')} 级`}
          unit="m/s"
        />
        <Gauge
          {...limited('tilt', 2.5)}
          label="倾角"
          remark={`X ${signed(v('tiltX'), 2)}  Y ${signed(v('tiltY'), 2)}`}
          unit="°"
          decimals={2}
        />
      </div>
      <Switches switches={switches} seen={seen} />
    </InstrumentPanel>
  )
}
