import { first, type Samples } from '../first-record.ts'

const all = '?projectCode=*&size=1'

export const samples: Samples = {
  '/qualityInspectiondetail': first(`/api/v1/oa/process/qualityInspection${all}`),
  '/qualityImprovementdetail': first(`/api/v1/oa/process/qualityImprovement${all}`),
}

export const needNoSample = {
  '/addqualityInspection': 'without a record it is the field page of a new check',
  '/addqualityImprovement': 'without a record it is the form for a new improvement',
}
