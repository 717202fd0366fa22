import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { codesOfSeats, type SeatRight, signatureCall } from '../kit/signatures.ts'
import { sheetMoves } from './moves.ts'

const signs = 'supervision.sheetSign'

/** Seats of a record sheet: its officers, and the three parties of the site. */
export const sheetSeatRights = {
  officer: { needs: sheetMoves.submit.needs, acts: 'site', turn: 'author' },
  owner: { needs: signs, acts: 'site', turn: 'owner' },
  contractor: { needs: signs, acts: 'own', turn: 'contractor' },
  supervisor: { needs: signs, acts: 'supervisor', turn: 'supervisor' },
} as const satisfies Record<string, SeatRight>

/** The three parties, in the order in which they are printed; the key is the seat. */
export const partySeats = { owner: '建设单位', contractor: '施工单位', supervisor: '监理单位' } as const
export type PartySeat = keyof typeof partySeats

export const signSheet = signatureCall({
  path: '/api/v1/oa/process/manualsheet',
  noun: '监督记录单',
  needs: codesOfSeats(...Object.values(sheetSeatRights)),
  params: z.object({ id: ref('manualsheet') }),
})
