import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/safetyP/log/details': first('/api/v1/oa/process/safetyPLog?projectCode=*&size=1'),
  '/safetyP/construction/details': first('/api/v1/oa/process/construction?projectCode=*&size=1'),
  '/safety/log/details': first('/api/v1/oa/process/safetyPLog?projectCode=*&size=1', 'id', 'site'),
}

export const needNoSample = {
  '/safety/log/create': 'without a record it is the form for a new log',
  '/safetyP/log/create': 'without a record it is the form for a new log',
  '/safetyP/construction/create': 'without a record it is the form for a new log',
}
