import { listExports, submitExport } from '@zhugong/contract/exports/endpoints'
import { useAct } from './call.ts'
import { useExportCentre } from './export-state.ts'

/** Starts a document that is no list (badges, somebody's file, a proof); it comes in the export centre, which opens. */
export function usePrint(feature: string) {
  return useAct(submitExport, {
    success: false,
    refreshes: [listExports],
    onDone: ({ id }, { body: { query = {}, exportType = 'pdf' } }) => {
      const { sent } = useExportCentre.getState()
      useExportCentre.setState({
        open: true,
        submittedAt: Date.now(),
        sent: { ...sent, [id]: { feature, exportType, query, columns: [] } },
      })
    },
  })
}
