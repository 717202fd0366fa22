import type { CertRow } from '@zhugong/contract/personnel/paper-model'
import type { Tone } from '#kit/feedback.tsx'

/** State of a certificate today, in words. */
export const certWords: Record<CertRow['state'], [string, Tone]> = {
  valid: ['有效', 'fine'],
  expiring: ['即将到期', 'warning'],
  expired: ['已过期', 'danger'],
  pending: ['待审核', 'running'],
  void: ['不作数', 'neutral'],
}
