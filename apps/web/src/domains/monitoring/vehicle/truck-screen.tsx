import { useEffect, useMemo, useRef, useState } from 'react'

/** Formats browsers play natively; for others the operator must configure the media server. */
const types: Readonly<Record<string, string>> = { mp4: 'video/mp4', hls: 'application/vnd.apple.mpegurl' }

interface TruckScreenProps {
  name: string
  url: string | null
  kind: string | null
  /** Why there is no picture, from the server. */
  reason: string | null
  /** What to do about it. */
  hint?: string
  aside?: React.ReactNode
  onTime?: (seconds: number) => void
}

/** A channel's video, or the reason why there is none. */
export function TruckScreen({ name, url, kind, reason, hint, aside, onTime }: TruckScreenProps) {
  const [failed, setFailed] = useState(false)
  const element = useRef<HTMLVideoElement>(null)
  const type = types[kind ?? '']
  const playable = useMemo(() => type !== undefined && document.createElement('video').canPlayType(type) !== '', [type])
  useEffect(() => {
    setFailed(false)
    if (url && playable) void element.current?.play().catch(() => undefined)
  }, [url, playable])
  const why = reason ?? (failed ? '播放失败，码流没有到达' : url && !playable ? '浏览器不支持该码流' : url ? undefined : '没有码流')
  return (
    <section className="truck-screen" aria-label={name}>
      <header>
        <strong>{name}</strong>
        {aside}
      </header>
      <div>
        {url && !why ? (
          <video
            ref={element}
            src={url}
            controls
            muted
            playsInline
            onError={() => setFailed(true)}
            onTimeUpdate={(event) => onTime?.(event.currentTarget.currentTime)}
          />
        ) : (
          <div>
            <strong>{why}</strong>
            {hint && <p className="weak">{hint}</p>}
          </div>
        )}
      </div>
    </section>
  )
}
