import { toPlane } from '@zhugong/contract/kit/plane'
import { type Fence, metersOutside, ringsOf } from '@zhugong/contract/organisation/fence'

/** Distance in whole metres from a position to the nearest ring of a project's fence; 0 inside, null without a fence. */
export function metresOutside(fence: Fence | null | undefined, at: { lng: number; lat: number }): number | null {
  if (fence?.type === '1') return Math.max(0, Math.round(Math.hypot(...toPlane(fence.center, at)) - fence.radius))
  const off = metersOutside([at.lng, at.lat], ringsOf(fence))
  return off === null ? null : Math.round(off)
}
