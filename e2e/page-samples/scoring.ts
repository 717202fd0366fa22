import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/safetyInspection/details': first('/api/v1/oa/process/safetyInspection?projectCode=*&size=1&tab=open'),
}

export const needNoSample = {
  '/safetyInspection/edit': 'without a record it begins a new inspection',
}
