import { commandResults } from '@zhugong/contract/telemetry/commands'
import type { CommandAnswer } from './local.ts'

const words: Readonly<Record<number, string>> = {
  [commandResults.unreachable]: '设备不在线，指令未下发',
  [commandResults.noReply]: '设备无应答',
  [commandResults.expired]: '指令已过有效期，未下发',
}

/** Message for a platform result code; undefined for result codes defined by the device. */
export const wordOf = (result: number): string | undefined => words[result]

export const resultOf = (cmdId: string, result: number): CommandAnswer => ({ cmdId, result, message: words[result] ?? '' })

export const unreachable = (cmdId: string, message: string): CommandAnswer => ({ cmdId, result: commandResults.unreachable, message })
