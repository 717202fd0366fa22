import type { TaskRow } from '@zhugong/contract/schedule/calls'
import { useState } from 'react'

export interface Dates {
  planStart: string
  planEnd: string
}

/** Dates that were moved on the chart and are not saved yet. */
export function useDates(tasks: readonly TaskRow[]) {
  const [moved, setMoved] = useState<Readonly<Record<string, Dates>>>({})
  const known = new Map(tasks.map((one) => [one.id, one]))
  return {
    of: (task: TaskRow): Dates => moved[task.id] ?? task,
    move: (task: TaskRow, dates: Dates) => setMoved((now) => ({ ...now, [task.id]: dates })),
    forget: () => setMoved({}),
    changes: Object.entries(moved).flatMap(([taskId, { planStart, planEnd }]) => {
      const task = known.get(taskId)
      return task && (task.planStart !== planStart || task.planEnd !== planEnd) ? [{ taskId, planStart, planEnd }] : []
    }),
  }
}
