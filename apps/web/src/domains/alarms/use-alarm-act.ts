import { type AlarmRow, actOnAlarm, listAlarms } from '@zhugong/contract/alarms/endpoints'
import { useRef } from 'react'
import { askReason } from '#kit/ask.ts'
import { call, refresh } from '#kit/call.ts'
import { showFailure } from '#kit/http.ts'
import { notify } from '#kit/notify.ts'
import { openOf } from './tabs.ts'

/** Acknowledges alarms or marks them as false, one request at a time; a second call while one runs is ignored. */
export function useAlarmAct() {
  const acting = useRef(false)
  return async (leads: readonly AlarmRow[], action: 'ack' | 'false', clear?: () => void) => {
    if (acting.current) return
    // An action on a merged row applies to every alarm of its episode.
    const rows = leads.flatMap((row) => openOf(row, action))
    const reason = action === 'false' ? await askReason(`标记 ${rows.length} 条告警为误报`, '误报原因') : undefined
    if (action === 'false' && !reason) return
    acting.current = true
    let done = 0
    try {
      for (const row of rows) {
        await call(actOnAlarm, {
          params: { id: row.id },
          query: { projectCode: row.projectCode },
          body: { action, version: row.version, reason: reason || undefined },
        })
        done++
      }
      notify.success(action === 'ack' ? `已接单 ${done} 条` : `已标记误报 ${done} 条`)
      clear?.()
    } catch (error) {
      showFailure(error)
      if (done > 0) notify.info(`已处理 ${done} 条，其余未变`)
    } finally {
      acting.current = false
      refresh(listAlarms)
    }
  }
}
