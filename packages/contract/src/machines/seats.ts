import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { codesOfSeats, type SeatRight, signatureCall } from '../kit/signatures.ts'
import { machineMoves } from './moves.ts'

/** The five parties of the joint acceptance (建设部令第166号 第十六条). */
export const acceptParties = {
  use: '使用单位',
  owner: '出租（产权）单位',
  install: '安装单位',
  contractor: '总承包单位',
  supervisor: '监理单位',
} as const

/** Whoever uses the machine has the parties sign on his device: owner and installer mostly have no account. */
export const machineSeatRight = { needs: machineMoves.saveTest.needs, acts: 'own', turn: 'site' } as const satisfies SeatRight
/** 监理 signs with its own account. */
export const supervisorSeatRight = { needs: 'supervision.bigAudit', acts: 'supervisor', turn: 'supervisor' } as const satisfies SeatRight

export const signMachine = signatureCall({
  path: '/api/v1/oa/process/spdevice',
  noun: '起重机械联合验收',
  needs: codesOfSeats(machineSeatRight, supervisorSeatRight),
  params: z.object({ id: ref('spdevice') }),
})
