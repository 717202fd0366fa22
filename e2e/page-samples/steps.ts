import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/safetyP/qualityP/details': first('/api/v1/oa/process/qualityP?projectCode=*&size=1'),
}

export const needNoSample = {
  '/safetyP/qualityP/create': 'without a record it is the form for a new acceptance',
}
