import { coverNames, covers, washes, washNames } from '@zhugong/contract/monitoring/gateway/passage-codes'
import { type markPassages, plateMarks } from '@zhugong/contract/monitoring/record-fixes'
import type { BodyOf } from '#kit/form.tsx'

type Mark = Pick<BodyOf<typeof markPassages>, 'plate' | 'washState' | 'coverState'>
export interface KeyMark {
  key: string
  label: string
  mark: Mark
}

const found: readonly Omit<KeyMark, 'key'>[] = [
  { label: plateMarks.right, mark: { plate: 'right' } },
  { label: plateMarks.unreadable, mark: { plate: 'unreadable' } },
  ...[washes.washed, washes.unwashed, washes.poor].map((washState) => ({ label: washNames[washState] ?? washState, mark: { washState } })),
  ...[covers.covered, covers.open].map((coverState) => ({ label: coverNames[coverState] ?? coverState, mark: { coverState } })),
]
/** Mark of each digit key. */
export const keyMarks: readonly KeyMark[] = found.map((one, i) => ({ key: String(i + 1), ...one }))

export type Command = { kind: 'step'; by: 1 | -1 } | { kind: 'help' } | { kind: 'mark'; mark: KeyMark }

/** Command of a key in the review of doubtful passages; undefined if it has none. */
export function commandOf(key: string): Command | undefined {
  if (key === 'j' || key === 'J' || key === 'ArrowDown') return { kind: 'step', by: 1 }
  if (key === 'k' || key === 'K' || key === 'ArrowUp') return { kind: 'step', by: -1 }
  if (key === '?' || key === '？') return { kind: 'help' }
  const mark = keyMarks.find((one) => one.key === key)
  return mark && { kind: 'mark', mark }
}

/** Reason stored with the correction, like the form's. */
export const reasonOf = ({ label }: KeyMark): string => `核对抓拍：${label}`
