import * as contract from '@zhugong/contract/residence/calls'
import type { Serve } from '#kit/serve'
import { readResidentList, readRoom, readRoomList, readUnhoused } from './rows.ts'
import { changeRoomRow, createRoomRows, moveOutLeftRows, removeRoomRow } from './writes.ts'

export function residenceRoutes(serve: Serve): void {
  serve(contract.listRooms, readRoomList)
  serve(contract.listResidents, readResidentList)
  serve(contract.listUnhoused, readUnhoused)
  serve(contract.getRoom, ({ params }, ctx) => readRoom(ctx, params.id))
  serve(contract.createRooms, createRoomRows)
  serve(contract.moveOutLeft, moveOutLeftRows)
  serve(contract.changeRoom, changeRoomRow)
  serve(contract.removeRoom, ({ params }, ctx) => removeRoomRow(ctx, params.id).then(() => undefined))
}
