/** What one level of one rule remembers. Empty when nothing is going on. */
export interface LevelState {
  /** The condition has been true since then, without a break. */
  pendingSince?: number
  /** Readings in a row that said so. */
  hits?: number
  /** Start of the breach of the open alarm. */
  activeSince?: number
  /** The clear condition has held since then. */
  clearSince?: number
  /** Until when what is pending stays known without another reading. */
  until?: number
  /** How long the condition has been true on a day so far, for rules that count by the day. */
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
  /** Readings in a row it takes to open. */
  confirmSamples?: number | undefined
}

/** What a reading says about a level: whether its condition holds, or, when the alarm is open, whether it is over. */
export interface Verdict {
  truth: boolean | undefined
  until: number
}

const idle: LevelState = {}
const keep = (state: LevelState): LevelState => (state.today ? { today: state.today } : idle)

/** Moves a state to the time `now` without a reading: what was pending opens at the first moment it may, if its value is still fresh then. */
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

/** Takes one reading, newer than all before it. `judge` is asked once: whether the condition holds, or is over when the alarm is open. */
export function take(level: Waits, before: LevelState, time: number, judge: (isOpen: boolean) => Verdict): Step {
  // What became due between the last reading and this one happened before it. Only for waits: without one, things happen at the reading.
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
  // Confirmed by this very reading: not before it.
  const fired = now.events.map((e) => (e.kind === 'open' && e.fireTime < time ? { ...e, fireTime: time } : e))
  return { state: now.state, events: [...events, ...fired] }
}

export const isPending = (state: LevelState) => state.pendingSince !== undefined && state.activeSince === undefined
/** Whether the clock alone may decide something. */
export const waitsForClock = (state: LevelState) => isPending(state) || state.clearSince !== undefined
/** What is left of a state when waiting has to begin anew. */
export const withoutWaiting = (state: LevelState): LevelState =>
  state.activeSince === undefined ? keep(state) : { ...keep(state), activeSince: state.activeSince }
export const isIdle = (state: LevelState) => state.pendingSince === undefined && state.activeSince === undefined && !state.today
