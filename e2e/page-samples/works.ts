import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/jgt/bigproject/details': firstIfAny('/api/v1/oa/process/bigproject?projectCode=*&size=1'),
}

export const needNoSample = {
  '/jgt/bigproject/edit': 'without a record it is the form for a new work',
}
