/** Results in the frame log that say nothing against the frame itself: it was taken, or its sender was not let in. */
export const soundFrameResults: readonly string[] = [
  'stored',
  'duplicate',
  'late',
  'clockAhead',
  'accepted',
  'part',
  'oneRejected',
  'sent',
  'ignored',
  'unregistered',
  'notBound',
  'notInService',
  'notAuthenticated',
  'wrongPassword',
  'registeredBefore',
  'encryptedNoKey',
]
