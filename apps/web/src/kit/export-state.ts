import { type ExportTask, type ExportType, exportStatus, listExports } from '@zhugong/contract/exports/endpoints'
import { useEffect, useState } from 'react'
import { create } from 'zustand'
import { useCall } from './call.ts'

export const exportRereadMs = 3000
export const exportPollMs = 5000

/** Delay until the next refetch: 3 s after submission, then every 5 s while an export runs; false when none runs. */
export function nextExportRead(running: boolean, sinceSubmitMs: number | undefined): number | false {
  if (sinceSubmitMs !== undefined && sinceSubmitMs < exportRereadMs) return exportRereadMs - sinceSubmitMs
  return running ? exportPollMs : false
}

export const isRunning = (task: Pick<ExportTask, 'exportStatus'>): boolean => task.exportStatus === exportStatus.running

interface ExportState {
  open: boolean
  submittedAt: number | undefined
  /** Submitted tasks by id, so that 重试 can submit them again. */
  sent: Record<string, { feature: string; exportType: ExportType; query: Record<string, unknown>; columns: string[] }>
}
export const useExportCentre = create<ExportState>(() => ({ open: false, submittedAt: undefined, sent: {} }))
export const openExportCentre = (): void => useExportCentre.setState({ open: true })

const input = { query: { page: 1, size: 20 } }

/** The user's exports, refetched at the interval of `nextExportRead`. */
export function useExports(enabled: boolean) {
  const { submittedAt } = useExportCentre()
  const [pace, setPace] = useState<number | false>(false)
  const read = useCall(listExports, input, { quiet: true, enabled, staleMs: 0, everyMs: pace || undefined })
  const tasks = read.data?.list ?? []
  const running = tasks.some(isRunning)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response sets the interval until the next.
  useEffect(() => {
    setPace(nextExportRead(running, submittedAt === undefined ? undefined : Date.now() - submittedAt))
  }, [running, submittedAt, read.dataUpdatedAt])
  return { ...read, tasks, running: tasks.filter(isRunning) }
}
