import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/material/details': first('/api/v1/oa/process/material?projectCode=*&size=1'),
}
