import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, paged, pageQuery, pointsTo, ref, text } from '../kit/fields.ts'
import { dict } from '../settings/dict-field.ts'

/**
 * Exits that the system proposes and users decide (attendance.md A68): no gate record for a number of days, not counting stop-work days.
 */
export const proposedExit = z.object({
  id: z.string(),
  workerId: z.string(),
  name: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamName: z.string().nullable(),
  workTypeName: z.string().nullable(),
  lastPass: z.string().nullable(),
  entryTime: z.string(),
  /** Calendar days since the last record, without stop-work days. */
  days: z.number().int(),
  /** The limit that the project has set. */
  limit: z.number().int(),
  /** Days until the limit; zero or negative once it is reached. */
  left: z.number().int(),
  /** Set while the site's gates are out of order: no exit is proposed then. */
  onHold: z.boolean(),
})
export type ProposedExit = z.infer<typeof proposedExit>
/** Days before the limit at which a proposal is announced. */
export const announcedDays = 3
/** Maximum number of days for which a proposal can be rejected; it is then proposed again. */
export const longestKeepDays = 60
/** Dictionary exitReason: 长期未考勤自动退场. */
export const longAbsence = '7'
/** Exit reason entered by a user; the system's own reason is accepted for its proposals only. */
export const exitReasonGiven = dict('exitReason', '退场原因').refine(
  (code) => code !== longAbsence,
  '“长期未考勤自动退场”只用于系统拟退场，请选其他原因',
)

export const listProposedExits = endpoint({
  method: 'GET',
  path: '/api/v1/oa/projectWorker/exit/proposed',
  summary: '系统拟退场人员',
  needs: ['labour.exit', 'personnel.view'],
  answers: 'list',
  query: pageQuery.extend({ projectCode: pointsTo('project', text(64)).optional() }),
  response: paged(proposedExit).extend({ onHold: z.number().int() }),
})
export const keepOnSite = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectWorker/exit/keep',
  summary: '确认仍在场',
  needs: 'labour.exit',
  acts: 'own',
  body: z.object({
    ids: z.array(ref('projectWorker')).min(1, '请选择人员').max(500, '一次最多 500 人'),
    untilDay: day,
    reason: filled(200, '原因').min(2, '原因至少 2 个字'),
  }),
  response: z.object({ done: z.number().int() }),
})
