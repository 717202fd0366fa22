/** Stages in which photographs of a notice are used as evidence: of the problem, and of the answer in a round. */
export const before = 'before'
export const after = (round: number): string => `after ${round}`
