import { firstIfAny, type Samples } from '../first-record.ts'

const notices = '/api/v2/oa/se/rectify/list?projectCode=*&size=1&sourceKind=deviceInspect'

export const samples: Samples = {
  '/deviceInspect/details': firstIfAny('/api/v1/special/inspection?projectCode=*&size=1&tab=open'),
  '/deviceInspect/rectReply': firstIfAny(notices),
  '/deviceRect/details': firstIfAny(notices),
  '/deviceMaintenance/details': firstIfAny('/api/v1/special/maintenance?projectCode=*&size=1'),
}
