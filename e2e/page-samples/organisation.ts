import { type Samples, settingsOf } from '../first-record.ts'

const settingsOfProject = settingsOf('project', 'projectCode')
const settingsOfCompany = settingsOf('enterprise', 'corpCode')
const settingsOfBody = settingsOf('government', 'govCode')

export const samples: Samples = {
  '/system/project/information': settingsOfProject,
  '/system/project/electronicFence': settingsOfProject,
  '/system/project/places': settingsOfProject,
  '/system/enterprise/aptitude': settingsOfCompany,
  '/system/enterprise/history': settingsOfCompany,
  '/system/enterprise/projectList': settingsOfCompany,
  '/system/govemment/information': settingsOfBody,
  '/system/govemment/projectList': settingsOfBody,
}
