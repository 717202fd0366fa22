import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/safetyP/checksP/details': first('/api/v1/oa/process/checksP/campaigns?projectCode=*&size=1'),
}

export const needNoSample = {
  '/safetyP/checksP/create': 'without a record it sets up a new campaign',
}
