import type { registerWorker } from '@zhugong/contract/personnel/workers'
import type { BodyOf } from '#kit/form.tsx'

type Stay = NonNullable<BodyOf<typeof registerWorker>['stay']>

/** What stays for the next person. */
export type Pinned = Partial<Stay>

/** Values of a stay that a queue of people has in common. Nobody's price, card or account is among them. */
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

/** The pinned values of a stay; a team without its unit would be somebody else's. */
export function pinnedOf(stay: Stay, chosen: readonly Pin[]): Pinned {
  const kept = chosen.filter((pin) => pin !== 'team' || chosen.includes('corp')).flatMap((pin): (keyof Stay)[] => [...pins[pin].fields])
  return Object.fromEntries(kept.map((field) => [field, stay[field]]))
}
