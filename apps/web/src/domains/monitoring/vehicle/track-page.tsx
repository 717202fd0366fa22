import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { evidenceHours, truckTrack } from '@zhugong/contract/monitoring/vehicle/vehicles'
import { Button, Segmented } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Chart } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, ErrorPanel, FigureStrip, Known, Notice, Tag } from '#kit/feedback.tsx'
import { measure, minuteOfDay, span, time, timeOfDay } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { SiteMap } from '#kit/map.tsx'
import type { MapLine, MapPoint } from '#kit/map-props.ts'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { columnsOption } from '../analysis-charts.ts'
import '../family.css'
import { ScopeBar, useFamilyScope } from '../family-scope.tsx'
import { banded, gpxOf, pointAt, type SpeedBand } from './truck-state.ts'
import '../monitoring.css'
import { useTruck } from './use-truck.ts'
import './vehicle.css'

type Track = OutputFor<typeof truckTrack>['list'][number]
const tickMs = 200
const speeds = [1, 10, 60, 300] as const
const bands: readonly SpeedBand[] = ['slow', 'usual', 'fast']
const bandColors: Record<SpeedBand, string> = { slow: colors.amber, usual: colors.fine, fast: colors.danger }
/** A document about a moment covers this long before and after. */
const aroundMs = 30 * 60_000
/** Points of the speed curve. */
const curvePoints = 120
const longestMs = 7 * 86_400_000

/** Which way did the truck go, where did it stop and tip, and was it covered? */
export default function TrackPage() {
  const scope = useFamilyScope({ family: 'truckMonitor', usual: '1', one: true })
  const deviceId = useTruck(scope)
  const plateNo = usePageQuery().get('plateNo')
  const { period } = scope
  const tooLong = period.to - period.from > longestMs + 86_400_000
  const track = useCall(
    truckTrack,
    { query: { deviceId, startTime: scope.query.startTime, endTime: scope.query.endTime } },
    { quiet: true, keepPrevious: true, enabled: deviceId !== undefined && !tooLong },
  )
  const one = track.data?.list[0]
  return (
    <PageShell fill remark={one ? `${one.subject ?? one.deviceName}，${scope.words}` : scope.words}>
      <div className="mon-stack">
        <div className="zg-card fam-bar">
          <ScopeBar scope={{ ...scope, deviceId }} periods={['1', '7']} unit="车辆" />
          {one && one.jumps > 0 && <Tag tone="warning">剔除 {one.jumps} 个漂移点</Tag>}
          {one && one.thinnedFrom > one.points && <Tag>{`${one.thinnedFrom} 点抽稀为 ${one.points} 点，停车、倾倒与告警处不抽稀`}</Tag>}
        </div>
        {tooLong ? (
          <Notice tone="warning">轨迹最多查询 7 天，请缩短时间</Notice>
        ) : track.error && !track.data ? (
          <ErrorPanel error={track.error} retry={track.refetch} />
        ) : !one ? (
          <Known of={[scope.requested, track]}>
            <Empty
              text={deviceId ? '没有轨迹' : plateNo ? `${plateNo} 没有登记车载终端` : '范围内没有车辆'}
              hint="登记车载终端并上报位置后显示"
            />
          </Known>
        ) : (
          <Shown key={`${one.deviceId}${period.text}`} track={one} />
        )}
      </div>
    </PageShell>
  )
}

/** Printed evidence of a span of a truck's track, for readers without access to the product. */
function useEvidence(deviceId: string) {
  const may = useCan('vehicle.download')
  const print = usePrint('truckEvidence')
  const running = print.running
  return {
    may,
    running,
    of: (from: number, to: number) =>
      void print.run({
        body: { feature: 'truckEvidence', exportType: 'pdf', query: { deviceId, startTime: String(from), endTime: String(to) } },
      }),
  }
}

function Shown({ track }: { track: Track }) {
  const evidence = useEvidence(track.deviceId)
  const from = track.segments[0]?.[0]?.time ?? 0
  const to = track.segments.at(-1)?.at(-1)?.time ?? 0
  const [at, setAt] = useState(from)
  const [playing, setPlaying] = useState(false)
  const [pace, setPace] = useState<number>(60)
  useEffect(() => {
    if (!playing) return
    const timer = setInterval(() => setAt((now) => Math.min(to, now + tickMs * pace)), tickMs)
    return () => clearInterval(timer)
  }, [playing, pace, to])
  const ended = at >= to
  const here = pointAt(track.segments, at)
  const lines = useMemo(
    () =>
      track.segments
        .flatMap((segment, i) => banded(segment).map((piece, j) => ({ ...piece, id: `${i}-${j}` })))
        // Where a truck passed twice, the faster pass is drawn on top.
        .sort((a, b) => bands.indexOf(a.band) - bands.indexOf(b.band))
        .map(
          ({ band, points, id }): MapLine => ({
            id,
            path: points.map(({ lng, lat }) => [lng, lat] as const),
            color: bandColors[band],
            width: 4,
          }),
        ),
    [track.segments],
  )
  const points: MapPoint[] = [
    ...track.stops.map(
      (stop): MapPoint => ({
        id: `stop${stop.startTime}`,
        at: [stop.lng, stop.lat],
        state: 'maintenance',
        label: `停 ${span(stop.seconds * 1000)}`,
        size: 5,
      }),
    ),
    ...track.tips.map(
      (tip): MapPoint => ({
        id: `tip${tip.time}`,
        at: [tip.lng, tip.lat],
        state: tip.dump !== null || tip.onSite ? 'normal' : 'alarm',
        label: `倾倒（${tip.dump ?? (tip.onSite ? '场内' : '消纳场外')}）`,
        size: 7,
      }),
    ),
    ...track.alarms.flatMap((one): MapPoint[] =>
      one.lng === undefined || one.lat === undefined
        ? []
        : [{ id: `alarm${one.id}`, at: [one.lng, one.lat], state: 'warning', label: one.label, size: 6 }],
    ),
    ...(here
      ? [{ id: 'here', at: [here.lng, here.lat] as const, state: 'person' as const, label: track.subject ?? track.deviceName, size: 9 }]
      : []),
  ]
  const save = () => {
    const url = URL.createObjectURL(new Blob([gpxOf(track.subject ?? track.deviceName, track.segments)], { type: 'application/gpx+xml' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${track.subject ?? track.deviceName}-${time(from).slice(0, 10)}.gpx`
    link.click()
    URL.revokeObjectURL(url)
  }
  if (track.points === 0) return <Empty text="这段时间没有位置" hint="终端没有上报，或位置已过保留期" />
  return (
    <>
      <FigureStrip
        items={[
          { label: '里程', value: measure(track.distanceKm, 1), unit: 'km' },
          { label: '行程', value: track.trips.length, unit: '趟' },
          { label: '最高速度', value: measure(track.maxSpeed, 0), unit: 'km/h' },
          {
            label: '消纳场外倾倒',
            value: track.tips.filter((one) => !one.onSite && one.dump === null).length,
            unit: '处',
            remark: `共举升 ${track.tips.length} 处`,
            tone: track.tips.some((one) => !one.onSite && one.dump === null) ? 'danger' : undefined,
          },
        ]}
      />
      <div className="truck-stage">
        <div className="zg-card truck-map">
          <SiteMap
            label={`${track.subject ?? track.deviceName} 轨迹，${track.points} 点，里程 ${track.distanceKm.toFixed(1)} 公里`}
            height="100%"
            lines={lines}
            points={points}
          />
          <div className="truck-play">
            <Button
              onClick={() => {
                if (ended) setAt(from)
                setPlaying(!playing || ended)
              }}
            >
              {playing && !ended ? '暂停' : '播放'}
            </Button>
            <Segmented
              aria-label="倍速"
              value={pace}
              options={speeds.map((value) => ({ value, label: `${value}×` }))}
              onChange={(value) => setPace(Number(value))}
            />
            <input
              type="range"
              aria-label="时刻"
              min={from}
              max={to}
              step={1000}
              value={at}
              onChange={(event) => setAt(Number(event.target.value))}
            />
            <span>
              {time(at)} {here?.speed === null || here === undefined ? '' : `${here.speed.toFixed(0)} km/h`}
            </span>
            <Link to={hrefOf('/vehicle/video/history', { deviceId: track.deviceId, time: String(at) })}>这一分钟的录像</Link>
            <Button onClick={save}>导出 GPX</Button>
            {evidence.may && (
              <Button
                loading={evidence.running}
                disabled={to - from > evidenceHours * 3_600_000}
                title={to - from > evidenceHours * 3_600_000 ? `证据单的时段在 ${evidenceHours} 小时以内，可按行程或告警出具` : undefined}
                onClick={() => evidence.of(from, to + 1)}
              >
                证据单
              </Button>
            )}
          </div>
          <div className="truck-play truck-key">
            <span>
              <i className="slow" />
              20 km/h 以下
            </span>
            <span>
              <i className="usual" />
              20 至 60
            </span>
            <span>
              <i className="fast" />
              60 以上
            </span>
            <span>超过 10 分钟没有位置处断开</span>
          </div>
        </div>
        <Side track={track} evidence={evidence} onSeek={setAt} />
      </div>
    </>
  )
}

function Side({ track, evidence, onSeek }: { track: Track; evidence: ReturnType<typeof useEvidence>; onSeek: (at: number) => void }) {
  const mayAlarm = useCan('alarm.view')
  const all = useMemo(() => {
    const flat = track.segments.flat()
    const step = Math.max(1, Math.ceil(flat.length / curvePoints))
    return flat.filter((_, i) => i % step === 0)
  }, [track.segments])
  return (
    <div className="truck-side">
      <Card title="速度" remark="km/h">
        <Chart
          height={150}
          label={`速度曲线，最高 ${track.maxSpeed?.toFixed(0) ?? '--'} 公里每小时`}
          option={columnsOption({
            names: all.map((one) => minuteOfDay(one.time)),
            unit: 'km/h',
            lines: 3,
            series: [{ name: '速度', line: true, values: all.map((one) => one.speed) }],
          })}
        />
      </Card>
      <Card title="行程" remark={`${track.trips.length} 趟`} flush>
        {track.trips.length === 0 ? (
          <Empty small text="没有完整的行程" />
        ) : (
          track.trips.map((trip) => (
            <div key={trip.startTime} className="truck-trip">
              <button type="button" className="zg-bare truck-row" onClick={() => onSeek(trip.startTime)}>
                <strong>
                  {timeOfDay(trip.startTime).slice(0, 5)} 至 {timeOfDay(trip.endTime).slice(0, 5)}
                </strong>
                <span>{trip.distanceKm.toFixed(1)} km</span>
                <small>
                  {trip.startPlace} → {trip.endPlace}
                </small>
                <small>
                  最高 {trip.maxSpeed.toFixed(0)} km/h，停 {trip.stops} 次，满载 {trip.fullMinutes.toFixed(0)} 分
                  {trip.uncoveredMinutes > 0 && <span className="tone-danger">，未密闭 {trip.uncoveredMinutes.toFixed(0)} 分</span>}
                  {trip.tipped > 0 && `，举升 ${trip.tipped} 处`}
                </small>
              </button>
              {evidence.may && (
                <button
                  type="button"
                  className="zg-bare zg-link"
                  aria-label={`${timeOfDay(trip.startTime).slice(0, 5)} 的行程证据单`}
                  onClick={() => evidence.of(trip.startTime, trip.endTime + 1)}
                >
                  证据单
                </button>
              )}
            </div>
          ))
        )}
      </Card>
      <Card title="期间告警" remark={`${track.alarms.length} 条`}>
        {track.alarms.length === 0 ? (
          <Empty small text="没有告警" />
        ) : (
          <ul className="fam-alarms">
            {track.alarms.map((one) => (
              <li key={one.id}>
                {mayAlarm ? (
                  <Link to={hrefOf('/alarm/record', { alarmId: one.id })}>{`${timeOfDay(one.time)} ${one.label}`}</Link>
                ) : (
                  `${timeOfDay(one.time)} ${one.label}`
                )}
                <button type="button" className="zg-bare zg-link" onClick={() => onSeek(one.time)}>
                  定位
                </button>
                {evidence.may && (
                  <button
                    type="button"
                    className="zg-bare zg-link"
                    aria-label={`${timeOfDay(one.time)} ${one.label} 证据单`}
                    onClick={() => evidence.of(one.time - aroundMs, one.time + aroundMs)}
                  >
                    证据单
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}
