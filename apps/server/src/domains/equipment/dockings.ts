import * as calls from '@zhugong/contract/equipment/docking-endpoints'
import type { Outgoing } from '#kit/outgoing'
import type { Serve } from '#kit/serve'
import { copyDocking, createDocking, removeDocking, switchDocking, updateDocking } from './docking-change.ts'
import { getDocking, listDockingRuns, listDockings } from './docking-list.ts'
import { tryDocking } from './docking-try.ts'
import { listExternalDevices } from './external-devices.ts'

export function dockingRoutes(serve: Serve, outgoing: Outgoing): void {
  serve(calls.listDockings, listDockings)
  serve(calls.getDocking, getDocking)
  serve(calls.createDocking, createDocking)
  serve(calls.updateDocking, updateDocking)
  serve(calls.removeDocking, removeDocking)
  serve(calls.switchDocking, switchDocking)
  serve(calls.copyDocking, copyDocking)
  serve(calls.tryDocking, tryDocking(outgoing))
  serve(calls.listDockingRuns, listDockingRuns)
  serve(calls.listExternalDevices, listExternalDevices)
}
