import { ClockCircleOutlined, CloseOutlined, EyeInvisibleOutlined, FullscreenOutlined, HistoryOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { timeOfDay } from '#kit/format.ts'
import { useOnline } from '#kit/live.ts'
import { hrefOf } from '#kit/page.tsx'
import type { Span } from '../replay.ts'
import { type Mode, retryAfter } from './budget.ts'
import { type Stream, useStream } from './stream.ts'
import './video.css'

interface VideoTileProps {
  deviceId: string
  name: string
  place?: string | undefined
  mode: Mode
  /** Uses the main stream: only the focused tile. */
  main?: boolean
  focused?: boolean
  span?: Span | undefined
  /** In a past span: the displayed moment, and the playback rate; 0 is paused. */
  at?: number
  rate?: number
  /** Reason for viewing a person's helmet camera, logged with each view. */
  reason?: string | undefined
  /** Over the picture: recognition boxes, a banner. */
  children?: React.ReactNode
  /** Actions in the header, beside full screen. */
  acts?: React.ReactNode
  onFocus?: () => void
  onClose?: () => void
}

const snapshotMs = 10_000
const slowMs = 1_000
/** Without a new frame for this long the picture is not live any more. */
const stuckMs = 4_000
const cycleSeconds = 60

/** A camera's tile: name, clock, and its picture or the reason why there is none; an old picture always shows its age. */
export function VideoTile({
  deviceId,
  name,
  place,
  mode,
  main = false,
  focused = false,
  span,
  at,
  rate = 1,
  reason,
  children,
  acts,
  onFocus,
  onClose,
}: VideoTileProps) {
  const box = useRef<HTMLDivElement>(null)
  const stream = useStream(deviceId, { main, span, reason, still: mode === 'snapshot', enabled: mode !== 'rest' })
  const [seen, setSeen] = useState<{ at: number; stuck: number }>({ at: 0, stuck: 0 })
  const [failed, setFailed] = useState(0)
  const isCut = !useOnline()
  const isLive = !stream.why && !isCut && seen.stuck <= stuckMs
  const playing = stream.url !== undefined && (mode === 'live' || mode === 'slow') && failed === 0
  return (
    <div className="vid-tile" data-focused={focused} ref={box}>
      <div className="head">
        <button type="button" className="zg-bare" onClick={onFocus} aria-pressed={focused}>
          <i className="dot" data-on={isLive} /> <strong title={name}>{name}</strong>{' '}
          <span className="place">{place && place !== name ? place : ''}</span>
        </button>
        <span className="acts">
          {playing && (span || isLive) && <time>{timeOfDay(span ? (at ?? span.from) : seen.at || Date.now())}</time>}
          {acts}
          <button
            type="button"
            className="zg-bare"
            aria-label={`${name} 全屏`}
            onClick={() => void box.current?.requestFullscreen().catch(() => undefined)}
          >
            <FullscreenOutlined />
          </button>
          {onClose && (
            <button type="button" className="zg-bare" aria-label={`移出 ${name}`} onClick={onClose}>
              <CloseOutlined />
            </button>
          )}
        </span>
      </div>
      <div className="screen">
        {mode === 'rest' ? (
          <Words title="已暂停" text="页面在后台，不占用码流" />
        ) : stream.loading ? (
          <Words title="正在取流" text="" />
        ) : playing && stream.url ? (
          <Player
            key={stream.url}
            url={stream.url}
            slow={mode === 'slow'}
            span={span}
            at={at}
            rate={rate}
            onSeen={setSeen}
            onFail={() => setFailed((n) => n + 1)}
          />
        ) : (
          <Still stream={stream} failed={failed} deviceId={deviceId} onRetry={() => setFailed(0)} past={span !== undefined} />
        )}
        {children}
        <span className="tags">
          {playing && mode === 'live' && !span && <b data-main={main}>{main ? '主码流' : '子码流'}</b>}
          {playing && mode === 'slow' && !span && <b>每秒 1 帧</b>}
          {!playing && !stream.why && stream.snapshotUrl && mode !== 'rest' && <b data-still="true">抓图，每 {snapshotMs / 1000} 秒</b>}
          {isCut && !span && <b data-still="true">网络已断开，画面不是现在的</b>}
          {!isCut && seen.stuck > stuckMs && playing && (
            <b data-still="true">
              <ClockCircleOutlined /> 已停 {Math.round(seen.stuck / 1000)} 秒
            </b>
          )}
        </span>
      </div>
    </div>
  )
}

interface PlayerProps {
  url: string
  slow: boolean
  span: Span | undefined
  at: number | undefined
  rate: number
  onSeen: (seen: { at: number; stuck: number }) => void
  onFail: () => void
}
/** A recording that drifts from the common clock by more than this is resynchronised. */
const driftSeconds = 1.5
const stateSeconds = 0.01

function Player({ url, slow, span, at, rate, onSeen, onFail }: PlayerProps) {
  const element = useRef<HTMLVideoElement>(null)
  const reported = useRef(onSeen)
  reported.current = onSeen
  // Live demonstration clips are aligned to the full minute, so that their burnt-in clock agrees with the wall clock.
  const second = () => (span ? Math.max(0, ((at ?? span.from) - span.from) / 1000) : (Date.now() / 1000) % cycleSeconds)
  useEffect(() => {
    const video = element.current
    if (!video) return
    if (!slow && rate > 0) {
      video.playbackRate = rate
      void video.play().catch(() => undefined)
      return
    }
    video.pause()
    if (span) return
    const timer = setInterval(() => {
      if (Number.isFinite(video.duration) && video.duration > 0) video.currentTime = (Date.now() / 1000) % video.duration
    }, slowMs)
    return () => clearInterval(timer)
  }, [slow, rate, span])
  const wanted = span && at !== undefined ? Math.max(0, (at - span.from) / 1000) : undefined
  useEffect(() => {
    const video = element.current
    if (!video || wanted === undefined || !Number.isFinite(video.duration)) return
    // While paused the exact frame is shown.
    if (Math.abs(video.currentTime - wanted) > (rate > 0 ? driftSeconds : stateSeconds))
      video.currentTime = Math.min(wanted, Math.max(0, video.duration - 0.1))
  }, [wanted, rate])
  useEffect(() => {
    let last = -1
    let since = Date.now()
    const timer = setInterval(() => {
      const now = element.current?.currentTime ?? 0
      // A paused video is not stuck.
      if (now !== last || element.current?.paused) {
        last = now
        since = Date.now()
      }
      reported.current({ at: Date.now(), stuck: Date.now() - since })
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <video
      ref={element}
      src={url}
      muted
      playsInline
      loop={!span}
      preload="auto"
      aria-label="视频画面"
      onLoadedMetadata={(event) => {
        const { duration } = event.currentTarget
        if (Number.isFinite(duration) && duration > 0) event.currentTarget.currentTime = second() % duration
      }}
      onError={onFail}
    />
  )
}

/** Snapshots every ten seconds, or the reason why there is none; retries with growing delay. */
function Still({
  stream,
  failed,
  deviceId,
  past,
  onRetry,
}: {
  stream: Stream
  failed: number
  deviceId: string
  past: boolean
  onRetry: () => void
}) {
  const [broken, setBroken] = useState(false)
  const [left, setLeft] = useState<number>()
  const retry = useRef(onRetry)
  retry.current = onRetry
  const showsPicture = stream.snapshotUrl !== undefined && !stream.why && !broken
  const again = useRef(stream.again)
  again.current = stream.again
  // A new URL is needed for a new picture: a known one would come from the browser's cache.
  useEffect(() => {
    if (!showsPicture || past) return
    const timer = setInterval(() => void again.current(), snapshotMs)
    return () => clearInterval(timer)
  }, [showsPicture, past])
  useEffect(() => {
    if (failed === 0) return
    const until = Date.now() + retryAfter(failed - 1)
    const timer = setInterval(() => {
      const rest = until - Date.now()
      setLeft(Math.max(0, Math.ceil(rest / 1000)))
      if (rest <= 0) retry.current()
    }, 500)
    return () => clearInterval(timer)
  }, [failed])
  if (stream.error) return <Words title="取流失败" text="稍后自动重试" />
  if (showsPicture)
    return (
      <>
        <img src={stream.snapshotUrl} alt="抓拍画面" onError={() => setBroken(true)} />
        {left !== undefined && failed > 0 && <span className="vid-wait">{left} 秒后重连</span>}
      </>
    )
  return (
    <Words
      title={stream.why ?? (broken ? '没有画面' : '无码流')}
      text={past ? '这段时间没有录像' : (hints[stream.why ?? ''] ?? '设备在线，暂时没有画面')}
    >
      {!past && (
        <>
          <Button size="small" onClick={() => void stream.again()}>
            立即重连
          </Button>
          <Link to={hrefOf('/VideoPlayback', { deviceId })}>
            <HistoryOutlined /> 看录像
          </Link>
          <Link to={hrefOf('/administrationDetails', { id: deviceId })}>报修</Link>
        </>
      )}
    </Words>
  )
}

const hints: Readonly<Record<string, string>> = {
  离线: '检查供电与网络，同一交换机下的设备是否也离线',
  无码流: '设备在线，没有推送码流',
  '黑屏/遮挡': '镜头被挡或画面全黑，请到现场查看',
  未配置流媒体服务: '请平台管理员设置流媒体服务',
  取流排队中: '同时打开的画面较多，马上继续',
  '编码不支持（H.265）': '设备在线，浏览器不能解码；把子码流改为 H.264 后可看',
}

function Words({ title, text, children }: { title: string; text: string; children?: React.ReactNode }) {
  return (
    <div className="vid-words">
      <EyeInvisibleOutlined />
      <strong>{title}</strong>
      <p>{text}</p>
      {children && <div className="acts">{children}</div>}
    </div>
  )
}
