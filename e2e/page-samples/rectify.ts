import { first, type Samples } from '../first-record.ts'

const list = '/api/v2/oa/se/rectify/list?projectCode=*&size=1'
const notice = first(`${list}&origin=gov`)

export const samples: Samples = {
  '/jgt/project/project_detail': notice,
  '/jgt/project/huifu': first(`${list}&view=reply`),
  '/jgt/project/hf': first(`${list}&origin=gov&state=2,3,6`),
  '/jgt/project/shenhe': first(`${list}&view=reply&tab=recheck`),
  '/safetySupervisionRectification/details': notice,
  '/safetyP/abarbeitung/details': first(`${list}&origin=site`),
}

export const needNoSample = {
  '/safetySupervisionRectification/edit': 'without a record it is the form for a new notice',
}
