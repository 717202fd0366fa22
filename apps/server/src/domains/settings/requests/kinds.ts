import { registerBadAppeal } from './bad-appeal.ts'
import { registerDataErasure } from './data-erasure.ts'
import { registerIdRenewal } from './id-renewal.ts'
import { registerRecordDispute } from './record-dispute.ts'
import { registerWageComplaint } from './wage-complaint.ts'

/** All that a person asks for himself. */
export function registerPersonKinds(): void {
  registerRecordDispute()
  registerWageComplaint()
  registerBadAppeal()
  registerIdRenewal()
  registerDataErasure()
}
