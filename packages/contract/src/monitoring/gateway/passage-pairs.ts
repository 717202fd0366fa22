import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, ofProject, paged, pageQuery, ref } from '../../kit/fields.ts'
import { passage } from '../gateway/passages.ts'

/** Longest stay for which people may pair an entry with an exit, days; pairing by plate alone is limited to one day. */
export const longestStayDays = 7
const correct = 'vehicle-access.correct'
const path = '/api/v1/iot/truckAccess/pair'
const one = z.object({ id: ref('deviceRecord') })

/** Candidates for the other half of a passage: opposite direction, unpaired, within the longest stay. Similar plates first. */
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
/** Pairs an entry and an exit of the same vehicle whose plates were read differently. */
export const joinPassages = endpoint({
  method: 'POST',
  path,
  summary: '人工配对进出场',
  needs: correct,
  query: ofProject,
  body: z.object({ entryId: ref('deviceRecord'), exitId: ref('deviceRecord'), reason: filled(200, '配对原因') }),
  response: passage,
})
/** Dissolves a passage's pair, whether made by a person or by a plate read on two vehicles. */
export const partPassages = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '解除进出场配对',
  needs: correct,
  params: one,
  query: ofProject.extend({ reason: filled(200, '解除原因') }),
  response: passage,
})
