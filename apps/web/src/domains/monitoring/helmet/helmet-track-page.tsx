import { CaretRightOutlined, PauseOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { findHelmetTrack } from '@zhugong/contract/monitoring/helmet/helmets'
import { onGround, type Site, whereabouts } from '@zhugong/contract/monitoring/site'
import { Button, Segmented } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { DetailSkeleton, Empty, ErrorPanel, Panel } from '#kit/feedback.tsx'
import { span as lasting, minuteOfDay, timeOfDay } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import type { Point } from '../crane-geometry.ts'
import { useSite } from '../family-live.ts'
import { useAlarmsWithin } from '../family-record.tsx'
import '../monitoring.css'
import { OneSite } from '../one-site.tsx'
import { type Projection, pathOf, Words } from '../plan-view.tsx'
import './helmet.css'
import { HelmetPlan } from './helmet-plan.tsx'
import { pointAt, silences } from './helmet-state.ts'
import { LookBar, useLookAt } from './look-at.tsx'
import { usePlaceDays } from './place-days.tsx'

type Track = OutputFor<typeof findHelmetTrack>['list'][number]
const speeds = [8, 30, 60]
const tickMs = 100
/** A position less accurate than this is drawn as a circle. */
const sureMetres = 30

export default function HelmetTrackPage() {
  return (
    <OneSite family="smartHelmet" unit="安全帽">
      {(projectCode) => <OfProject key={projectCode} projectCode={projectCode} />}
    </OneSite>
  )
}

/** Where did this person go? Requires a reason, and is logged. */
function OfProject({ projectCode }: { projectCode: string }) {
  const ground = useSite(projectCode)
  const at = useLookAt(projectCode, '700')
  const { looked } = at
  const track = useCall(
    findHelmetTrack,
    {
      query: {
        deviceId: looked?.deviceId,
        startTime: String(looked?.span.from ?? 0),
        endTime: String(looked?.span.to ?? 1),
        reason: looked?.reason,
      },
    },
    { quiet: true, enabled: looked !== undefined, staleMs: 600_000 },
  )
  const alarms = useAlarmsWithin('smartHelmet', projectCode, looked?.deviceId, looked?.span)
  const [alarmId, setAlarmId] = useState<string>()
  const found = looked ? track.data?.list[0] : undefined
  const { site } = ground
  const placeDays = usePlaceDays(projectCode)
  return (
    <PageShell
      fill
      remark={<span className="mon-said">轨迹只在工作时间和围栏附近采集，保留 {placeDays ?? '--'} 天；每次查看都会留痕</span>}
    >
      <div className="mon-stack">
        {site && found ? (
          <Played
            key={`${looked?.deviceId}${looked?.span.from}`}
            track={found}
            site={site}
            bar={<LookBar at={at} />}
            reason={looked?.reason ?? ''}
            alarms={(alarms.data?.list ?? []).filter((one) => one.alarmKey !== 'offline')}
            onAlarm={setAlarmId}
          />
        ) : (
          <div className="mon mon-map">
            <div className="mon-left">
              <Panel title="查看轨迹">
                <LookBar at={at} />
              </Panel>
            </div>
            <div className="mon-plan-panel">
              <Panel title="轨迹">
                {looked && track.isPending ? (
                  <DetailSkeleton />
                ) : track.error ? (
                  <ErrorPanel error={track.error} retry={track.refetch} />
                ) : (
                  <Empty text={at.deviceId ? '填写事由后显示轨迹' : '先选择人员和日期'} hint="查看个人轨迹需要事由，本人可以看到谁看过" />
                )}
              </Panel>
            </div>
          </div>
        )}
      </div>
      <AlarmDrawer id={alarmId} onClose={() => setAlarmId(undefined)} />
    </PageShell>
  )
}

interface PlayedProps {
  track: Track
  site: Site
  bar: React.ReactNode
  reason: string
  alarms: readonly { id: string; startTime: number; alarmLabel: string; level: number }[]
  onAlarm: (id: string) => void
}

function Played({ track, site, bar, reason, alarms, onAlarm }: PlayedProps) {
  const points = useMemo(() => track.segments.flat(), [track])
  const [first, last] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0]
  const [at, setAt] = useState(first)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(30)
  useEffect(() => {
    if (!playing) return
    const timer = setInterval(() => setAt((now) => Math.min(last, now + tickMs * speed)), tickMs)
    return () => clearInterval(timer)
  }, [playing, speed, last])
  const place = (one: { lng: number; lat: number }): Point => onGround(site.origin, [one.lng, one.lat])
  const here = pointAt(points, at)
  const gaps = silences(track.segments)
  const silent = gaps.find((one) => at > one.from && at < one.to)
  const name = track.subject ?? track.deviceName
  const pins = alarms.flatMap((one) => {
    const point = pointAt(points, one.startTime)
    return point ? [{ ...one, at: place(point) }] : []
  })
  if (points.length === 0)
    return (
      <div className="mon mon-map">
        <div className="mon-left">
          <Panel title="查看轨迹">{bar}</Panel>
        </div>
        <div className="mon-plan-panel">
          <Panel title={name}>
            <Empty text="这段时间没有位置" hint="不在工作时间、不在围栏附近，或安全帽没有定位；室内看基站安全帽轨迹" />
          </Panel>
        </div>
      </div>
    )
  return (
    <>
      <div className="mon mon-map">
        <div className="mon-left">
          <Panel title="查看轨迹">{bar}</Panel>
        </div>
        <div className="mon-plan-panel">
          <Panel title={name} remark={`事由：${reason}`} actions={<span className="mon-legend">实线为已走，虚线处没有数据，不连线</span>}>
            <HelmetPlan
              site={site}
              people={[
                {
                  id: track.deviceId,
                  label: `${name} ${timeOfDay(at)}`,
                  at: here && place(here),
                  tone: 'fine',
                  past: silent !== undefined,
                  named: true,
                  state: here ? whereabouts(site, place(here)).words : '',
                },
              ]}
              label={`${name} 的轨迹，${track.distanceKm.toFixed(2)} 公里，停留 ${track.stops.length} 处`}
            >
              {(projection) => (
                <Path track={track} at={at} place={place} projection={projection} accuracy={here?.accuracy ?? null}>
                  {pins.map((one) => {
                    const [x, y] = projection.at(one.at)
                    return (
                      <g key={one.id}>
                        <path d={`M${x} ${y}l-6 -12h12z`} className="helmet-pin" />
                        <title>{`${minuteOfDay(one.startTime)} ${one.alarmLabel}`}</title>
                      </g>
                    )
                  })}
                </Path>
              )}
            </HelmetPlan>
          </Panel>
        </div>
        <div className="mon-right">
          <Panel title="停留与告警" remark="5 分钟以上">
            <dl className="helmet-facts">
              <Fact label="路程" value={`${track.distanceKm.toFixed(2)} km`} />
              <Fact label="停留" value={`${track.stops.length} 处`} />
              <Fact label="告警" value={`${alarms.length}`} />
              <Fact label="缺数据" value={lasting(gaps.reduce((sum, one) => sum + one.to - one.from, 0))} />
            </dl>
            <div className="helmet-stays">
              {track.stops.map((one, i) => (
                <button key={one.startTime} type="button" className="zg-bare" onClick={() => setAt(one.startTime)}>
                  <span className="helmet-no">{i + 1}</span>
                  <b>{whereabouts(site, place(one)).words}</b>
                  <span>{lasting(one.seconds * 1000)}</span>
                  <small>
                    {minuteOfDay(one.startTime)} 至 {minuteOfDay(one.endTime)}
                  </small>
                </button>
              ))}
              {pins.map((one) => (
                <button key={one.id} type="button" className="zg-bare" onClick={() => onAlarm(one.id)}>
                  <span className="helmet-no">!</span>
                  <b>{one.alarmLabel}</b>
                  <span>{one.level} 级</span>
                  <small>
                    {minuteOfDay(one.startTime)} {whereabouts(site, one.at).words}
                  </small>
                </button>
              ))}
              {track.stops.length + pins.length === 0 && <Empty small text="没有停留，也没有告警" />}
            </div>
          </Panel>
        </div>
      </div>
      <section className="helmet-time" aria-label="回放">
        <Button
          ghost
          icon={playing && at < last ? <PauseOutlined /> : <CaretRightOutlined />}
          aria-label={playing && at < last ? '暂停' : '播放'}
          onClick={() => {
            if (at >= last) setAt(first)
            setPlaying(!(playing && at < last))
          }}
        />
        <Segmented
          aria-label="倍速"
          size="small"
          value={speed}
          options={speeds.map((value) => ({ value, label: `${value}×` }))}
          onChange={(value) => setSpeed(Number(value))}
        />
        <b>{timeOfDay(at)}</b>
        <input
          type="range"
          aria-label="时间"
          aria-valuetext={timeOfDay(at)}
          min={first}
          max={last}
          step={1000}
          value={at}
          onChange={(event) => setAt(Number(event.target.value))}
        />
        <span>
          {silent
            ? `无数据 ${minuteOfDay(silent.from)} 至 ${minuteOfDay(silent.to)}`
            : `${here?.speed?.toFixed(1) ?? '--'} km/h，剩 ${lasting(last - at)}`}
        </span>
      </section>
    </>
  )
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)

interface PathProps {
  track: Track
  at: number
  accuracy: number | null
  place: (one: { lng: number; lat: number }) => Point
  projection: Projection
  children: React.ReactNode
}

/** The travelled part covers the rest; nothing is drawn over gaps. */
function Path({ track, at, accuracy, place, projection, children }: PathProps) {
  const drawn = (points: Track['segments'][number]) => pathOf(points.map((one) => projection.at(place(one))))
  const here = pointAt(track.segments.flat(), at)
  return (
    <g>
      {track.segments.map((segment) => (
        <path key={segment[0]?.time} d={drawn(segment)} className="helmet-path" />
      ))}
      {track.segments.map((segment) => (
        <path key={segment[0]?.time} d={drawn(segment.filter((one) => one.time <= at))} className="helmet-path" data-gone="true" />
      ))}
      {track.segments.slice(1).map((segment, i) => {
        const [from, to] = [track.segments[i]?.at(-1), segment[0]]
        if (!from || !to) return null
        const [[x1, y1], [x2, y2]] = [projection.at(place(from)), projection.at(place(to))]
        return <line key={from.time} x1={x1} y1={y1} x2={x2} y2={y2} className="helmet-gap" />
      })}
      {track.stops.map((one, i) => {
        const [x, y] = projection.at(place(one))
        return (
          <g key={one.startTime}>
            <circle cx={x} cy={y} r={9} className="helmet-stop" />
            <Words at={[x, y + 4]} size={12}>
              {i + 1}
            </Words>
          </g>
        )
      })}
      {here && (accuracy ?? 0) > sureMetres && (
        <circle
          cx={projection.at(place(here))[0]}
          cy={projection.at(place(here))[1]}
          r={(accuracy ?? 0) * projection.k}
          className="helmet-accuracy"
        />
      )}
      {children}
    </g>
  )
}
