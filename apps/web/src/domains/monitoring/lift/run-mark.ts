import { runOf } from '@zhugong/contract/monitoring/lift-runs'
import { markLiftRun } from '@zhugong/contract/monitoring/record-fixes'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { minuteOfDay } from '#kit/format.ts'
import type { RunRow } from './run-row.ts'

/** Blames a run, or takes the blame back, each with its reason. Answers the action of a row. */
export function useRunMark() {
  const act = useAct(markLiftRun, { success: '已记录，违章统计与司机记录随之更新' })
  return (row: RunRow) => {
    const run = runOf(row)
    const words = `${row.deviceName} ${minuteOfDay(run.startTime)} 的运行`
    return {
      label: run.illegal ? '取消违章' : '标记违章',
      needs: markLiftRun,
      onClick: async () => {
        const reason = await askReason(run.illegal ? `取消 ${words} 的违章标记` : `把 ${words} 标记为违章`, '原因')
        if (reason)
          await act.run({
            params: { id: row.key },
            query: { projectCode: row.projectCode },
            body: { illegal: !run.illegal, reason, version: row.version },
          })
      },
    }
  }
}
