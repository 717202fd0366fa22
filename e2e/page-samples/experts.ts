import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/person/expert/form': first('/api/v1/oa/process/expert?projectCode=*&size=1'),
  '/person/expert/evaluateDetail': first('/api/v1/oa/process/expert?projectCode=*&size=1'),
}
