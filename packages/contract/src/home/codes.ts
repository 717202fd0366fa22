/** States of a project that home pages tell apart (dictionary projectState). */
export const projectStates = {
  building: '003',
  /** People may come; nobody is expected. */
  stopped: '005',
} as const
