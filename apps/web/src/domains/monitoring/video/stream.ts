import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { mediaToken } from '@zhugong/contract/monitoring/video/video'
import { useEffect, useRef, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { usePage } from '#kit/page.tsx'
import type { Span } from '../replay.ts'
import { type Budget, nextBudget, usualBudget } from './budget.ts'

type Token = OutputFor<typeof mediaToken>
/** URLs are valid for ten minutes; renewed before they expire. */
const renewMs = 8 * 60_000
/** While the server invites other cameras the tile retries by itself. */
const queueing = '取流排队中'
const queueMs = 2_000

/** MIME type of each stream kind; kinds that browsers do not play natively are reported. */
const mimes: Readonly<Record<string, string>> = {
  mp4: 'video/mp4; codecs="avc1.42E01E"',
  hls: 'application/vnd.apple.mpegurl',
  webm: 'video/webm',
}
const playable = new Map<string, boolean>()
function plays(kind: string): boolean {
  const known = playable.get(kind)
  if (known !== undefined) return known
  const mime = mimes[kind]
  const can = mime !== undefined && document.createElement('video').canPlayType(mime) !== ''
  playable.set(kind, can)
  return can
}

/** Why a URL cannot be played, as text; undefined if it can. */
export function whyNot(
  token: Pick<Token, 'reason' | 'codec' | 'kind' | 'url'>,
  can: (kind: string) => boolean = plays,
): string | undefined {
  if (token.reason) return token.reason
  if (token.codec && /265|hevc/i.test(token.codec)) return '编码不支持（H.265）'
  if (!token.url) return '无码流'
  return can(token.kind ?? '') ? undefined : `编码不支持（${token.kind ?? '未知'}）`
}

export interface Stream {
  url: string | undefined
  snapshotUrl: string | undefined
  why: string | undefined
  segments: Token['segments']
  loading: boolean
  error: Error | null
  again: () => unknown
}

/** The URL of a camera's stream, live or of a past span. */
export function useStream(
  deviceId: string | undefined,
  {
    main = false,
    span,
    reason,
    still = false,
    enabled = true,
  }: { main?: boolean; span?: Span | undefined; reason?: string | undefined; still?: boolean; enabled?: boolean } = {},
): Stream {
  const { active } = usePage()
  const token = useCall(
    mediaToken,
    {
      query: {
        deviceId,
        stream: main ? 'main' : 'sub',
        reason,
        still: still || undefined,
        startTime: span && String(Math.round(span.from)),
        endTime: span && String(Math.round(span.to)),
      },
    },
    { quiet: true, enabled: enabled && deviceId !== undefined, staleMs: renewMs, everyMs: active ? renewMs : undefined },
  )
  const { data } = token
  const why = data && (still && !data.reason ? undefined : whyNot(data))
  const isQueued = active && data?.reason === queueing
  const again = useRef(token.refetch)
  again.current = token.refetch
  useEffect(() => {
    if (!isQueued) return
    const timer = setInterval(() => void again.current(), queueMs)
    return () => clearInterval(timer)
  }, [isQueued])
  return {
    url: data && !why ? (data.url ?? undefined) : undefined,
    snapshotUrl: data?.snapshotUrl ?? undefined,
    why,
    segments: data?.segments ?? [],
    loading: token.isPending,
    error: data ? null : token.error,
    again: token.refetch,
  }
}

const measureMs = 5_000

/** Decoding budget of this machine, from measured page frames and dropped video frames. */
export function useBudget(box: React.RefObject<HTMLElement | null>): Budget {
  const [budget, setBudget] = useState<Budget>(usualBudget)
  const counted = useRef(new WeakMap<HTMLVideoElement, { total: number; dropped: number }>())
  const { active } = usePage()
  useEffect(() => {
    if (!active) return
    let frames = 0
    let since = performance.now()
    let handle = requestAnimationFrame(function count() {
      frames++
      handle = requestAnimationFrame(count)
    })
    const timer = setInterval(() => {
      const took = performance.now() - since
      const pageFps = (frames / took) * 1000
      frames = 0
      since = performance.now()
      // A hidden tab is not rendered at all, which is not overload.
      if (document.visibilityState !== 'visible' || took > measureMs * 3) return
      let [total, dropped] = [0, 0]
      for (const video of box.current?.querySelectorAll('video') ?? []) {
        const now = video.getVideoPlaybackQuality()
        const last = counted.current.get(video) ?? { total: 0, dropped: 0 }
        total += now.totalVideoFrames - last.total
        dropped += now.droppedVideoFrames - last.dropped
        counted.current.set(video, { total: now.totalVideoFrames, dropped: now.droppedVideoFrames })
      }
      setBudget((known) => {
        const next = nextBudget(known, { pageFps, dropped: total > 0 ? dropped / total : 0 })
        return next.live === known.live && next.slow === known.slow ? known : next
      })
    }, measureMs)
    return () => {
      cancelAnimationFrame(handle)
      clearInterval(timer)
    }
  }, [active, box])
  return budget
}

export function useVisible(): boolean {
  const { active } = usePage()
  const [visible, setVisible] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return active && visible
}
