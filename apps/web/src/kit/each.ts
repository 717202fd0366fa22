import { useState } from 'react'
import { refresh, showFailure } from './call.ts'
import { CallError } from './failure.ts'
import { notify } from './notify.ts'

/**
 * Batch actions of a list: each row is its own request, so that one refusal does not stop the others. Tells how many succeeded and the first
 * reason of the others, then reads the list again.
 */
export function useEach(unit: string, onDone: () => void) {
  const [running, setRunning] = useState(false)
  const run = async <Row>(rows: readonly Row[], verb: string, act: (row: Row) => Promise<unknown>): Promise<void> => {
    setRunning(true)
    let done = 0
    let refused: unknown
    for (const row of rows) {
      try {
        await act(row)
        done++
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        refused ??= error
      }
    }
    setRunning(false)
    refresh()
    if (refused) {
      notify.warning(`${verb} ${done} ${unit}，${rows.length - done} ${unit}未成功`)
      showFailure(refused)
    } else notify.success(`已${verb} ${done} ${unit}`)
    onDone()
  }
  return { run, running }
}
