import { FormOutlined, WarningFilled } from '@ant-design/icons'
import { pitStates } from '@zhugong/contract/monitoring/pit/pit-live'
import type { PitStage } from '@zhugong/contract/monitoring/pit/pits'
import { Link } from 'react-router'
import type { CallState } from '#kit/call.ts'
import { Empty, Known, Notice, Panel } from '#kit/feedback.tsx'
import { measure, shortTime, span, time } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { EventList, eventsOf } from '../family-events.tsx'
import type { Desk } from '../family-monitor.tsx'
import { PitPointActions } from './pit-point-change.tsx'
import { ShareBar } from './pit-rail.tsx'
import { besidePoints, type Placed, shareWords, stateColors, valueWords, wallWords } from './pit-state.ts'

interface PitPointPanelProps {
  desk: Desk
  chosen: Placed | undefined
  placed: readonly Placed[]
  stage: PitStage | undefined
  now: number
  points: CallState
  stages: CallState
}

const stale = (at: number | null, now: number) => (at === null ? undefined : now - at)

/** The selected point: value, rate and control value; whether its neighbours move too; excavation progress. */
export function PitPointPanel({ desk, chosen, placed, stage, now, points, stages }: PitPointPanelProps) {
  if (!chosen)
    return (
      <Panel title={desk.device?.name ?? '测点'}>
        <Known of={points}>
          <Empty small text="这个测点没有坐标" hint="在设备档案中填写位置后显示" />
        </Known>
      </Panel>
    )
  const { point } = chosen
  const beside = besidePoints(placed, chosen)
  const color = { color: stateColors[point.state] }
  const alarm = desk.live.openAlarm(point.deviceId)
  const old = stale(point.time, now)
  const fastest = Math.max(
    0.1,
    point.controlRate ?? 0,
    ...beside.map((one) => Math.abs(one.point.ratePerDay ?? 0)),
    Math.abs(point.ratePerDay ?? 0),
  )
  return (
    <Panel
      title={point.pointCode}
      remark={
        alarm ? (
          <button type="button" className="zg-bare mon-open" data-grave={alarm.level <= 2} onClick={() => desk.openAlarm(alarm.id)}>
            <WarningFilled /> {alarm.level} 级 {alarm.label}
          </button>
        ) : (
          <span style={color}>{pitStates[point.state]}</span>
        )
      }
      actions={
        <span className="mon-legend" title={time(point.time)}>
          {point.manual && (
            <span>
              <FormOutlined /> 人工
            </span>
          )}
          {shortTime(point.time)}
        </span>
      }
    >
      <div className="mon-gauges">
        <dl className="pit-figures">
          <div>
            <dt>累计</dt>
            <dd style={color}>{valueWords(point.cumulative, point.unit)}</dd>
            <dd className="note">
              {point.control === null ? '未设控制值' : `控制 ${measure(point.control, 0)}，占 ${shareWords(point.share)}`}
            </dd>
          </div>
          <div>
            <dt>速率</dt>
            <dd style={color}>{point.ratePerDay === null ? '--' : `${measure(point.ratePerDay, 2)} ${point.unit}/d`}</dd>
            <dd className="note">
              {point.ratePerDay === null
                ? '速率不足以计算'
                : point.controlRate
                  ? `控制 ${measure(point.controlRate, 1)}，占 ${shareWords(point.rateShare)}`
                  : '未设速率控制值'}
            </dd>
          </div>
        </dl>
        {point.damaged && (
          <Notice tone="warning">
            {time(point.damaged.since).slice(0, 16)} 起标记损坏：{point.damaged.reason}；其读数不计入占比与报警
          </Notice>
        )}
        {old !== undefined && old > 3_600_000 && <p className="pit-foot">最后数据 {span(old)}前</p>}
        <div className="mon-sub">是一个点，还是整面墙</div>
        <ul className="pit-beside">
          <li>
            <b>{point.pointCode}</b>
            <ShareBar share={(Math.abs(point.ratePerDay ?? 0) / fastest) * 100} color={stateColors[point.state]} />
            <span>{measure(point.ratePerDay, 2)}</span>
          </li>
          {beside.map((one) => (
            <li key={one.point.deviceId}>
              <button type="button" className="zg-bare zg-link" onClick={() => desk.select(one.point.deviceId)}>
                {one.point.pointCode}
              </button>
              <small>{measure(one.metres, 0)} m</small>
              <ShareBar share={(Math.abs(one.point.ratePerDay ?? 0) / fastest) * 100} color={stateColors[one.point.state]} />
              <span>{measure(one.point.ratePerDay, 2)}</span>
            </li>
          ))}
        </ul>
        <p className="pit-foot">
          {wallWords(point.ratePerDay, beside)}（每日变化，{point.unit}/d）
        </p>
        <div className="mon-sub">工况</div>
        <p className="pit-foot">
          {stage
            ? `${time(stage.at).slice(0, 16)} 挖至 ${stage.depth} m${stage.note ? `，${stage.note}` : ''}（${stage.createBy ?? ''}）`
            : stages.data
              ? '还没有上报开挖工况'
              : ''}
        </p>
        <EventList events={eventsOf(desk.live)} onAlarm={desk.openAlarm} />
        <p className="pit-foot">
          <Link to={hrefOf('/foundationPit/record', { deviceId: point.deviceId })}>监测记录</Link>
          {'　'}
          <Link to={hrefOf('/foundationPit/warning', { deviceName: point.pointCode })}>告警记录</Link>
        </p>
        <PitPointActions key={`${point.deviceId} ${point.pointCode}`} point={point} />
      </div>
    </Panel>
  )
}
