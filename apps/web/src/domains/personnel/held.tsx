import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { isHeld } from '@zhugong/contract/personnel/worker-model'
import { workerBaseInfo } from '@zhugong/contract/personnel/workers'
import type { ReactNode } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'

/** Whether the group still holds the person's file, and may edit it and read it unmasked. Uses the cached answer of the page shell. */
export function useHeld(workerId: string): boolean {
  const read = useCall(workerBaseInfo, { params: { id: workerId } }, { quiet: true, enabled: workerId !== '', staleMs: 15_000 })
  return read.data !== undefined && isHeld(read.data.hold)
}

/** Renders its children if the file is held and the user has the permission. */
export function HeldCan({ workerId, call, children }: { workerId: string; call: Pick<Endpoint, 'needs'>; children: ReactNode }) {
  return useHeld(workerId) ? <Can call={call}>{children}</Can> : null
}
