import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/misconductDetails': firstIfAny('/api/v1/badaction?projectCode=*&size=1'),
}

export const needNoSample = {
  '/misconductEdit': 'without a record it is the form for a new one',
}
