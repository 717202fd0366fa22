import { first, firstIfAny, type Samples } from '../first-record.ts'

const person = first('/api/v1/oa/worker?view=file&size=1')

export const samples: Samples = {
  '/personImportEdit': firstIfAny('/api/v1/oa/workerImport?size=1'),
  '/personnelSystem/info': person,
  '/personnelSystem/info/basic': person,
  '/personnelSystem/info/resume': person,
  '/personnelSystem/info/bad': person,
  '/personnelSystem/info/contract': person,
  '/personnelSystem/info/certificate': person,
  '/personnelSystem/info/virusProtect': person,
  '/personListEdit': first('/api/v1/oa/worker?view=project&size=1', 'workerId', 'id'),
  '/PersonDetails': person,
  '/person/train/details': person,
  '/safetyP/train/details': first('/api/v1/oa/process/train?projectCode=*&size=1'),
  '/personListDetails': first('/api/v1/oa/worker?view=project&size=1'),
}
