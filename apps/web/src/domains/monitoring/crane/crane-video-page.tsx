import { dayMs } from '@zhugong/contract/kit/time'
import { towerInfo, towerVideo } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { findCycles, findTowerReadings } from '@zhugong/contract/monitoring/crane/crane-lists'
import { mediaToken } from '@zhugong/contract/monitoring/video/video'
import { cycleOf } from '@zhugong/contract/telemetry/known-records'
import { Segmented } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Empty, ErrorPanel, Forbidden, Pairs } from '#kit/feedback.tsx'
import { day, measure, shortTime, time, timeOfDay } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { isStale, useLatest, useNow } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { numberIn } from '../crane-state.ts'
import '../family.css'
import '../monitoring.css'
import { useFamilyScope } from '../family-scope.tsx'
import { readingAt, replayIn, replayText, type Span } from '../replay.ts'

const infoMs = 30_000
/** Formats that browsers can play; the media server must provide one of them. */
const types: Readonly<Record<string, string>> = { mp4: 'video/mp4', hls: 'application/vnd.apple.mpegurl' }

/** Video of a crane's cameras beside its readings. */
export default function CraneVideoPage() {
  const mayWatch = useCan('tower-crane.video')
  if (!mayWatch)
    return (
      <PageShell>
        <Card>
          <Forbidden page="塔机视频播放" code="tower-crane.video" />
        </Card>
      </PageShell>
    )
  return <Watch />
}

function Watch() {
  const scope = useFamilyScope({ family: 'towerCrane', usual: '1', one: true })
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  // Without a requested crane, the first one with a camera, or else the first one.
  const requested = query.get('deviceId') !== null
  const first = useCall(towerVideo, { query: {} }, { quiet: true, enabled: !requested, staleMs: 300_000 })
  const deviceId = (requested ? scope.deviceId : first.isPending ? '' : (first.data?.deviceId ?? scope.deviceId)) ?? ''
  const cameras = useCall(towerVideo, { query: { id: deviceId } }, { quiet: true, enabled: deviceId !== '', staleMs: 300_000 })
  const list = cameras.data?.cameras ?? []
  const wanted = query.get('camera')
  const camera = list.find((one) => one.deviceId === wanted) ?? list[0]
  const past = replayIn(query.get('replay'))
  const [seconds, setSeconds] = useState(0)
  const show = (more: Record<string, string | undefined>) =>
    go(page.path, { deviceId, camera: camera?.deviceId, replay: past && replayText(past), ...more }, { replace: true })
  return (
    <PageShell fill remark={scope.devices.find((one) => one.id === deviceId)?.name}>
      <div className="mon-stack">
        <div className="zg-card fam-bar">
          <Segmented
            aria-label="塔机"
            value={deviceId}
            options={scope.devices.slice(0, 8).map((one) => ({ value: one.id, label: one.name }))}
            onChange={(id) => go(page.path, { deviceId: String(id) }, { replace: true })}
          />
          {list.length > 1 && (
            <Segmented
              aria-label="摄像机"
              value={camera?.deviceId ?? ''}
              options={list.map((one) => ({ value: one.deviceId, label: one.name }))}
              onChange={(id) => show({ camera: String(id) })}
            />
          )}
          <Segmented
            aria-label="实时或回放"
            value={past ? 'past' : 'live'}
            options={[
              { value: 'live', label: '实时' },
              { value: 'past', label: past ? `回放 ${timeOfDay(past.from)}` : '回放', disabled: !past },
            ]}
            onChange={(value) => value === 'live' && show({ replay: undefined })}
          />
        </div>
        <div className="fam-stage">
          <div className="fam-screen">
            {cameras.error && !cameras.data ? (
              <ErrorPanel error={cameras.error} retry={cameras.refetch} />
            ) : camera ? (
              <Screen key={`${camera.deviceId}${past?.from ?? ''}`} deviceId={camera.deviceId} past={past} onTime={setSeconds} />
            ) : (
              <div>
                <strong>该塔机未绑定摄像机</strong>
                <p>
                  在<Link to={hrefOf('/tower/monitor', { deviceId })}>实时监测</Link>的“绑定摄像机”中选择后，这里显示吊钩画面
                </p>
              </div>
            )}
          </div>
          <Numbers deviceId={deviceId} projectCode={scope.projectCode} past={past} at={past ? past.from + seconds * 1000 : undefined} />
        </div>
        <Cycles deviceId={deviceId} projectCode={scope.projectCode} chosen={past} onPick={(span) => show({ replay: replayText(span) })} />
      </div>
    </PageShell>
  )
}

/** The video, or the reason why there is none. */
function Screen({ deviceId, past, onTime }: { deviceId: string; past: Span | undefined; onTime: (seconds: number) => void }) {
  const [failed, setFailed] = useState(false)
  const element = useRef<HTMLVideoElement>(null)
  const media = useCall(
    mediaToken,
    { query: { deviceId, stream: 'main', startTime: past && String(past.from), endTime: past && String(past.to) } },
    { quiet: true, staleMs: 240_000 },
  )
  const { data } = media
  const kind = data?.kind ?? ''
  const playable = useMemo(() => types[kind] !== undefined && document.createElement('video').canPlayType(types[kind] ?? '') !== '', [kind])
  useEffect(() => {
    if (data?.url && playable) void element.current?.play().catch(() => undefined)
  }, [data?.url, playable])
  if (media.error && !data) return <ErrorPanel error={media.error} retry={media.refetch} />
  if (!data) return <p>正在取流</p>
  const why =
    data.reason ??
    (data.codec && /265|hevc/i.test(data.codec)
      ? '编码不支持（HEVC），请把摄像机改为 H.264'
      : failed
        ? '播放失败'
        : playable
          ? undefined
          : '编码不支持')
  if (data.url && !why)
    return (
      <video
        ref={element}
        src={data.url}
        controls
        muted
        playsInline
        onError={() => setFailed(true)}
        onTimeUpdate={(event) => onTime(event.currentTarget.currentTime)}
      />
    )
  return (
    <div>
      {data.snapshotUrl && <img src={data.snapshotUrl} alt="最近一次抓拍" />}
      <strong>{why}</strong>
      <p>{past && data.segments.length === 0 ? '这一吊没有录像' : '右侧读数不受影响'}</p>
    </div>
  )
}

/** The crane's readings at the time of the picture, live or replayed. */
function Numbers({
  deviceId,
  projectCode,
  past,
  at,
}: {
  deviceId: string
  projectCode: string
  past: Span | undefined
  at: number | undefined
}) {
  const ids = useMemo(() => (deviceId ? [deviceId] : []), [deviceId])
  const live = useLatest(ids, projectCode).get(deviceId)
  const info = useCall(
    towerInfo,
    { params: { id: deviceId } },
    { quiet: true, enabled: deviceId !== '', everyMs: past ? undefined : infoMs },
  )
  const tape = useCall(
    findTowerReadings,
    { query: { deviceId, startTime: String(past?.from ?? 0), endTime: String(past?.to ?? 1), sort: 'time', size: 1000 } },
    { quiet: true, enabled: past !== undefined && deviceId !== '' },
  )
  const now = useNow()
  const read = useMemo(
    () => (tape.data?.list ?? []).map((one): Reading => ({ deviceId, at: one.time, receivedAt: one.receivedAt, values: one.values })),
    [tape.data, deviceId],
  )
  const newest = info.data?.latest
  const requested: Reading | undefined = newest
    ? { deviceId, at: newest.time, receivedAt: newest.receivedAt, values: newest.values }
    : undefined
  const reading = past ? readingAt(read, at ?? past.from) : live && (!requested || live.at >= requested.at) ? live : requested
  const stale = !past && isStale(reading, now, (info.data?.intervalSeconds ?? 10) * 1000)
  const value = (key: string, unit: string, decimals: number) => `${measure(numberIn(reading?.values, key), decimals)} ${unit}`
  return (
    <Card
      title={past ? '回放读数' : '实时读数'}
      remark={reading ? `${shortTime(reading.at)}，延迟 ${((reading.receivedAt - reading.at) / 1000).toFixed(1)} 秒` : undefined}
    >
      {reading ? (
        <div className={stale ? 'zg-2' : ''}>
          <Pairs
            items={[
              { label: '吊重', value: value('load', 't', 2) },
              { label: '吊重百分比', value: value('loadPercent', '%', 0) },
              { label: '力矩百分比', value: value('momentPercent', '%', 0) },
              { label: '幅度', value: value('radius', 'm', 1) },
              { label: '吊钩高度', value: value('hookHeight', 'm', 1) },
              { label: '回转', value: value('slewAngle', '°', 1) },
              { label: '风速', value: value('windSpeed', 'm/s', 1) },
            ]}
          />
          {stale && <p>数据停在 {time(reading.at)}</p>}
        </div>
      ) : (
        <Empty small text={past ? '这一吊的读数已过保留期' : '尚未收到数据'} />
      )}
      <p className="zg-2">画面与读数可能相差几秒，各自的时间以标注为准</p>
    </Card>
  )
}

/** Cycles of the day as blocks that open the replay. */
function Cycles({
  deviceId,
  projectCode,
  chosen,
  onPick,
}: {
  deviceId: string
  projectCode: string
  chosen: Span | undefined
  onPick: (span: Span) => void
}) {
  const date = day(chosen?.from ?? Date.now())
  const from = Date.parse(`${date}T00:00:00+08:00`)
  const { data } = useCall(
    findCycles,
    { query: { projectCode, deviceId, startTime: time(from), endTime: time(from + dayMs), sort: 'startTime', size: 500 } },
    { quiet: true, enabled: deviceId !== '' },
  )
  const cycles = (data?.list ?? []).map(cycleOf)
  return (
    <Card
      title={`${date} 吊装循环`}
      remark={`${cycles.length} 吊，点一吊看当时的画面与读数`}
      actions={<Link to={hrefOf('/tower/handling', { deviceId, period: `${date},${date}` })}>列表</Link>}
    >
      <div className="crane-lifts">
        {cycles.map((one) => {
          const own = chosen !== undefined && one.startTime >= chosen.from - 1000 && one.startTime <= chosen.to
          const words = `${shortTime(one.startTime)} ${measure(one.maxLoad)} t，力矩 ${measure(one.maxMomentPercent, 0)} %`
          return (
            <button
              key={one.startTime}
              type="button"
              className="zg-bare"
              data-look={own ? 'own' : one.illegal ? 'illegal' : undefined}
              title={words}
              aria-label={words}
              aria-pressed={own}
              style={{
                left: `${(((one.startTime - from) / dayMs) * 100).toFixed(3)}%`,
                width: `max(4px, ${(((one.endTime - one.startTime) / dayMs) * 100).toFixed(3)}%)`,
              }}
              onClick={() => onPick({ from: one.startTime, to: Math.max(one.endTime, one.startTime + 10_000) })}
            />
          )
        })}
      </div>
    </Card>
  )
}
