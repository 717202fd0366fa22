import { type BoardRow, machineBoard } from '@zhugong/contract/upkeep/inspections'
import { useCall } from '#kit/call.ts'

/** Machines of a site or of all sites that a board or a choice shows. */
const mostMachines = 300
const none: readonly BoardRow[] = []

/** Machines in use or suspended, with their last checks; also without network. */
export function useMachines(query: { projectCode: string; late?: boolean | undefined; maintainLate?: boolean | undefined }) {
  const read = useCall(machineBoard, { query: { ...query, size: mostMachines } }, { quiet: true, offline: true })
  return { ...read, machines: read.data?.list ?? none, counts: read.data?.counts, total: read.data?.total }
}
