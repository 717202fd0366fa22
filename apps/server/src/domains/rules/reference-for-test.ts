/**
 * A second, deliberately simple implementation of threshold rules: second by second, looking up every reading again. It is slow and written
 * from the specification alone, so that it does not share mistakes with the evaluator.
 */
export interface PlainLevel {
  level: number
  limit: number
  clear: number
  forSeconds: number
  clearForSeconds: number
}
export interface PlainReading {
  second: number
  seq: number
  /** Undefined: the reading lacks the metric; null: the value is bad. */
  value: number | null | undefined
}

interface Life {
  since?: number
  calm?: number
  freshUntil: number
  up: boolean
  startedAt: number
}

export function plainly(levels: readonly PlainLevel[], gap: number, readings: readonly PlainReading[], until: number): string[] {
  const events: string[] = []
  const known: PlainReading[] = []
  const lives: Life[] = levels.map(() => ({ freshUntil: -1, up: false, startedAt: 0 }))
  let newest = -1
  let at = -1
  let open: number | undefined
  let opens: number[] = []
  let flapping = false
  let calmSince: number | undefined
  let watchedUntil = -1

  const newestValue = (now: number) => {
    const spoken = known.filter((r) => r.second <= now && r.value !== undefined)
    // Of readings in one second, the last received wins.
    const last = spoken.reduce<PlainReading | undefined>((best, r) => (!best || r.second >= best.second ? r : best), undefined)
    return last && now - last.second <= gap && last.value !== null ? last : undefined
  }
  const tell = (now: number) => {
    const worst = Math.min(...levels.flatMap((l, i) => (lives[i]?.up ? [l.level] : [])))
    const starts = levels.flatMap((l, i) => (lives[i]?.up && l.level === worst ? [lives[i].startedAt] : []))
    if (open === undefined && Number.isFinite(worst)) {
      opens = [...opens.filter((t) => now - t < 600), now]
      open = worst
      // Levels that open at the same time share the earliest start.
      const together = levels.flatMap((_, i) => (lives[i]?.up ? [lives[i].startedAt] : []))
      events.push(`open${worst}@${Math.min(...starts, ...together)}/${now}`)
      if (opens.length >= 4) {
        flapping = true
        calmSince = undefined
        events.push(`flapping@${now}`)
      }
    } else if (open !== undefined && !Number.isFinite(worst)) {
      if (flapping) calmSince ??= now
      else {
        events.push(`clear@${now}`)
        open = undefined
      }
    } else if (open !== undefined) {
      calmSince = undefined
      if (worst !== open) {
        events.push(`${worst < open ? 'upgrade' : 'downgrade'}${worst}@${now}`)
        open = worst
      }
    }
  }
  const clockDecides = (now: number) => {
    let changed = false
    for (const [i, level] of levels.entries()) {
      const life = lives[i] as Life
      if (now > life.freshUntil) continue
      if (!life.up && life.since !== undefined && now - life.since >= level.forSeconds) {
        life.up = true
        life.startedAt = life.since
        delete life.since
        life.freshUntil = -1
        changed = true
      } else if (life.up && life.calm !== undefined && now - life.calm >= level.clearForSeconds) {
        life.up = false
        delete life.calm
        life.freshUntil = -1
        changed = true
      }
    }
    if (changed) tell(now)
    if (flapping && open !== undefined && calmSince !== undefined && now - calmSince >= 300 && now <= watchedUntil) {
      events.push(`clear@${now}`)
      open = undefined
      flapping = false
      calmSince = undefined
      opens = []
    }
  }
  const readingDecides = (now: number) => {
    const value = newestValue(now)
    for (const [i, level] of levels.entries()) {
      const life = lives[i] as Life
      const isBroken = life.freshUntil >= 0 && now > life.freshUntil
      if (isBroken) {
        delete life.since
        delete life.calm
        life.freshUntil = -1
      }
      if (!value || typeof value.value !== 'number') continue
      if (!life.up) {
        if (value.value >= level.limit) {
          life.since ??= now
          life.freshUntil = value.second + gap
        } else {
          delete life.since
          life.freshUntil = -1
        }
      } else if (value.value < level.clear) {
        life.calm ??= now
        life.freshUntil = value.second + gap
      } else if (life.calm !== undefined) {
        delete life.calm
        life.freshUntil = -1
      }
    }
    if (flapping) {
      if (calmSince !== undefined && now > watchedUntil) calmSince = now
      if (value) watchedUntil = now + gap
    }
  }

  const passTo = (second: number) => {
    while (at < second) {
      at++
      clockDecides(at)
    }
  }
  for (const reading of readings) {
    if (known.some((r) => r.second === reading.second && r.seq === reading.seq)) continue
    known.push(reading)
    if (reading.second <= newest) continue
    // Changes due before this second happen before the reading; within the second the reading is processed first.
    passTo(reading.second - 1)
    at = reading.second
    newest = reading.second
    readingDecides(reading.second)
    clockDecides(reading.second)
  }
  passTo(until)
  return events
}
