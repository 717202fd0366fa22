import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/dustInspectionDetails': firstIfAny('/api/v1/dust?projectCode=*&size=1&state=1,2,3,4,5,6,7'),
}

export const needNoSample = {
  '/dustInspectionEdit': 'without a record it is the field page of a new check',
}
