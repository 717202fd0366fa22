/** The parts a company can have, or have had, in a project. */
export const parts = ['owner', 'leader', 'supervisor', 'subcontractor', 'exited', 'former'] as const
export type Part = (typeof parts)[number]

/** Subject of a call that changes data. */
export type Concern = 'site' | 'parties' | 'review' | 'supervision' | 'people' | 'machines' | 'state' | 'body'

type Answer = 'yes' | 'no' | 'own'
type Line = Record<Part, Answer>

/**
 * Which part may change what in a project, according to the practice of the trade, not the product. `own`: records of its own company only.
 * A company that has left the site may not change anything there.
 */
export const mayChange: Record<Concern, Line> = {
  site: { owner: 'yes', leader: 'yes', supervisor: 'no', subcontractor: 'no', exited: 'no', former: 'no' },
  parties: { owner: 'yes', leader: 'yes', supervisor: 'no', subcontractor: 'no', exited: 'no', former: 'no' },
  review: { owner: 'yes', leader: 'yes', supervisor: 'yes', subcontractor: 'no', exited: 'no', former: 'no' },
  // 监理 alone judges an answer: neither the contractor that wrote it nor the owner.
  supervision: { owner: 'no', leader: 'no', supervisor: 'yes', subcontractor: 'no', exited: 'no', former: 'no' },
  people: { owner: 'yes', leader: 'yes', supervisor: 'own', subcontractor: 'own', exited: 'no', former: 'no' },
  machines: { owner: 'yes', leader: 'yes', supervisor: 'own', subcontractor: 'own', exited: 'no', former: 'no' },
  // The owner starts, stops and ends the project; the contractor does not.
  state: { owner: 'yes', leader: 'no', supervisor: 'no', subcontractor: 'no', exited: 'no', former: 'no' },
  // Only the supervising authority decides this, no company.
  body: { owner: 'no', leader: 'no', supervisor: 'no', subcontractor: 'no', exited: 'no', former: 'no' },
}
