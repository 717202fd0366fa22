import { type Day, type KeyPostMonth, keyPosts } from '@zhugong/contract/attendance/facts'
import { daysOf, type Evaluation, type Facts } from './day.ts'
import { datesOfMonth } from './month.ts'
import { percentOf } from './rate.ts'
import { startOf } from './time.ts'
import { versionOn } from './work-day.ts'

/** A56: the required presence in percent: the larger of the setting's and the post's own value. Undefined if the post is not a key post. */
export function thresholdOf(post: string | null | undefined, keyPostRate: number): number | undefined {
  const key = post && Object.hasOwn(keyPosts, post) ? keyPosts[post] : undefined
  return key && Math.max(keyPostRate, key.minPresence)
}

/** Thresholds have two decimals, so all comparisons use integer hundredths of a percent. */
const hundredths = (threshold: number) => Math.round(threshold * 100)
const neededOf = (required: number, threshold: number) => Math.ceil((required * hundredths(threshold)) / 10_000)

/** A56 */
export function keyPostFigures(required: number, present: number, threshold: number): KeyPostMonth {
  return {
    required,
    present,
    needed: neededOf(required, threshold),
    rate: percentOf(present, required),
    below: present * 10_000 < required * hundredths(threshold),
  }
}

/** A54-A56 for one person's days of a month. */
export function keyPostMonth(days: readonly Day[], threshold: number): KeyPostMonth {
  return keyPostFigures(days.filter((d) => d.required).length, days.filter((d) => d.present).length, threshold)
}

/** A57: days on which any holder was present, of the days required of any holder. */
export function postMonth(holders: readonly (readonly Day[])[], threshold: number): KeyPostMonth {
  const all = holders.flat()
  return keyPostFigures(
    new Set(all.filter((d) => d.required).map((d) => d.workDay)).size,
    new Set(all.filter((d) => d.present).map((d) => d.workDay)).size,
    threshold,
  )
}

export interface KeyPostOutlook extends KeyPostMonth {
  /** The month has ended and its last day is settled: an alarm is due if `below`. */
  settled: boolean
  /** The threshold cannot be reached any more, even if the person is present on all remaining days. */
  unreachable: boolean
}

/**
 * A57. A future day counts as required if the person is in place, it is not a rest day, and the project is under construction now. That
 * state is assumed to continue.
 */
export function keyPostOutlook(facts: Facts, evaluation: Evaluation, month: string, post: string): KeyPostOutlook | undefined {
  const dates = datesOfMonth(month)
  const [first, last] = [dates[0]!, dates.at(-1)!]
  const threshold = thresholdOf(post, versionOn(facts.versions, last).setting.keyPostRate)
  if (threshold === undefined) return undefined
  const days = daysOf(facts, evaluation, first, last)
  const figures = keyPostMonth(days, threshold)
  const { calendar } = evaluation
  const running =
    [...facts.states]
      .filter((s) => s.from <= facts.now)
      .sort((a, b) => a.from - b.from)
      .at(-1)?.state === '003'
  const closed = new Set(days.filter((d) => d.closed).map((d) => d.workDay))
  const toCome = dates.filter((date) => {
    const stay = calendar.stayOn(date)
    if (!stay || closed.has(date) || !running || date === stay.first || date === stay.last || calendar.closeOf(date) <= facts.now)
      return false
    return !calendar.ruleOn(date, calendar.teamAt(startOf(date))).isRest(date)
  }).length
  // A closed day whose entry still waits for an exit may become a day of presence.
  const open = days.filter((d) => d.required && !d.settled && !d.present).length
  const settled = facts.now >= calendar.closeOf(last) && days.every((d) => d.settled)
  return { ...figures, settled, unreachable: figures.present + open + toCome < neededOf(figures.required + toCome, threshold) }
}
