import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/jgt/manualsheet/details': firstIfAny('/api/v1/oa/process/manualsheet?projectCode=*&size=1&state=1,2,3'),
}

export const needNoSample = {
  '/jgt/manualsheet/edit': 'without a record it is the form for a new sheet',
}
