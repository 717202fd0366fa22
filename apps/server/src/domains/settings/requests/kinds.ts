import { registerBadAppeal } from './bad-appeal.ts'
import { registerDataErasure } from './data-erasure.ts'
import { registerIdRenewal } from './id-renewal.ts'
import { registerRecordDispute } from './record-dispute.ts'
import { registerWageComplaint } from './wage-complaint.ts'

/** Registers all kinds of requests that a person makes. */
export function registerPersonKinds(): void {
  registerRecordDispute()
  registerWageComplaint()
  registerBadAppeal()
  registerIdRenewal()
  registerDataErasure()
}
