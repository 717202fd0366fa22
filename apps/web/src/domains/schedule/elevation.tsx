import { floorNumber } from '@zhugong/contract/places/tree'
import type { TaskRow } from '@zhugong/contract/schedule/calls'
import { scheduleStates } from '@zhugong/contract/schedule/plan'
import type { ScheduleUnit } from '@zhugong/contract/schedule/unit'
import { Card } from '#kit/feedback.tsx'
import { barColors } from './schedule-words.tsx'

/** A floor counts by its numbered name: 12层, 地下1层. Others, such as 屋面, stand in the list of tasks only. */
function floorOf(task: TaskRow): number | undefined {
  return task.leaf && /层|楼面|F\b/.test(task.name) ? floorNumber(task.name) : undefined
}

const coloured = ({ state }: TaskRow) => ({ background: barColors[state] })

/** The building as it stands, from the top down; a part for every task of a floor, in the colour of its state. */
export function Elevation({ unit, onOpen }: { unit: ScheduleUnit; onOpen: (task: TaskRow) => void }) {
  const byFloor = Map.groupBy(
    unit.tasks.filter((one) => floorOf(one) !== undefined),
    (one) => floorOf(one) ?? 0,
  )
  const top = Math.max(unit.floorsUp ?? 0, ...byFloor.keys())
  const bottom = Math.min(-(unit.floorsDown ?? 0), ...byFloor.keys())
  const floors = Array.from({ length: Math.max(0, top - bottom + 1) }, (_, i) => top - i).filter((n) => n !== 0)
  const finished = floors.filter((n) => n > 0 && byFloor.get(n)?.some((one) => one.state === scheduleStates.done)).length
  if (floors.length === 0) return null
  return (
    <Card title="立面" remark={`地上 ${unit.floorsUp ?? top} 层，已到 ${finished} 层；点色块看任务`}>
      <ol className="schedule-tower" aria-label={`${unit.name}各层进度`}>
        {floors.map((n) => (
          <li key={n}>
            <span className="zg-2 zg-num">{n < 0 ? `地下 ${-n}` : n}</span>
            <span className="schedule-floor">
              {(byFloor.get(n) ?? []).map((one) => (
                <button
                  key={one.id}
                  type="button"
                  className="zg-bare"
                  aria-label={`${one.name}，${one.stateName}，${one.percent}%`}
                  title={`${one.name}，${one.stateName}，${one.percent}%`}
                  style={coloured(one)}
                  onClick={() => onOpen(one)}
                />
              ))}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
