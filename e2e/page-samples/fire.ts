import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/fireProtection/assessmentDetail': firstIfAny('/api/v1/oa/process/fireAssess?projectCode=*&size=1&state=4,6,7'),
}
