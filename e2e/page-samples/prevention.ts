import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/tempAlarmRecord/detail': firstIfAny('/api/v1/temperature/alarm/record?size=1'),
}
