import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/CheckingDetail': first('/api/v1/oa/worker?view=project&size=1', 'workerId'),
}
