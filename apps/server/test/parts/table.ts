/** The parts a company can have, or have had, in a project. */
export const parts = ['owner', 'leader', 'supervisor', 'subcontractor', 'exited', 'former'] as const
export type Part = (typeof parts)[number]

/** What a changing call is about. */
export type Concern = 'site' | 'parties' | 'review' | 'people' | 'machines' | 'state' | 'body'

type Answer = 'yes' | 'no' | 'own'
type Line = Record<Part, Answer>

/**
 * Who may change what inside one project, as its users expect it; worked out from the trade, not from the product. `own`: its own
 * company's records and no other's. A company that has left the site may change nothing there, whatever it was.
 */
export const mayChange: Record<Concern, Line> = {
  site: { owner: 'yes', leader: 'yes', supervisor: 'no', subcontractor: 'no', exited: 'no', former: 'no' },
  parties: { owner: 'yes', leader: 'yes', supervisor: 'no', subcontractor: 'no', exited: 'no', former: 'no' },
  review: { owner: 'yes', leader: 'yes', supervisor: 'yes', subcontractor: 'no', exited: 'no', former: 'no' },
  people: { owner: 'yes', leader: 'yes', supervisor: 'own', subcontractor: 'own', exited: 'no', former: 'no' },
  machines: { owner: 'yes', leader: 'yes', supervisor: 'own', subcontractor: 'own', exited: 'no', former: 'no' },
  // The developer starts, stops and ends his project; its contractor does not.
  state: { owner: 'yes', leader: 'no', supervisor: 'no', subcontractor: 'no', exited: 'no', former: 'no' },
  // Decided by the supervising body: no company at all.
  body: { owner: 'no', leader: 'no', supervisor: 'no', subcontractor: 'no', exited: 'no', former: 'no' },
}
