import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { markCraneCycle } from '@zhugong/contract/monitoring/record-fixes'
import type { findCycles } from '@zhugong/contract/telemetry/crane-lists'
import { cycleOf } from '@zhugong/contract/telemetry/known-records'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { minuteOfDay } from '#kit/format.ts'

/** A lift as the list holds it. */
export type CycleRow = OutputFor<typeof findCycles>['list'][number]

/** Blames a lift, or takes the blame back, each with its reason. Answers the action of a row. */
export function useCycleMark() {
  const act = useAct(markCraneCycle, { success: '已记录，违章统计与司机记录随之更新' })
  return (row: CycleRow) => {
    const cycle = cycleOf(row)
    const words = `${row.deviceName} ${minuteOfDay(cycle.startTime)} 的吊装`
    return {
      label: cycle.illegal ? '取消违章' : '标记违章',
      needs: markCraneCycle,
      onClick: async () => {
        const reason = await askReason(cycle.illegal ? `取消 ${words} 的违章标记` : `把 ${words} 标记为违章`, '原因')
        if (reason)
          await act.run({
            params: { id: row.key },
            query: { projectCode: row.projectCode },
            body: { illegal: !cycle.illegal, reason, version: row.version },
          })
      },
    }
  }
}
