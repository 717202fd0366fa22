import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, ofProject, paged, pageQuery, ref } from '../kit/fields.ts'
import { passage } from './vehicles.ts'

/** So long a vehicle stays at most that people join its way in with its way out, days; by the plate alone a day. */
export const longestStayDays = 7
const correct = 'vehicle-access.correct'
const path = '/api/v1/iot/truckAccess/pair'
const one = z.object({ id: ref('deviceRecord') })

/** What the other half of a passage may be: of the other direction, joined to nothing, within the longest stay. Plates that look alike first. */
export const listPairable = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckAccess/pairable/:id',
  summary: '可配对的进出场记录',
  needs: correct,
  answers: 'list',
  params: one,
  query: pageQuery.extend(ofProject.shape),
  response: paged(passage),
})
/** A way in and a way out that belong together though their plates were read otherwise. */
export const joinPassages = endpoint({
  method: 'POST',
  path,
  summary: '人工配对进出场',
  needs: correct,
  query: ofProject,
  body: z.object({ entryId: ref('deviceRecord'), exitId: ref('deviceRecord'), reason: filled(200, '配对原因') }),
  response: passage,
})
/** The pair that a passage is in holds no longer, whoever made it: a person, or the plate read of two vehicles. */
export const partPassages = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '解除进出场配对',
  needs: correct,
  params: one,
  query: ofProject.extend({ reason: filled(200, '解除原因') }),
  response: passage,
})
