import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/jgt/stopapply/details': firstIfAny('/api/v1/oa/process/stopapply?projectCode=*&size=1&state=1,2,3,4,5,6'),
}

export const needNoSample = {
  '/jgt/stopapply/edit': 'without a record it is the form for a new application',
}
