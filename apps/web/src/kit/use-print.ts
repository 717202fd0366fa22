import { listExports, submitExport } from '@zhugong/contract/exports/endpoints'
import { useAct } from './call.ts'
import { useExportCentre } from './export-state.ts'

/** Starts a document that is not a list (badges, a person's file, a certificate) and opens the export centre, where it appears. */
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
