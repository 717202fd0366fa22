import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { codesOfSeats, type SeatRight, signatureCall } from '../kit/signatures.ts'

/** Seats of a check: whoever checks, whoever of the site goes with them, and 监理 where it confirms. */
export const checkSeatRights = {
  checker: { needs: 'inspection.check', acts: 'review', turn: 'checker' },
  site: { needs: 'inspection.rectifySign', acts: 'site', turn: 'site' },
  supervisor: { needs: 'inspection.rectifyReview', acts: 'supervisor', turn: 'supervisor' },
} as const satisfies Record<string, SeatRight>

const params = z.object({ id: ref('siteCheck') })
const needs = codesOfSeats(...Object.values(checkSeatRights))

export const signSecurityCheck = signatureCall({ path: '/api/v1/oa/process/securityCheck', noun: '安全检查', needs, params })
export const signInspection = signatureCall({ path: '/api/v1/oa/process/safetyInspection', noun: '安全巡检', needs, params })
