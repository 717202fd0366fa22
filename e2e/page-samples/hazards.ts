import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/safety/dangerous/details': first('/api/v1/oa/process/dangerous?projectCode=*&size=1'),
}

export const needNoSample = {
  '/safety/dangerous/create': 'without a record it is the form for a new hazard',
}
