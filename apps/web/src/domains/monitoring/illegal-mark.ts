import type { markCraneCycle, markLiftRun } from '@zhugong/contract/monitoring/record-fixes'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { minuteOfDay } from '#kit/format.ts'

interface Marked {
  key: string
  time: number
  data: Readonly<Record<string, unknown>>
  projectCode: string
  deviceName: string
  version: number
}

/** Marks a record as a violation or withdraws the mark, with a reason. `what`: name of the record. Returns the row action. */
export function useIllegalMark(
  call: typeof markCraneCycle | typeof markLiftRun,
  what: string,
  reported: (row: Marked) => { startTime: number; illegal: boolean },
) {
  const act = useAct(call, { success: '已记录，违章统计与司机记录随之更新' })
  return (row: Marked) => {
    const { startTime, illegal } = reported(row)
    const words = `${row.deviceName} ${minuteOfDay(startTime)} 的${what}`
    return {
      label: illegal ? '取消违章' : '标记违章',
      needs: call,
      onClick: async () => {
        const reason = await askReason(illegal ? `取消 ${words} 的违章标记` : `把 ${words} 标记为违章`, '原因')
        if (reason)
          await act.run({
            params: { id: row.key },
            query: { projectCode: row.projectCode },
            body: { illegal: !illegal, reason, version: row.version },
          })
      },
    }
  }
}
