import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/infoNotice': firstIfAny('/api/v1/oa/process/notice?projectCode=*&size=1'),
}
