import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { mostPlaces, sendPlaces } from '@zhugong/contract/tracks/calls'
import { call } from '#kit/call.ts'
import { useMe } from '#kit/me.ts'
import { uid } from '#kit/uid.ts'

type Place = InputFor<typeof sendPlaces>['body']['places'][number]

/** A position in so long, sent in batches. */
const [leastMs, sendMs] = [30_000, 60_000]
const positionAgeMs = 20_000

const keyOf = () => `zg.places.${useMe.getState().info?.id ?? ''}`
function kept(): Place[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf()) ?? '[]') as Place[]
  } catch {
    return []
  }
}
const keep = (places: readonly Place[]) => localStorage.setItem(keyOf(), JSON.stringify(places.slice(-mostPlaces)))

let sending = false
/** Sends what waits on this device. What the platform refuses is dropped: it may not be kept. Without network everything stays. */
async function send(): Promise<void> {
  const places = kept()
  if (places.length === 0 || sending) return
  sending = true
  try {
    await call(sendPlaces, { body: { places } })
    const sent = new Set(places.map((one) => one.id))
    keep(kept().filter((one) => !sent.has(one.id)))
  } catch {
    // Tried again with the next batch, under the same ids.
  } finally {
    sending = false
  }
}

/** Follows the device's position and reports it. Returns the function that stops; `onProblem` is told when the browser gives none. */
export function followOwnPlace(onProblem: (why: string | undefined) => void): () => void {
  if (!navigator.geolocation) {
    onProblem('浏览器不能定位')
    return () => undefined
  }
  let last = 0
  const watch = navigator.geolocation.watchPosition(
    ({ coords, timestamp }) => {
      onProblem(undefined)
      if (timestamp - last < leastMs) return
      last = timestamp
      const { longitude: lng, latitude: lat, accuracy } = coords
      keep([...kept(), { id: uid(), time: Math.round(timestamp), lng, lat, accuracy }])
    },
    () => onProblem('没有位置：请允许浏览器定位'),
    { enableHighAccuracy: true, maximumAge: positionAgeMs },
  )
  const timer = setInterval(() => void send(), sendMs)
  void send()
  return () => {
    navigator.geolocation.clearWatch(watch)
    clearInterval(timer)
  }
}
