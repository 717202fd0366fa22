import { useRef, useState } from 'react'
import { timeOfDay } from '#kit/format.ts'
import { useBudget, whyNot } from '../../monitoring/public.ts'
import { type CallData, seconds, useFeed } from '../hub.ts'
import { Panel } from '../panel.tsx'
import { type PanelProps, useWall } from '../wall-state.ts'
import { AiEvents } from './alarms.tsx'

/** Time before the next group of cameras is shown. */
const roundMs = 30_000
/** Play URLs are valid for ten minutes, so request new ones before. */
const liveEvery = seconds(480)
const stillEvery = seconds(30)
const camerasEvery = seconds(300)
type Camera = CallData<'devices'>['list'][number]

/** Cameras in order: online before offline, those on the plan before others. */
function inOrder(cameras: readonly Camera[], placed: readonly string[]): Camera[] {
  const rank = (one: Camera) => (one.online ? 0 : 2) + (placed.includes(one.id) ? 0 : 1)
  return [...cameras].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'zh-CN'))
}

/** Live pictures, a group of cameras at a time; on a site without cameras, recent AI recognitions. */
export function VideoWall(props: PanelProps) {
  const { title, params } = props
  const { now, setting, closed } = useWall()
  const devices = useFeed('devices', camerasEvery, { query: { family: 'videoAi' } })
  const box = useRef<HTMLDivElement>(null)
  const budget = useBudget(box)
  const most = params.tiles ?? 4
  const cameras = inOrder(devices.data?.list ?? [], setting?.placed.map((one) => one.deviceId) ?? [])
  const rounds = Math.max(1, Math.ceil(cameras.length / most))
  const round = Math.floor(now / roundMs) % rounds
  const shown = cameras.slice(round * most, round * most + most)
  if (devices.data && cameras.length === 0 && !closed.includes('aiEvents'))
    return <AiEvents {...props} params={{}} title="AI 识别（没有摄像机）" />
  return (
    <Panel
      title={title}
      feeds={[devices]}
      everyMs={camerasEvery}
      empty={devices.data && cameras.length === 0 && '没有摄像机'}
      remark={
        cameras.length > 0 &&
        `在线 ${cameras.filter((one) => one.online).length} / ${cameras.length}${rounds > 1 ? `，第 ${round + 1} / ${rounds} 组` : ''}`
      }
    >
      <div ref={box} className={most === 1 ? 'wall-tiles wall-tiles-one' : 'wall-tiles'}>
        {shown.map((camera, i) => (
          <Tile key={camera.id} camera={camera} plays={i < budget.live} />
        ))}
      </div>
    </Panel>
  )
}

function Tile({ camera, plays }: { camera: Camera; plays: boolean }) {
  const { now, still } = useWall()
  const [failed, setFailed] = useState<string>()
  const moves = plays && !still
  const feed = useFeed('media', moves ? liveEvery : stillEvery, { query: { deviceId: camera.id } })
  const data = feed.data
  const why = data ? whyNot(data) : undefined
  const over = data?.expireAt != null && data.expireAt <= now
  const url = moves && !why && !over ? data?.url : undefined
  const picture = data && !data.reason && !over ? data.snapshotUrl : undefined
  return (
    <figure className="wall-tile">
      {url && failed !== url ? (
        <video src={url} muted autoPlay playsInline loop onError={() => setFailed(url)} aria-label={`${camera.name} 画面`} />
      ) : picture && failed !== picture ? (
        <img src={picture} alt={`${camera.name} 抓图`} onError={() => setFailed(picture)} />
      ) : (
        <p>{data ? (why ?? '没有画面') : (feed.error ?? '取流中')}</p>
      )}
      <figcaption>
        <span>{camera.name}</span>
        {!url && picture && failed !== picture && feed.at && <time>抓图 {timeOfDay(feed.at)}</time>}
      </figcaption>
    </figure>
  )
}
