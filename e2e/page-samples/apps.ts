import { type Samples, settingsOf } from '../first-record.ts'

const settingsOfProject = settingsOf('project', 'projectCode')
const settingsOfCompany = settingsOf('enterprise', 'corpCode')
const settingsOfBody = settingsOf('government', 'govCode')

export const samples: Samples = {
  '/system/project/application': settingsOfProject,
  '/system/project/appPowerRange': settingsOfProject,
  '/system/enterprise/appPowerRange': settingsOfCompany,
  '/system/govemment/appPowerRange': settingsOfBody,
}
