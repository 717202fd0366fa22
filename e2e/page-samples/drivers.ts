import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/safety/driver/details': first('/api/v1/driver?size=1'),
}

export const needNoSample = {
  '/safety/driver/create': 'without a record it is the form for a new driver',
}
