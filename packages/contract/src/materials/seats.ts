import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { codesOfSeats, type SeatRight, signatureCall } from '../kit/signatures.ts'

/** The keeper of the site, and 监理 as witness of acceptance and of sampling. */
export const materialSeatRights = {
  keeper: { needs: 'inspection.materialReceive', acts: 'own', turn: 'responsible' },
  supervisor: { needs: 'inspection.materialWitness', acts: 'supervisor', turn: 'supervisor' },
} as const satisfies Record<string, SeatRight>

export const signMaterial = signatureCall({
  path: '/api/v1/oa/process/material',
  noun: '材料验收与见证取样',
  needs: codesOfSeats(...Object.values(materialSeatRights)),
  params: z.object({ id: ref('materialBatch') }),
})
