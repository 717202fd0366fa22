import { expect, test } from 'vitest'
import { type PlainReading, plainly } from './reference-for-test.ts'
import { rehearse } from './rehearse.ts'
import { readyTrigger } from './trigger.ts'

/** mulberry32: the same rows for the same seed on every machine. */
function random(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const wanted = Number(process.env.RULES_MODEL_EVENTS ?? 5_000)
const perTrial = 100

test(`the evaluator and a plain one agree over ${wanted} random readings with restarts`, () => {
  for (let trial = 0; trial * perTrial < wanted; trial++) {
    const next = random(trial + 1)
    const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T
    const gap = pick([20, 30, 60])
    const levels = Array.from({ length: pick([1, 1, 2, 3]) }, (_, i) => {
      const limit = 90 + 10 * i
      return {
        level: 3 - i,
        limit,
        clear: limit - pick([0, 5]),
        forSeconds: pick([0, 0, 5, 20, 45]),
        clearForSeconds: pick([0, 0, 10, 40]),
      }
    })
    const rows: PlainReading[] = []
    const restarts: number[] = []
    let second = 0
    for (let i = 0; i < perTrial; i++) {
      second += pick([1, 5, 5, 10, 10, 10, 20, 30, 31, 61, 200])
      const value = pick<number | null | undefined>([70, 84, 85, 88, 89, 90, 95, 96, 100, 105, 112, 120, null, undefined])
      rows.push({ second, seq: i, value })
      const kind = next()
      if (kind < 0.05) rows.push(pick(rows))
      else if (kind < 0.1) rows.push({ second: Math.max(0, second - pick([1, 4, 15, 40])), seq: 1000 + i, value: pick([70, 95, 120]) })
      if (next() < 0.1) restarts.push(second)
    }
    const until = second + 1000
    const trigger = readyTrigger({
      levels: levels.map((l) => ({
        level: l.level as 1 | 2 | 3,
        forSeconds: l.forSeconds,
        clearForSeconds: l.clearForSeconds,
        condition: { type: 'threshold', metric: 'load', op: '>=', value: l.limit, clearValue: l.clear },
      })),
      options: { maxGapSeconds: gap },
    })
    const { events } = rehearse({
      trigger,
      intervalSeconds: 10,
      samples: rows.map((r) => ({
        time: r.second * 1000,
        seq: r.seq,
        data: r.value === undefined ? {} : { load: r.value ?? 999 },
        ...(r.value === null ? { quality: { load: 'fault' } } : {}),
      })),
      restarts: restarts.map((s) => s * 1000),
      until: until * 1000,
    })
    const shown = events.flatMap((e) => {
      if (e.event === 'ignored' || e.event === 'stale') return []
      if (e.event === 'open') return [`open${e.level}@${(e.startTime ?? 0) / 1000}/${(e.fireTime ?? 0) / 1000}`]
      return [`${e.event}${e.event.endsWith('grade') ? e.level : ''}@${e.time / 1000}`]
    })
    let open = 0
    for (const one of shown) {
      if (one.startsWith('open')) open++
      if (one.startsWith('clear')) open--
      expect(open, `trial ${trial}: two open alarms`).toBeLessThanOrEqual(1)
    }
    expect(shown, `trial ${trial}: ${JSON.stringify({ gap, levels, rows })}`).toEqual(plainly(levels, gap, rows, until))
  }
})
