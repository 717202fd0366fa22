/** State of a project (dictionary projectState); the transitions are in `projectActions`. */
export const projectStates = {
  planned: '001',
  approved: '002',
  building: '003',
  accepted: '004',
  /** People may come, but nobody is expected. */
  stopped: '005',
  finished: '006',
  /** Supervision has ended: the file is read-only. */
  closed: '007',
} as const

/** State of a proposed fence, and result of its review (dictionary auditStatus). */
export const changeStates = { waiting: '0', passed: '1', refused: '2' } as const
