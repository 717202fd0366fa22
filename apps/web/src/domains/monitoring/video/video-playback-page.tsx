import { TagOutlined } from '@ant-design/icons'
import { findAlarms } from '@zhugong/contract/alarms/lists'
import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { dayMs } from '@zhugong/contract/kit/time'
import { findAiEvents } from '@zhugong/contract/monitoring/video/ai-events'
import { listMarks } from '@zhugong/contract/monitoring/video/video-marks'
import { Button, Segmented } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, Forbidden, Known } from '#kit/feedback.tsx'
import { day, day as formatDay, minuteOfDay, time, timeOfDay } from '#kit/format.ts'
import { Choices, DayInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import '../family.css'
import '../monitoring.css'
import type { Span } from '../replay.ts'
import { typeName } from './ai-words.tsx'
import { ClipButton } from './clip-button.tsx'
import { BookmarkButton, MarksDrawer, SnapshotButton } from './marks.tsx'
import { gapsBetween, keptDays, partOf } from './playback.ts'
import { useStream, useVisible } from './stream.ts'
import { TalkPanel } from './talk-panel.tsx'
import './video.css'
import { VideoTile } from './video-tile.tsx'

/** Opened at a moment, playback starts a little before it. */
const beforeMs = 15_000
/** Length of one loaded piece; the next follows automatically. */
const pieceMs = 60_000
const mostCameras = 4
const speeds = [0.5, 1, 2, 4, 8] as const
const zooms = { day: dayMs, hour: 3_600_000, ten: 600_000 } as const
const tickMs = 250
/** Frame length: standard cameras record 25 frames a second. */
const frameMs = 40

/** What happened there at that time? */
export default function VideoPlaybackPage() {
  const may = useCan('video.playback')
  if (!may)
    return (
      <PageShell>
        <Card>
          <Forbidden page="视频回放" code="video.playback" />
        </Card>
      </PageShell>
    )
  return <Playback />
}

function Playback() {
  const projectCode = useProjectCode()
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const visible = useVisible()
  const devices = useCall(
    listDevices,
    { query: { projectCode, family: 'videoAi', status: '1', size: 1000 } },
    { quiet: true, staleMs: 300_000 },
  )
  const cameras = devices.data?.list ?? []
  const wanted = (query.get('deviceId') ?? '').split(',').filter((id) => cameras.some((one) => one.id === id))
  const ids =
    wanted.length > 0
      ? wanted.slice(0, mostCameras)
      : [...cameras]
          .sort((a, b) => Number(b.online) - Number(a.online))
          .slice(0, 1)
          .map((one) => one.id)
  const requested = Number(query.get('time'))
  const [at, setAt] = useState(() => (requested > 0 ? requested - beforeMs : Date.now() - 10 * 60_000))
  const [playing, setPlaying] = useState(true)
  const [speed, setSpeed] = useState<number>(1)
  const [zoom, setZoom] = useState<keyof typeof zooms>(requested > 0 ? 'hour' : 'day')
  const [alarm, setAlarm] = useState<string>()
  const [marks, setMarks] = useState(false)
  useEffect(() => {
    if (requested > 0) setAt(requested - beforeMs)
  }, [requested])
  const moving = playing && visible
  useEffect(() => {
    if (!moving) return
    const timer = setInterval(() => setAt((now) => Math.min(Date.now(), now + tickMs * speed)), tickMs)
    return () => clearInterval(timer)
  }, [moving, speed])
  // Stepping by frames pauses the video.
  const step = (ms: number) => {
    setPlaying(false)
    setAt((now) => Math.min(Date.now(), now + ms))
  }
  const date = day(at)
  const midnight = Date.parse(`${date}T00:00:00+08:00`)
  const window: Span =
    zoom === 'day'
      ? { from: midnight, to: midnight + dayMs }
      : { from: at - ((at - midnight) % zooms[zoom]), to: at - ((at - midnight) % zooms[zoom]) + zooms[zoom] }
  const show = (next: readonly string[]) =>
    go(page.path, { deviceId: next.join(','), time: String(Math.round(at + beforeMs)) }, { replace: true })
  const piece = Math.floor(at / pieceMs) * pieceMs
  const names = new Map(cameras.map((one) => [one.id, one.name]))
  const snapOf = (id: string) => {
    const camera = cameras.find((one) => one.id === id)
    return camera && <SnapshotButton camera={camera} at={() => at} />
  }
  const front = cameras.find((one) => one.id === ids[0])
  if (devices.isPending)
    return (
      <PageShell fill>
        <DetailSkeleton />
      </PageShell>
    )
  if (ids.length === 0)
    return (
      <PageShell>
        <Card>
          <Known of={devices}>
            <Empty text="没有摄像机" hint="登记摄像机后可以回放录像" />
          </Known>
        </Card>
      </PageShell>
    )
  const kept = Math.min(...ids.map((id) => keptDays(names.get(id) ?? '')))
  const beyond = Date.now() - at > kept * dayMs
  return (
    <PageShell fill remark={`录像保存 30 天，大门 90 天；${time(at)}`}>
      <div className="mon-stack">
        <div className="zg-card fam-bar">
          <span className="vid-choose">
            <Choices
              aria-label="摄像机（最多 4 路）"
              value={ids}
              options={cameras.map((one) => ({ value: one.id, label: projectCode === '*' ? `${one.projectName} ${one.name}` : one.name }))}
              onChange={(next) => next && next.length > 0 && show(next.slice(-mostCameras))}
            />
          </span>
          <span className="fam-days">
            <DayInput
              aria-label="日期"
              value={date}
              onChange={(value) => value && setAt(Date.parse(`${value}T00:00:00+08:00`) + (at - midnight))}
            />
          </span>
          <Segmented
            aria-label="时间范围"
            value={zoom}
            options={[
              { value: 'day', label: '24 小时' },
              { value: 'hour', label: '1 小时' },
              { value: 'ten', label: '10 分钟' },
            ]}
            onChange={(value) => setZoom(value as keyof typeof zooms)}
          />
          <Button aria-pressed={playing} onClick={() => setPlaying(!playing)}>
            {playing ? '暂停' : '播放'}
          </Button>
          <Segmented
            aria-label="倍速"
            value={speed}
            options={speeds.map((value) => ({ value, label: `${value}×` }))}
            onChange={(value) => setSpeed(Number(value))}
          />
          <Button onClick={() => step(-frameMs)}>上一帧</Button>
          <Button onClick={() => step(frameMs)}>下一帧</Button>
          <Button onClick={() => setAt(at - 10_000)}>后退 10 秒</Button>
          <Button onClick={() => setAt(Math.min(Date.now(), at + 10_000))}>前进 10 秒</Button>
          {front && <BookmarkButton camera={front} at={() => at} />}
          {front && <ClipButton camera={front} at={() => at} />}
          <Button onClick={() => setMarks(true)}>抓拍与书签</Button>
          {front && <TalkPanel key={front.id} deviceId={front.id} brief />}
        </div>
        <div className="vid-grid" data-size={ids.length === 1 ? 1 : 4}>
          {ids.map((id) => (
            <div key={id} className="vid-slot">
              {beyond ? (
                <div className="vid-empty">这个时刻的录像已超过保存期（{keptDays(names.get(id) ?? '')} 天）</div>
              ) : (
                <VideoTile
                  key={`${id}${piece}`}
                  deviceId={id}
                  name={names.get(id) ?? id}
                  place="平台录像"
                  mode={visible ? 'live' : 'rest'}
                  at={at}
                  rate={playing ? speed : 0}
                  acts={snapOf(id)}
                  span={{ from: piece, to: piece + pieceMs }}
                />
              )}
            </div>
          ))}
        </div>
        <div className="zg-card vid-bars">
          {ids.map((id) => (
            <TimeBar
              key={id}
              deviceId={id}
              name={names.get(id) ?? id}
              projectCode={projectCode}
              window={window}
              at={at}
              onSeek={setAt}
              onAlarm={setAlarm}
            />
          ))}
          <div className="scale" aria-hidden="true">
            {[0, 0.25, 0.5, 0.75, 1].map((share) => (
              <span key={share}>
                {(zoom === 'ten' ? timeOfDay : minuteOfDay)(window.from + (window.to - window.from) * share - (share === 1 ? 1 : 0))}
              </span>
            ))}
          </div>
        </div>
      </div>
      {marks && <MarksDrawer projectCode={projectCode} onClose={() => setMarks(false)} />}
      <AlarmDrawer id={alarm} onClose={() => setAlarm(undefined)} />
    </PageShell>
  )
}

/** Time bar of a camera: recordings, gaps and events. */
function TimeBar({
  deviceId,
  name,
  projectCode,
  window,
  at,
  onSeek,
  onAlarm,
}: {
  deviceId: string
  name: string
  projectCode: string
  window: Span
  at: number
  onSeek: (at: number) => void
  onAlarm: (id: string) => void
}) {
  const day = useMemo(() => ({ from: window.from, to: Math.min(window.to, window.from + dayMs) }), [window.from, window.to])
  const stream = useStream(deviceId, { span: day })
  const span = { startTime: String(Math.round(day.from)), endTime: String(Math.round(day.to)) }
  const alarms = useCall(
    findAlarms,
    { query: { projectCode, deviceId, ...span, size: 100, simulated: false } },
    { quiet: true, keepPrevious: true },
  )
  const hits = useCall(
    findAiEvents,
    { query: { projectCode, deviceId, ...span, sort: 'time', size: 200 } },
    { quiet: true, keepPrevious: true },
  )
  const kept = useCall(
    listMarks,
    { query: { projectCode, deviceId, kind: 'bookmark', at: `${formatDay(day.from)},${formatDay(day.to - 1)}`, sort: 'at', size: 20 } },
    { quiet: true, keepPrevious: true },
  )
  const gaps = gapsBetween(stream.segments, day, Date.now())
  const cut = (of: Span) => {
    const { left, width } = partOf(of, day)
    return { x: left, width: Math.max(0.15, width) }
  }
  const mark = partOf({ from: at, to: at }, day).left
  return (
    <div className="bar">
      <span className="name" title={name}>
        {name}
      </span>
      <div className="track">
        <svg
          viewBox="0 0 100 10"
          preserveAspectRatio="none"
          role="img"
          aria-label={`${name} 录像 ${stream.segments.length} 段，缺 ${gaps.length} 段`}
        >
          <defs>
            <pattern id={`gap-${deviceId}`} width="1" height="10" patternUnits="userSpaceOnUse">
              <rect width=".4" height="10" className="hatch" />
            </pattern>
          </defs>
          {stream.segments.map((one) => (
            <rect key={one.startTime} {...cut({ from: one.startTime, to: one.endTime })} y="2" height="6" className="recorded" />
          ))}
          {gaps.map((one) => (
            <rect key={one.from} {...cut(one)} y="2" height="6" fill={`url(#gap-${deviceId})`} />
          ))}
          <rect x={mark} y="0" width=".25" height="10" className="now" />
        </svg>
        <input
          type="range"
          aria-label={`${name} 时刻`}
          min={day.from}
          max={day.to}
          step={1000}
          value={at}
          aria-valuetext={time(at)}
          onChange={(event) => onSeek(Math.min(Date.now(), Number(event.target.value)))}
        />
      </div>
      <span className="ticks">
        {(alarms.data?.list ?? []).slice(0, 6).map((one) => (
          <button
            key={one.id}
            type="button"
            className="zg-bare zg-link"
            onClick={() => onSeek(one.startTime - beforeMs)}
            onDoubleClick={() => onAlarm(one.id)}
            title={`${time(one.startTime)} ${one.alarmLabel}，双击看告警`}
          >
            {minuteOfDay(one.startTime)} {one.alarmLabel}
          </button>
        ))}
        {(hits.data?.list ?? []).slice(0, 6).map((one) => (
          <button key={one.id} type="button" className="zg-bare zg-link" onClick={() => onSeek(one.time - beforeMs)} title={time(one.time)}>
            {minuteOfDay(one.time)} {typeName(one.type)}
          </button>
        ))}
        {(kept.data?.list ?? [])
          .filter((one) => one.at >= day.from && one.at < day.to)
          .map((one) => (
            <button
              key={one.id}
              type="button"
              className="zg-bare zg-link"
              onClick={() => onSeek(one.at)}
              title={`书签 ${time(one.at)} ${one.byName}`}
            >
              <TagOutlined /> {minuteOfDay(one.at)} {one.note}
            </button>
          ))}
        {stream.why && <span className="zg-2">{stream.why}</span>}
      </span>
    </div>
  )
}
