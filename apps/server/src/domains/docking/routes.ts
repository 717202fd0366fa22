import * as below from '@zhugong/contract/docking/below'
import * as causes from '@zhugong/contract/docking/causes'
import * as connections from '@zhugong/contract/docking/connections'
import * as mappingCalls from '@zhugong/contract/docking/mapping'
import * as overview from '@zhugong/contract/docking/overview'
import * as queue from '@zhugong/contract/docking/queue'
import type { Outgoing } from '#kit/outgoing'
import type { Serve } from '#kit/serve'
import { listCompare, runCompare } from './compare.ts'
import { getFreshness, listErrors, translateError } from './figures.ts'
import { issueKey, listKeys, listRejected, revokeKey } from './keys.ts'
import { changeMapping, getMapping, tryMapping, weighMapping } from './mapping-calls.ts'
import { changePlatform, createPlatform, listPlatforms, movePlatform, pausePlatform, testPlatform } from './platforms.ts'
import { getRecord, listRecords, lookRecord, pushRecords, stateOf } from './records.ts'

export function dockingRoutes(serve: Serve, outgoing: Outgoing): void {
  serve(connections.listPlatforms, listPlatforms)
  serve(connections.createPlatform, createPlatform)
  serve(connections.changePlatform, changePlatform)
  serve(connections.pausePlatform, pausePlatform)
  serve(connections.testPlatform, testPlatform(outgoing))
  serve(connections.movePlatform, movePlatform)
  serve(connections.listCompare, listCompare)
  serve(connections.runCompare, runCompare(outgoing))
  serve(mappingCalls.getMapping, getMapping)
  serve(mappingCalls.changeMapping, changeMapping)
  serve(mappingCalls.tryMapping, tryMapping)
  serve(mappingCalls.weighMapping, weighMapping)
  serve(queue.listRecords, listRecords)
  serve(queue.getRecord, getRecord)
  serve(queue.queueStates, stateOf)
  serve(queue.lookRecord, lookRecord)
  serve(queue.pushRecords, pushRecords)
  serve(overview.getFreshness, getFreshness)
  serve(causes.listErrors, listErrors)
  serve(causes.translateError, translateError)
  serve(below.listKeys, listKeys)
  serve(below.issueKey, issueKey)
  serve(below.revokeKey, revokeKey)
  serve(below.listRejected, listRejected)
}
