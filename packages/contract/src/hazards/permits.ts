import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ofProject, pointsTo, ref, text } from '../kit/fields.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { codesOfSeats, type SeatRight, signatureCall, signatureRow } from '../kit/signatures.ts'
import { pin, planPicture } from '../places/pins.ts'
import { permitFields, permitMoves } from './permit-moves.ts'
import { permitRow } from './permit-rows.ts'

const path = '/api/v1/oa/process/dangerous/permits'
const view = 'safety-management.view'
const id = z.object({ id: ref('workPermit') })

/** Somebody on a permit, with what counts at this minute. */
const permitPerson = z.object({
  workerId: z.string(),
  role: z.enum(['worker', 'driver', 'guardian']),
  roleName: z.string(),
  name: z.string(),
  teamName: z.string().nullable(),
  inside: z.boolean(),
  /** Licences with their last days, in words. */
  licences: z.array(z.string()),
  /** Why he may not do this work; null: he may. */
  unfit: z.string().nullable(),
  /** When a guardian handed over. */
  until: z.string().nullable(),
})

export const permitDetail = permitRow.extend({
  pin: pin.nullable(),
  plans: z.array(planPicture),
  approver: z.enum(['gang', 'safety', 'manager']),
  approverName: z.string(),
  authorGroupName: z.string(),
  hazard: z.object({ id: z.string(), name: z.string(), riskLevel: z.string() }).nullable(),
  device: z.object({ id: z.string(), name: z.string() }).nullable(),
  people: z.array(permitPerson),
  measures: z.array(
    z.object({ seq: z.number().int(), text: z.string(), photo: z.boolean(), done: z.boolean(), photos: z.array(z.string()) }),
  ),
  /** The newest first. */
  gas: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      spot: z.string(),
      tester: z.string(),
      oxygen: z.number(),
      combustible: z.number(),
      carbonMonoxide: z.number(),
      hydrogenSulfide: z.number(),
      faults: z.array(z.string()),
    }),
  ),
  /** What the next step asks, and whether it holds at this minute; empty when there is no such step. */
  checks: z.array(z.object({ key: z.string(), label: z.string(), ok: z.boolean(), text: z.string() })),
  weather: z.array(z.string()),
  approvedBy: z.string().nullable(),
  approvedAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  startPhotos: z.array(z.string()),
  endedAt: z.string().nullable(),
  finishPhotos: z.array(z.string()),
  closedAt: z.string().nullable(),
  closeNote: z.string().nullable(),
  closePhotos: z.array(z.string()),
  /** From when the look for embers may be recorded. */
  embersFrom: z.string().nullable(),
  extendTo: z.string().nullable(),
  extendReason: z.string().nullable(),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  actions: z.array(allowedAction),
})
export type PermitDetail = z.output<typeof permitDetail>

/** Who on the site may do a kind of work at this minute; the others stand in the list with the reason. */
export const permitPeople = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/dangerous/people',
  summary: '作业票可选人员',
  needs: permitMoves.submit.needs,
  answers: 'object',
  // The site writes; others read.
  groupTypes: [2, 3],
  query: ofProject.extend({ type: text(4), corpCode: pointsTo('corporation', text(50)).optional(), name: text(50).optional() }),
  response: z.object({
    people: z.array(
      z.object({
        workerId: z.string(),
        name: z.string(),
        teamName: z.string().nullable(),
        corpCode: z.string(),
        inside: z.boolean(),
        /** Why he may not work; null: he may. */
        unfit: z.string().nullable(),
        /** Why he may not drive the lifting machine. */
        unfitDriver: z.string().nullable(),
      }),
    ),
  }),
})

export const getPermit = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '作业票详情',
  needs: view,
  params: id,
  query: ofProject,
  response: permitDetail,
})

const made = z.object({ id: z.string(), code: z.string().nullable(), version: z.number().int(), state: z.string() })

/** Creates a draft, or asks for approval at once. The device names the id, so that a repeated request creates nothing more. */
export const createPermit = endpoint({
  method: 'POST',
  path,
  summary: '开作业票',
  needs: permitMoves.submit.needs,
  // The site writes; others read.
  groupTypes: [2, 3],
  query: ofProject,
  body: z.object({
    id: pointsTo('workPermit', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'submit']),
    ...permitFields,
  }),
  response: made,
})

export const changePermit = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理作业票',
  description:
    '按 action 办理：save、submit、approve、reject、gas、start、handover、extend、extendPass、extendRefuse、finish、close；version 为读取时的版本。',
  needs: codesOfMoves(permitMoves),
  acts: 'site',
  actions: rightsOfMoves(permitMoves),
  params: id,
  query: ofProject,
  body: moveBody(permitMoves, {}),
  response: made,
})

export const removePermit = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除作业票草稿',
  needs: permitMoves.save.needs,
  params: id,
  query: ofProject,
})

/** Workers and guardian on the site's device. */
export const permitSeatRight = { needs: 'safety-management.edit', acts: 'site', turn: 'site' } as const satisfies SeatRight

export const signPermit = signatureCall({ path, noun: '作业票', needs: codesOfSeats(permitSeatRight), params: id })

export const permitPrint = z.object({ id: ref('workPermit') })
