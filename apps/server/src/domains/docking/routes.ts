import * as contract from '@zhugong/contract/docking/endpoints'
import type { Outgoing } from '#kit/outgoing'
import type { Serve } from '#kit/serve'
import { listCompare, runCompare } from './compare.ts'
import { getFreshness, listErrors, translateError } from './figures.ts'
import { issueKey, listKeys, listRejected, revokeKey } from './keys.ts'
import { changeMapping, getMapping, tryMapping, weighMapping } from './mapping-calls.ts'
import { changePlatform, createPlatform, listPlatforms, movePlatform, pausePlatform, testPlatform } from './platforms.ts'
import { getRecord, listRecords, lookRecord, pushRecords, standingOf } from './records.ts'

export function dockingRoutes(serve: Serve, outgoing: Outgoing): void {
  serve(contract.listPlatforms, listPlatforms)
  serve(contract.createPlatform, createPlatform)
  serve(contract.changePlatform, changePlatform)
  serve(contract.pausePlatform, pausePlatform)
  serve(contract.testPlatform, testPlatform(outgoing))
  serve(contract.movePlatform, movePlatform)
  serve(contract.listCompare, listCompare)
  serve(contract.runCompare, runCompare(outgoing))
  serve(contract.getMapping, getMapping)
  serve(contract.changeMapping, changeMapping)
  serve(contract.tryMapping, tryMapping)
  serve(contract.weighMapping, weighMapping)
  serve(contract.listRecords, listRecords)
  serve(contract.getRecord, getRecord)
  serve(contract.standingOf, standingOf)
  serve(contract.lookRecord, lookRecord)
  serve(contract.pushRecords, pushRecords)
  serve(contract.getFreshness, getFreshness)
  serve(contract.listErrors, listErrors)
  serve(contract.translateError, translateError)
  serve(contract.listKeys, listKeys)
  serve(contract.issueKey, issueKey)
  serve(contract.revokeKey, revokeKey)
  serve(contract.listRejected, listRejected)
}
