import { first, firstIfAny, type Samples, settingsOf } from '../first-record.ts'

const settingsOfCompany = settingsOf('enterprise', 'corpCode')
const company = first('/api/v2/oa/corporation?size=1', 'corpCode')
const team = first('/api/v1/oa/team?size=1')

export const samples: Samples = {
  '/companySystem/info': company,
  '/companySystem/info/basic': company,
  '/companySystem/info/extra': company,
  '/unitListEditExtend': first('/api/v2/oa/corporation/part/list?size=1'),
  '/unitListEditDetails': first('/api/v2/oa/corporation/part/list?size=1'),
  '/teamListEdit': first('/api/v1/oa/projectTeam?size=1'),
  '/teamListEditDetails': first('/api/v1/oa/projectTeam?size=1'),
  '/unitListEdit': first('/api/v2/oa/corporation/part/list?size=1'),
  '/personalServer/intenterprise/details': first('/api/v1/integrated_enterprise/enterprises?size=1', 'corpCode', 'id'),
  '/personalServer/intenterprise/person': firstIfAny('/api/v1/integrated_enterprise/operators?size=1'),
  '/LaborBlackDetail': firstIfAny('/api/v1/oa/process/laborBlack?projectCode=*&size=1'),
  '/laborBlackEdit': async () => '',
  '/teamSystem/info': team,
  '/teamSystem/info/basic': team,
  '/teamEdit': team,
  '/system/enterprise/message': settingsOfCompany,
}
