import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/jgt/checkplan/details': firstIfAny('/api/v1/oa/process/checkplan?projectCode=*&size=1&state=3,4'),
}

export const needNoSample = {
  '/jgt/checkplan/edit': 'without a record it is the form for a new plan',
}
