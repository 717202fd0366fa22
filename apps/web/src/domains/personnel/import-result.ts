import { listExports, submitExport } from '@zhugong/contract/exports/endpoints'
import { useAct } from '#kit/call.ts'
import { useExportCentre } from '#kit/export-state.ts'

/** Exports the result of each row as a workbook and opens the export centre. */
export function useResultFile(): (importId: string) => void {
  const act = useAct(submitExport, {
    success: false,
    refreshes: [listExports],
    onDone: () => useExportCentre.setState({ open: true, submittedAt: Date.now() }),
  })
  return (id) => void act.run({ body: { feature: 'workerImportResult', exportType: 'xlsx', query: { id } } })
}
