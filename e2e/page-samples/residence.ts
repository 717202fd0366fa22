import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/residence/details': first('/api/v1/oa/process/residence?projectCode=*&size=1'),
}

export const needNoSample = {
  '/residence/create': 'without a record it is the form for new rooms',
}
