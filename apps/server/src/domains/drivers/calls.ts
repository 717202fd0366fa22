import * as contract from '@zhugong/contract/drivers/calls'
import type { Serve } from '#kit/serve'
import { readDriver, readDriverDevices, readDriverList, readSetup } from './rows.ts'
import { auditDriverRow, changeDriverRow, createDriverRow, removeDriverRow, sendDriverRow } from './writes.ts'

export function driverRoutes(serve: Serve): void {
  serve(contract.listDrivers, readDriverList)
  serve(contract.driverDevices, readDriverDevices)
  serve(contract.driverSetup, readSetup)
  serve(contract.getDriver, ({ params }, ctx) => readDriver(ctx, params.id))
  serve(contract.createDriver, createDriverRow)
  serve(contract.changeDriver, changeDriverRow)
  serve(contract.auditDriver, auditDriverRow)
  serve(contract.sendDriver, sendDriverRow)
  serve(contract.removeDriver, removeDriverRow)
}
