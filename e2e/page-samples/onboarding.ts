import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/projectNavigationDetails': first('/api/v1/oa/process/projectOnboarding?projectCode=*&size=1', 'projectCode'),
}
