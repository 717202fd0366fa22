import { BorderOutlined, FullscreenOutlined, PauseOutlined, PictureOutlined, SearchOutlined, SwapOutlined } from '@ant-design/icons'
import type { DeviceRow } from '@zhugong/contract/equipment/endpoints'
import { findAiEvents } from '@zhugong/contract/monitoring/video/ai-events'
import { placeOf, places } from '@zhugong/contract/monitoring/video/camera-places'
import { wallSizes } from '@zhugong/contract/monitoring/video/video-walls'
import { Button, Input, Segmented } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Forbidden, Panel, RiskBadge } from '#kit/feedback.tsx'
import { shortTime } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { usePref } from '#kit/pref-state.ts'
import { useFamilyLive } from '../family-live.ts'
import '../monitoring.css'
import { OneSite } from '../one-site.tsx'
import { AiLine } from './ai-words.tsx'
import { modesOf } from './budget.ts'
import { cameraWords, stateOf } from './camera.ts'
import { MarksDrawer, SnapshotButton } from './marks.tsx'
import { PtzPanel } from './ptz-panel.tsx'
import { useBudget, useVisible } from './stream.ts'
import { TalkPanel } from './talk-panel.tsx'
import './video.css'
import { VideoTile } from './video-tile.tsx'
import { useLooksToday } from './views.tsx'
import { type Wall, WallsButton } from './walls.tsx'

const paces = [10, 30, 60] as const

/** What is happening at the gates, cranes and pits now? */
export default function VideoWallPage() {
  const may = useCan('video.play')
  if (!may)
    return (
      <PageShell>
        <Card>
          <Forbidden page="视频监控" code="video.play" />
        </Card>
      </PageShell>
    )
  return (
    <OneSite family="videoAi" unit="摄像机">
      {(projectCode) => <OfProject key={projectCode} projectCode={projectCode} />}
    </OneSite>
  )
}

function OfProject({ projectCode }: { projectCode: string }) {
  const live = useFamilyLive(projectCode, 'videoAi')
  if (live.loading)
    return (
      <PageShell fill>
        <DetailSkeleton />
      </PageShell>
    )
  if (live.error || live.devices.length === 0)
    return (
      <PageShell>
        <Card>
          {live.error ? (
            <ErrorPanel error={live.error} retry={live.retry} />
          ) : (
            <Empty text="本项目还没有登记摄像机" hint="登记摄像机后，这里显示画面" />
          )}
        </Card>
      </PageShell>
    )
  return <WallOfSite projectCode={projectCode} cameras={live.devices} live={live} />
}

function WallOfSite({
  projectCode,
  cameras,
  live,
}: {
  projectCode: string
  cameras: readonly DeviceRow[]
  live: ReturnType<typeof useFamilyLive>
}) {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const box = useRef<HTMLDivElement>(null)
  const first = useMemo(() => [...cameras].sort((a, b) => Number(b.online) - Number(a.online)).map((one) => one.id), [cameras])
  const [saved, save] = usePref<Wall | undefined>(`video-wall ${projectCode}`, undefined)
  const [wall, setWall] = useState<Wall>()
  const now: Wall = wall ?? saved ?? { size: 9, ids: first.slice(0, 9) }
  const ids = now.ids.filter((id) => cameras.some((one) => one.id === id)).slice(0, now.size)
  const [focused, setFocused] = useState<string>()
  const wanted = query.get('deviceId') ?? undefined
  const front = focused ?? (wanted && ids.includes(wanted) ? wanted : ids[0])
  const budget = useBudget(box)
  const visible = useVisible()
  const looks = useLooksToday(projectCode)
  const byId = new Map(cameras.map((one) => [one.id, one]))
  const modes = modesOf(
    ids.map((id) => ({ id, playable: stateOf(byId.get(id) ?? { online: false, latest: null }) === 'online' })),
    front,
    budget,
    visible,
  )
  const [marks, setMarks] = useState(false)
  const [pace, setPace] = useState<number>()
  useEffect(() => {
    if (!pace) return
    const timer = setInterval(() => {
      // Cameras with an active alarm keep their place.
      const keep = new Set(ids.filter((id) => live.openAlarm(id)))
      const rest = first.filter((id) => !keep.has(id))
      const shown = ids.filter((id) => !keep.has(id))
      const from = Math.max(0, ...shown.map((id) => rest.indexOf(id))) + 1
      let next = from
      setWall({ size: now.size, ids: ids.map((id) => (keep.has(id) ? id : (rest[next++ % Math.max(1, rest.length)] ?? id))) })
    }, pace * 1000)
    return () => clearInterval(timer)
  })
  const put = (id: string, at?: number) => {
    if (ids.includes(id)) return setFocused(id)
    const next = [...ids]
    if (at !== undefined && at < next.length) next[at] = id
    else if (next.length < now.size) next.push(id)
    else next[Math.max(0, next.indexOf(front ?? ''))] = id
    setWall({ size: now.size, ids: next })
    setFocused(id)
  }
  const resting = [...modes.values()].filter((mode) => mode === 'snapshot' || mode === 'slow').length
  const device = front ? byId.get(front) : undefined
  return (
    <PageShell
      fill
      remark={
        <span className="mon-said">
          摄像机 {cameras.length} 路，在线 {cameras.filter((one) => stateOf(one) !== 'offline').length}
          {looks && `；今日被 ${looks.people} 人查看 ${looks.views} 次`}
          {resting > 0 && `；本机解码 ${budget.live} 路，其余 ${resting} 路用慢帧或抓图`}
        </span>
      }
      actions={
        <>
          <Segmented
            aria-label="画面数"
            value={now.size}
            options={wallSizes.map((value) => ({ value, label: String(value) }))}
            onChange={(size) =>
              setWall({ size: Number(size), ids: [...ids, ...first.filter((id) => !ids.includes(id))].slice(0, Number(size)) })
            }
          />
          <WallsButton
            projectCode={projectCode}
            now={{ size: now.size, ids }}
            onUse={(chosen) => {
              setPace(undefined)
              setWall(chosen)
              // Used again at the next visit.
              save(chosen)
            }}
          />
          <Button icon={<PictureOutlined />} onClick={() => setMarks(true)}>
            抓拍与书签
          </Button>
          <Button icon={<FullscreenOutlined />} onClick={() => void box.current?.requestFullscreen().catch(() => undefined)}>
            全屏
          </Button>
        </>
      }
    >
      <div className="mon vid">
        <CameraTree cameras={cameras} shown={ids} onPick={put} />
        <div className="vid-middle">
          <div className="vid-grid" data-size={now.size} ref={box}>
            {Array.from({ length: now.size }, (_, i) => {
              const id = ids[i]
              const camera = id === undefined ? undefined : byId.get(id)
              const alarm = id === undefined ? undefined : live.openAlarm(id)
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop what the tree's buttons put there as well
                <div
                  key={id ?? `empty${i}`}
                  className="vid-slot"
                  onDragOver={(event) => event.preventDefault()}
                  onDrop={(event) => {
                    event.preventDefault()
                    const dropped = event.dataTransfer.getData('text/plain')
                    if (byId.has(dropped)) put(dropped, i)
                  }}
                >
                  {camera && id ? (
                    <VideoTile
                      deviceId={id}
                      name={camera.name}
                      place={camera.installPlace ?? undefined}
                      mode={modes.get(id) ?? 'rest'}
                      main={id === front && now.size <= 4}
                      focused={id === front}
                      acts={<SnapshotButton camera={camera} />}
                      onFocus={() => setFocused(id)}
                      onClose={() => setWall({ size: now.size, ids: ids.filter((one) => one !== id) })}
                    >
                      {alarm && (
                        <button
                          type="button"
                          className="zg-bare vid-banner"
                          onClick={() => go(page.path, { alarmId: alarm.id }, { replace: true })}
                        >
                          {alarm.level} 级 {alarm.label}
                        </button>
                      )}
                    </VideoTile>
                  ) : (
                    <div className="vid-empty">
                      <BorderOutlined /> 把摄像机拖到这里，或在左侧点选
                    </div>
                  )}
                </div>
              )
            })}
          </div>
          <div className="vid-foot">
            <strong>轮巡</strong>
            <Segmented
              aria-label="轮巡间隔"
              value={pace ?? 0}
              options={[
                {
                  value: 0,
                  label: (
                    <>
                      <PauseOutlined /> 停
                    </>
                  ),
                },
                ...paces.map((value) => ({ value, label: `${value} 秒` })),
              ]}
              onChange={(value) => setPace(Number(value) || undefined)}
            />
            <span>{pace ? '有未恢复告警的画面留在墙上不换' : `墙上 ${ids.length} 路，共 ${cameras.length} 路`}</span>
          </div>
        </div>
        <FocusPanel
          projectCode={projectCode}
          camera={device}
          live={live}
          onAlarm={(id) => go(page.path, { alarmId: id }, { replace: true })}
        />
      </div>
      {marks && <MarksDrawer projectCode={projectCode} onClose={() => setMarks(false)} />}
      <AlarmDrawer id={query.get('alarmId') ?? undefined} onClose={() => go(page.path, {}, { replace: true })} />
    </PageShell>
  )
}

/** Cameras by place with their state; added to the wall by press or drag. */
function CameraTree({ cameras, shown, onPick }: { cameras: readonly DeviceRow[]; shown: readonly string[]; onPick: (id: string) => void }) {
  const [text, setText] = useState('')
  const found = cameras.filter((one) => `${one.name}${one.installPlace ?? ''}`.includes(text.trim()))
  return (
    <Panel
      title={`摄像机 ${cameras.length} 路`}
      actions={<span className="mon-legend">在线 {cameras.filter((one) => stateOf(one) !== 'offline').length}</span>}
    >
      <div className="vid-search">
        <Input
          aria-label="查找摄像机"
          prefix={<SearchOutlined />}
          placeholder="名称、位置"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <div className="mon-list">
        {places.map((place) => {
          const own = found.filter((one) => placeOf(one.name) === place)
          if (own.length === 0) return null
          return (
            <div key={place}>
              <div className="vid-place">
                {place}{' '}
                <span>
                  {own.filter((one) => stateOf(one) !== 'offline').length} / {own.length}
                </span>
              </div>
              {own.map((one) => {
                const state = stateOf(one)
                return (
                  <button
                    key={one.id}
                    type="button"
                    draggable
                    className="zg-bare vid-camera"
                    aria-pressed={shown.includes(one.id)}
                    onDragStart={(event) => event.dataTransfer.setData('text/plain', one.id)}
                    onClick={() => onPick(one.id)}
                  >
                    <i className="dot" data-on={state === 'online'} /> {one.name}
                    <span>{state === 'online' ? (shown.includes(one.id) ? '在墙' : '') : cameraWords[state]}</span>
                  </button>
                )
              })}
            </div>
          )
        })}
        {found.length === 0 && <Empty small text="没有找到" hint="换个名称或位置再找" />}
      </div>
    </Panel>
  )
}

/** Details of the focused camera: recognitions, alarms, and a link to the recording. */
function FocusPanel({
  projectCode,
  camera,
  live,
  onAlarm,
}: {
  projectCode: string
  camera: DeviceRow | undefined
  live: ReturnType<typeof useFamilyLive>
  onAlarm: (id: string) => void
}) {
  const hits = useCall(
    findAiEvents,
    { query: { projectCode, deviceId: camera?.id, sort: '-time', size: 8 } },
    { quiet: true, enabled: camera !== undefined, everyMs: 60_000 },
  )
  const alarms = live.alarms.filter((one) => one.deviceId === camera?.id).slice(0, 6)
  return (
    <Panel title={camera?.name ?? '未选画面'} remark={camera?.installPlace === camera?.name ? undefined : camera?.installPlace}>
      <div className="mon-gauges">
        <p className="vid-links">
          {camera && (
            <>
              <Link to={hrefOf('/VideoPlayback', { deviceId: camera.id })}>回放</Link>
              <Link to={hrefOf('/videoAI', { deviceId: camera.id })}>AI 分析</Link>
              <Link to={hrefOf('/administrationDetails', { id: camera.id })}>档案与报修</Link>
            </>
          )}
        </p>
        {camera && <PtzPanel key={camera.id} deviceId={camera.id} />}
        {camera && <TalkPanel key={`talk ${camera.id}`} deviceId={camera.id} />}
        <div className="mon-sub">
          AI 识别 <span>近 30 天 {hits.data?.counts.total ?? '--'}</span>
        </div>
        <ul className="vid-hits">
          {(hits.data?.list ?? []).map((one) => (
            <li key={one.id}>
              <AiLine event={one} />
            </li>
          ))}
          {hits.data?.list.length === 0 && <li>近 30 天没有识别</li>}
        </ul>
        <div className="mon-sub">告警</div>
        <ul className="vid-hits">
          {alarms.map((one) => (
            <li key={one.id}>
              <button type="button" className="zg-bare" onClick={() => onAlarm(one.id)}>
                <RiskBadge level={one.level} word={false} /> {shortTime(one.startTime)} {one.alarmLabel}
              </button>
            </li>
          ))}
          {alarms.length === 0 && live.alarmsKnown && <li>近期没有告警</li>}
        </ul>
        <p className="vid-links">
          <SwapOutlined /> 播放与回放都按账号授权，退出页面即停止取流
        </p>
      </div>
    </Panel>
  )
}
