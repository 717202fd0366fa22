import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/jgt/spdevice/details': firstIfAny('/api/v1/oa/process/spdevice?projectCode=*&size=1'),
}

export const needNoSample = {
  '/jgt/spdevice/edit': 'without a record it is the form for a new machine',
}
