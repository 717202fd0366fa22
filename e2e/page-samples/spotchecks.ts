import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/qualitySpotCheckDetails': first('/api/v1/spotcheck?projectCode=*&size=1'),
}

export const needNoSample = {
  '/qualitySpotCheckEdit': 'without a record it is the field page of a new spot check',
}
