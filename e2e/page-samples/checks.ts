import { first, type Samples } from '../first-record.ts'

const all = '?projectCode=*&size=1'

export const samples: Samples = {
  '/securityCheck/securityCheckdetail': first(`/api/v1/oa/process/securityCheck${all}`),
  '/safetyMeasuresdetail': first(`/api/v1/oa/process/safetyMeasures${all}`),
}

export const needNoSample = {
  '/securityCheck/addsecurityCheck': 'without a record it is the field page of a new check',
  '/addsafetyMeasures': 'without a record it is the form for a new measure',
}
