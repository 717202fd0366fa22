import { CheckCircleFilled, UserOutlined } from '@ant-design/icons'
import { towerCycles } from '@zhugong/contract/telemetry/endpoints'
import { useCall } from '#kit/call.ts'
import { shortTime } from '#kit/format.ts'
import { numberIn } from './crane-state.ts'
import { type Desk, gaugeBasics, InstrumentPanel, type Readings, useEveryMs } from './family-monitor.tsx'
import { Gauge, type Tick, ticksOf, toneAgainst } from './gauge.tsx'

/** Result of a driver's recognition: it was him. */
const recognisedYes = '1'

interface InstrumentsProps {
  desk: Desk
  seen: Readings
  record: { record: string; time: number; data: Record<string, unknown> } | undefined
  params: Readonly<Record<string, unknown>> | undefined
}

const signed = (value: number | undefined, decimals = 1) => {
  if (value === undefined) return '--'
  const text = Math.abs(value).toFixed(decimals)
  return Number(text) === 0 ? text : `${value > 0 ? '+' : '−'}${text}`
}
const plain = (at: number | undefined, text?: string): Tick[] => (at === undefined ? [] : [{ at, text: text ?? String(at), tone: 'plain' }])

/** Driver, gauges and limit switches of the crane in front. */
export function CraneInstruments({ desk, seen, record, params }: InstrumentsProps) {
  const { reading, limits, stale } = seen
  const cycles = useCall(
    towerCycles,
    { query: { deviceId: desk.selected, projectCode: desk.projectCode, size: 1 } },
    { quiet: true, ...useEveryMs(60_000) },
  )
  const v = (key: string) => numberIn(reading?.values, key)
  const p = (key: string) => numberIn(params, key)
  const common = gaugeBasics(seen)
  const driver = reading?.values.driverName
  const recognised = record?.record === 'driverRecognition' ? record : undefined
  const load = v('load')
  const rated = v('ratedLoad')
  const slew = v('slewSpeed')
  const jib = p('maxRadius') ?? 60
  const top = p('maxHeight')
  const slewFrom = p('slewLimitFrom')
  const slewTo = p('slewLimitTo')
  const switches: [string, string][] = [
    ['上限位', 'limitUpper'],
    ['外限位', 'limitOuter'],
    ['左限位', 'limitLeft'],
    ['下限位', 'limitLower'],
    ['内限位', 'limitInner'],
    ['右限位', 'limitRight'],
  ]
  return (
    <InstrumentPanel desk={desk} reading={reading} emptyHint="设备接入后显示读数，参数见设备档案">
      <div className="mon-driver">
        <span className="face">
          <UserOutlined />
        </span>
        <div>
          <b>{typeof driver === 'string' && driver ? driver : '未识别司机'}</b>
          <small>
            {recognised ? (
              <span className={recognised.data.result === recognisedYes ? 'mon-fine' : 'mon-doubt'}>
                <CheckCircleFilled /> {shortTime(recognised.time)} {recognised.data.result === recognisedYes ? '识别' : '识别失败'}
              </span>
            ) : typeof driver === 'string' && driver ? (
              '设备上报的在岗司机'
            ) : (
              '作业中应有识别记录'
            )}
          </small>
        </div>
        <div className="right">
          <small>今日循环</small>
          <strong>{cycles.data?.today.cycles ?? '--'}</strong>
        </div>
      </div>
      <div className="mon-gauges">
        <Gauge
          label="力矩"
          remark={v('moment') === undefined ? undefined : `${v('moment')?.toFixed(1)} / ${p('ratedMoment')?.toFixed(1) ?? '--'} t·m`}
          value={v('momentPercent')}
          unit="%"
          high={125}
          ticks={ticksOf(limits, 'momentPercent', 125)}
          tone={toneAgainst(limits, 'momentPercent', v('momentPercent'))}
          {...common('momentPercent')}
        />
        <Gauge
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
          {...common('load')}
        />
        <Gauge
          label="幅度"
          remark={`变幅 ${signed(v('trolleySpeed'))} m/min`}
          value={v('radius')}
          unit="m"
          high={jib * 1.06}
          ticks={[...plain(p('minRadius'), p('minRadius')?.toFixed(1)), ...plain(p('maxRadius'), p('maxRadius')?.toFixed(1))]}
          {...common('radius')}
        />
        <Gauge
          label="吊钩高度"
          remark={`起升 ${signed(v('hoistSpeed'), 0)} m/min`}
          value={v('hookHeight')}
          unit="m"
          high={(top ?? 60) * 1.12}
          ticks={top === undefined ? [] : [{ at: top, text: `上限 ${top}`, tone: 'alarm' }]}
          {...common('hookHeight')}
        />
        <Gauge
          label="回转"
          remark={
            slew === undefined || Math.abs(slew) < 0.02 ? '静止' : `${slew > 0 ? '顺' : '逆'}时针 ${Math.abs(slew * 6).toFixed(1)} °/s`
          }
          value={v('slewAngle')}
          unit="°"
          high={360}
          pointer
          ticks={[slewFrom, slewTo].flatMap((at) => (at === undefined ? [] : [{ at, text: String(at), tone: 'alarm' as const }]))}
          {...common('slewAngle')}
        />
        <Gauge
          label="风速"
          remark={v('windLevel') === undefined ? undefined : `${v('windLevel')} 级`}
          value={v('windSpeed')}
          unit="m/s"
          high={24}
          ticks={ticksOf(limits, 'windSpeed', 24)}
          tone={toneAgainst(limits, 'windSpeed', v('windSpeed'))}
          {...common('windSpeed')}
        />
        <Gauge
          label="倾角"
          remark={`X ${signed(v('tiltX'), 2)}  Y ${signed(v('tiltY'), 2)}`}
          value={v('tilt')}
          unit="°"
          decimals={2}
          high={2.5}
          ticks={ticksOf(limits, 'tilt', 2.5)}
          tone={toneAgainst(limits, 'tilt', v('tilt'))}
          {...common('tilt')}
        />
      </div>
      <div className="mon-limits">
        {switches.map(([label, key]) => {
          const on = reading?.values[key]
          return (
            <span key={key}>
              {label}
              <b data-tone={stale || on === undefined ? 'stale' : on === true ? 'warning' : 'fine'}>
                {on === undefined ? '--' : on === true ? '动作' : '正常'}
              </b>
            </span>
          )
        })}
      </div>
    </InstrumentPanel>
  )
}
