import { type Samples, settingsOf } from '../first-record.ts'

const settingsOfProject = settingsOf('project', 'projectCode')
const settingsOfCompany = settingsOf('enterprise', 'corpCode')
const settingsOfBody = settingsOf('government', 'govCode')

export const samples: Samples = {
  // There may be no request; the page then says where to open it.
  '/person/idRenewal': async () => '',
  '/system/project': settingsOfProject,
  '/system/project/material': settingsOfProject,
  '/system/project/dashboard': settingsOfProject,
  '/system/enterprise': settingsOfCompany,
  '/system/enterprise/material': settingsOfCompany,
  '/system/govemment': settingsOfBody,
}
