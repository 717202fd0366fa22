import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/civiConsInspection/details': first('/api/v1/oa/process/civiConsInspection?projectCode=*&size=1'),
  '/civiConsInspection/check-item-detail': first('/api/v1/oa/process/checkItem?projectCode=*&library=civil&size=1&sort=itemCode'),
}

export const needNoSample = {
  '/civiConsInspection/edit': 'without a record it begins a new walk',
}
