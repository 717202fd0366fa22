import { firstIfAny, type Samples } from '../first-record.ts'

const submitted = firstIfAny('/api/v1/oa/process/daycheck?projectCode=*&size=1&state=2,3,4,5')
export const samples: Samples = {
  '/jgt/daycheck/details': submitted,
  '/jgt/daycheck/checkResult': submitted,
  '/jgt/daycheck/momomerCheck': submitted,
}

export const needNoSample = {
  '/jgt/daycheck/edit': 'without a record it is the form for a new check',
}
