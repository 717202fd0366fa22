/** State of one level of one rule; empty if nothing is pending or active. */
export interface LevelState {
  /** The condition has been continuously true since then. */
  pendingSince?: number
  /** Number of consecutive readings for which it was true. */
  hits?: number
  /** Start of the violation of the open alarm. */
  activeSince?: number
  /** The clear condition has been true since then. */
  clearSince?: number
  /** Until when a pending state is valid without another reading. */
  until?: number
  /** How long the condition has been true on a day so far, for rules that count per day. */
  today?: { day: number; ms: number; at?: number }
}

export type LevelEvent = { kind: 'open'; startTime: number; fireTime: number } | { kind: 'clear'; time: number }
export interface Step {
  state: LevelState
  events: LevelEvent[]
}

export interface Waits {
  forSeconds?: number | undefined
  clearForSeconds?: number | undefined
  /** Consecutive readings needed to open. */
  confirmSamples?: number | undefined
}

/** Result of a reading for a level: whether its condition is true, or, with an open alarm, whether its clear condition is. */
export interface Verdict {
  truth: boolean | undefined
  until: number
}

const idle: LevelState = {}
const keep = (state: LevelState): LevelState => (state.today ? { today: state.today } : idle)

/** Advances a state to `now` without a reading: a pending state opens at its due time if its value is still fresh then. */
export function advance(level: Waits, state: LevelState, now: number): Step {
  const freshUntil = Math.min(now, state.until ?? Number.NEGATIVE_INFINITY)
  if (state.activeSince === undefined && state.pendingSince !== undefined && (state.hits ?? 1) >= (level.confirmSamples ?? 1)) {
    const due = state.pendingSince + (level.forSeconds ?? 0) * 1000
    if (due <= freshUntil) {
      return {
        state: { ...keep(state), activeSince: state.pendingSince },
        events: [{ kind: 'open', startTime: state.pendingSince, fireTime: due }],
      }
    }
  }
  if (state.activeSince !== undefined && state.clearSince !== undefined) {
    const due = state.clearSince + (level.clearForSeconds ?? 0) * 1000
    if (due <= freshUntil) return { state: keep(state), events: [{ kind: 'clear', time: due }] }
  }
  return { state, events: [] }
}

/**
 * Processes one reading that is newer than all before. `judge` is called once: for the condition, or for the clear condition if the alarm
 * is open.
 */
export function take(level: Waits, before: LevelState, time: number, judge: (isOpen: boolean) => Verdict): Step {
  // Changes due between the last reading and this one happened before it. Without a wait, changes happen at the reading.
  const due = advance(level, before, time - 1)
  const events = [...due.events]
  let state = due.state
  const broken = state.until !== undefined && time > state.until
  const open = state.activeSince !== undefined
  const { truth, until } = judge(open)
  if (!open) {
    if (truth === undefined) return { state: broken ? keep(state) : state, events }
    if (!truth) return { state: keep(state), events }
    const since = broken ? undefined : state.pendingSince
    const hits = since === undefined ? 1 : (state.hits ?? 1) + 1
    const confirm = level.confirmSamples ?? 1
    state = { ...keep(state), pendingSince: since ?? time, until, hits: confirm > 1 ? hits : undefined }
  } else {
    const activeSince = state.activeSince as number
    if (truth === undefined) return { state: broken ? { ...keep(state), activeSince } : state, events }
    if (!truth) return { state: state.clearSince === undefined ? state : { ...keep(state), activeSince }, events }
    state = { ...keep(state), activeSince, clearSince: broken ? time : (state.clearSince ?? time), until }
  }
  const now = advance(level, state, time)
  // Confirmed by this reading, so it does not fire earlier.
  const fired = now.events.map((e) => (e.kind === 'open' && e.fireTime < time ? { ...e, fireTime: time } : e))
  return { state: now.state, events: [...events, ...fired] }
}

export const isPending = (state: LevelState) => state.pendingSince !== undefined && state.activeSince === undefined
/** Whether the clock alone may change the state. */
export const waitsForClock = (state: LevelState) => isPending(state) || state.clearSince !== undefined
/** The state without pending opening or closing. */
export const withoutWaiting = (state: LevelState): LevelState =>
  state.activeSince === undefined ? keep(state) : { ...keep(state), activeSince: state.activeSince }
export const isIdle = (state: LevelState) => state.pendingSince === undefined && state.activeSince === undefined && !state.today
