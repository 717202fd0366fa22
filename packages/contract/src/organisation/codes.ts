/** Where a project stands (dictionary projectState); what leads from one to the next: `projectActions`. */
export const projectStates = {
  planned: '001',
  approved: '002',
  building: '003',
  accepted: '004',
  /** People may come; nobody is expected. */
  stopped: '005',
  finished: '006',
  /** Supervision has ended: the file is read-only. */
  closed: '007',
} as const

/** Of an application for another registration, and what its audit makes of it. */
export const changeStates = { waiting: '0', passed: '1', refused: '2' } as const
