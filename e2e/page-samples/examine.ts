import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/safetyP/examine/details': first('/api/v1/oa/process/examine?projectCode=*&size=1'),
}

export const needNoSample = {
  '/safetyP/examine/create': 'without a record it begins a new check',
}
