import type { City } from '@zhugong/simulator/city-types'
import { stream } from '@zhugong/simulator/random'
import { dedupKey, mobileGate } from '#domains/attendance/engine/identity'
import type { Arrival } from '#domains/attendance/gate-record'
import { metresOutside } from '#kit/fence'

/** A site along a road without a fence: its managers and pipe layers sign in by phone. */
const phoneSite = '沿江二路管廊'
/** Share of its people who sign in by phone; the others pass its only gate. */
const phoneShare = 0.35
/** Dictionary attendanceType and attendanceSource. */
const [byPhone, sourceOfPhones] = ['013', '3']

export const usesPhones = (city: City, projectCode: string): boolean =>
  city.projects.find((p) => p.projectCode === projectCode)?.shortName === phoneSite

/** Turns gate passages of people with a phone into phone sign-ins: with position, rarely outside the fence, sometimes from a colleague's phone. */
export function throughPhones(city: City, projectCode: string, arrivals: readonly Arrival[]): Arrival[] {
  const project = city.projects.find((p) => p.projectCode === projectCode)
  const fence = project?.areaRule
  const points = fence?.points ?? []
  if (!usesPhones(city, projectCode) || points.length < 3) return [...arrivals]
  const managers = new Set(city.projectWorkers.filter((w) => w.projectCode === projectCode && w.workRole === '10').map((w) => w.workerId))
  const middle = {
    lng: points.reduce((n, p) => n + p.lng, 0) / points.length,
    lat: points.reduce((n, p) => n + p.lat, 0) / points.length,
  }
  return arrivals.map((a) => {
    const { workerId } = a
    if (workerId === null) return a
    const carries = managers.has(workerId) || stream(city.seed, 'phone', workerId).chance(phoneShare)
    if (!carries) return a
    const random = stream(city.seed, 'place', workerId, String(a.time))
    // Two people who regularly sign in from one phone.
    const shared = stream(city.seed, 'shared', workerId).chance(0.03)
    const astray = random.chance(0.01)
    const off = astray ? 0.02 : 0.0004
    const place = shared
      ? middle
      : { lng: middle.lng + random.float(-off, off), lat: middle.lat + random.float(-off, off) + (astray ? off : 0) }
    const metres = metresOutside(fence, place) ?? 0
    const outsideFence = metres > 0
    const gate = mobileGate(workerId)
    return {
      ...a,
      gate,
      deviceId: null,
      channel: '手机',
      attendType: byPhone,
      source: sourceOfPhones,
      temperature: null,
      quarantine: a.quarantine ?? (outsideFence ? 'outsideFence' : null),
      place: { ...place, outsideFence },
      dedupKey: dedupKey({ ...a, gate }),
    }
  })
}
