import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/safetyP/technical/details': first('/api/v1/oa/process/safetyPTechnical?projectCode=*&size=1'),
  '/safety/technical/details': first('/api/v1/oa/process/technical?projectCode=*&size=1'),
}

export const needNoSample = {
  '/safetyP/technical/create': 'without a record it is the form for a new briefing',
  '/safety/technical/create': 'without a record it is the form for a new briefing',
}
