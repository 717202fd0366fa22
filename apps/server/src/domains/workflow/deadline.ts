import { isRestDate, type RestDays } from '@zhugong/contract/kit/rest-days'
import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import { formatDay, startOfDay } from '#kit/clock'

/** Days searched for working time, in case a calendar has no working days. The longest time limit is 30 working days. */
const longestDays = 180

/**
 * The end of a time limit in working time: days of rest in Asia/Shanghai do not count, every working day counts with all its 24 hours.
 * A limit that begins on a day of rest runs from the first moment of the next working day. `from` in epoch milliseconds.
 */
export function deadlineAfter(from: number, hours: number, rest: RestDays): Date {
  let left = hours * hourMs
  let at = from
  for (let days = 0; days < longestDays; days++) {
    const day = formatDay(at)
    const end = startOfDay(day) + dayMs
    if (!isRestDate(rest, day)) {
      if (left <= end - at) return new Date(at + left)
      left -= end - at
    }
    at = end
  }
  return new Date(from + hours * hourMs)
}

const longestSearchMs = 60 * dayMs
/** The latest start from which a time limit has passed by `now`: whatever began before it is late. */
export function lateSince(now: number, hours: number, rest: RestDays): Date {
  let [late, fresh] = [now - longestSearchMs, now]
  while (fresh - late > minuteMs) {
    const middle = Math.floor((late + fresh) / 2)
    if (deadlineAfter(middle, hours, rest).getTime() < now) late = middle
    else fresh = middle
  }
  return new Date(late)
}
