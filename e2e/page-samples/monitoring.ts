import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/AI/detail': firstIfAny('/api/v1/oa/process/aiEvent?size=1&projectCode=*'),
  '/vehicleAccessRecord/details': firstIfAny('/api/v1/iot/truckAccess/record?size=1'),
  '/loadometer/detail': firstIfAny('/api/v1/iot/truckScale/record?size=1'),
  '/loadometer/edit': firstIfAny('/api/v1/iot/truckScale/record?size=1'),
}
