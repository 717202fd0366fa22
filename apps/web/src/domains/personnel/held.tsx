import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { isHeld } from '@zhugong/contract/personnel/worker-model'
import { workerBaseInfo } from '@zhugong/contract/personnel/workers'
import type { ReactNode } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'

/** Whether the person's file is still the asker's to write and to see in clear; the shell of the person's pages has asked already. */
export function useHeld(workerId: string): boolean {
  const read = useCall(workerBaseInfo, { params: { id: workerId } }, { quiet: true, enabled: workerId !== '', staleMs: 15_000 })
  return read.data !== undefined && isHeld(read.data.hold)
}

/** What may be done with the file of somebody one has, by whoever holds the code. */
export function HeldCan({ workerId, call, children }: { workerId: string; call: Pick<Endpoint, 'needs'>; children: ReactNode }) {
  return useHeld(workerId) ? <Can call={call}>{children}</Can> : null
}
