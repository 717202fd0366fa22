import type { registerWorker } from '@zhugong/contract/personnel/workers'
import type { BodyOf } from '#kit/form.tsx'

type Stay = NonNullable<BodyOf<typeof registerWorker>['stay']>

/** Values kept for the next person. */
export type Pinned = Partial<Stay>

/** Values of a stay that can be kept for the next person; excludes personal ones (pay, card, account). */
const pins = {
  corp: { label: '单位', fields: ['corpCode'] },
  team: { label: '班组', fields: ['teamId'] },
  work: { label: '类型与工种', fields: ['workRole', 'workType', 'post'] },
  entry: { label: '进场日期', fields: ['entryTime'] },
  payment: { label: '计酬方式', fields: ['paymentType'] },
  insurance: { label: '参保', fields: ['hasBuyInsurance'] },
} as const satisfies Record<string, { label: string; fields: readonly (keyof Stay)[] }>
export type Pin = keyof typeof pins

export const allPins = Object.keys(pins) as Pin[]
export const pinOptions = allPins.map((value) => ({ value, label: pins[value].label }))
export const pinWords = (chosen: readonly Pin[]): string => chosen.map((pin) => pins[pin].label).join('、')

/** Pinned values of a stay; a team is pinned together with its unit, to which it belongs. */
export function pinnedOf(stay: Stay, chosen: readonly Pin[]): Pinned {
  const kept = chosen.filter((pin) => pin !== 'team' || chosen.includes('corp')).flatMap((pin): (keyof Stay)[] => [...pins[pin].fields])
  return Object.fromEntries(kept.map((field) => [field, stay[field]]))
}
