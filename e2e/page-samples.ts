import type { Api } from './browser.ts'

/**
 * What stands behind the path of a page that shows one record: the query (or, for a path with `:id`, the part itself), found by a
 * call of the account that opens the page, so that it is a record that account may see.
 */
type Sample = (api: Api) => Promise<string | undefined>

interface Listed {
  list: Record<string, unknown>[]
}

/** `?id=` of the first row a list answers. */
const first =
  (path: string, field = 'id', as = field): Sample =>
  async (api) => {
    const { list } = await api.get<Listed>(path)
    const value = list[0]?.[field]
    return typeof value === 'string' ? `?${as}=${encodeURIComponent(value)}` : undefined
  }

/** Of accounts that need not have a record of their own: the page then says where one is found. */
const firstIfAny =
  (path: string): Sample =>
  async (api) =>
    (await first(path)(api)) ?? ''

interface Head {
  head: { code: string } | null
  recent: { code: string }[]
}

/** What the settings of a project, company or body are opened for: the account's own, else one of those it may choose from. */
const settingsOf =
  (kind: 'project' | 'enterprise' | 'government', as: string): Sample =>
  async (api) => {
    const { head, recent } = await api.get<Head>(`/api/v1/oa/settings/head?kind=${kind}`)
    if (head) return ''
    // Not the newest: other tests may be making it at this moment, with facts still missing.
    const settled = recent.at(-1)
    return settled && `?${as}=${encodeURIComponent(settled.code)}`
  }
const settingsOfProject = settingsOf('project', 'projectCode')
const settingsOfCompany = settingsOf('enterprise', 'corpCode')
const settingsOfBody = settingsOf('government', 'govCode')

const person = first('/api/v1/oa/worker?view=file&size=1')
const company = first('/api/v2/oa/corporation?size=1', 'corpCode')
const team = first('/api/v1/oa/team?size=1')
const station = first('/api/v1/iot/gateway?connType=6&size=1')
const gateway = first('/api/v1/iot/gateway?size=1')
const maker = first('/api/v1/iot/factory?size=1')
const brand = first('/api/v1/iot/brand?size=1')
const model = first('/api/v1/iot/model?size=1')
const docking = first('/api/v1/iot/gateway3rd?size=1')

/** Pages that are called like those of one record and show none. */
export const needNoSample: Readonly<Record<string, string>> = {}

/** Whether a page cannot be opened sensibly without a record. */
export const showsOneRecord = (path: string): boolean => path.includes(':') || /detail|edit|\/info\b/i.test(path)

export const samples: Readonly<Record<string, Sample>> = {
  '/AI/detail': firstIfAny('/api/v1/oa/process/aiEvent?size=1&projectCode=*'),
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
  '/personListDetails': first('/api/v1/oa/worker?view=project&size=1'),
  '/CheckingDetail': first('/api/v1/oa/worker?view=project&size=1', 'workerId'),
  '/tempAlarmRecord/detail': firstIfAny('/api/v1/temperature/alarm/record?size=1'),
  '/companySystem/info': company,
  '/companySystem/info/basic': company,
  '/companySystem/info/extra': company,
  '/unitListEditExtend': first('/api/v2/oa/corporation/part/list?size=1'),
  '/unitListEditDetails': first('/api/v2/oa/corporation/part/list?size=1'),
  '/teamListEdit': first('/api/v1/oa/projectTeam?size=1'),
  '/teamListEditDetails': first('/api/v1/oa/projectTeam?size=1'),
  '/unitListEdit': first('/api/v2/oa/corporation/part/list?size=1'),
  '/personalServer/intenterprise/details': first('/api/v1/integrated_enterprise/enterprises?size=1', 'corpCode', 'id'),
  // Nobody need have asked: the page says from where it is opened.
  '/person/idRenewal': async () => '',
  '/personalServer/intenterprise/person': firstIfAny('/api/v1/integrated_enterprise/operators?size=1'),
  '/workbench/approvalDetail': firstIfAny('/api/v1/oa/todo/message/list?box=todo&size=1'),
  '/LaborBlackDetail': firstIfAny('/api/v1/oa/process/laborBlack?projectCode=*&size=1'),
  '/laborBlackEdit': async () => '',
  '/teamSystem/info': team,
  '/teamSystem/info/basic': team,
  '/teamEdit': team,
  '/vehicleAccessRecord/details': firstIfAny('/api/v1/iot/truckAccess/record?size=1'),
  '/loadometer/detail': firstIfAny('/api/v1/iot/truckScale/record?size=1'),
  '/loadometer/edit': firstIfAny('/api/v1/iot/truckScale/record?size=1'),
  '/administrationDetails': first('/api/v1/iot/device?size=1'),
  '/gateway/edit': gateway,
  '/gateway/details': gateway,
  '/equipmentDetail/:id': async (api) => (await station(api))?.slice('?id='.length),
  '/gatewayEnv/details': station,
  '/gatewayEnv/details/information': station,
  '/gatewayEnv/details/modelMatch': station,
  '/gatewayEnv/details/projectMatch': station,
  '/manufactor1.1.0/details': maker,
  '/manufactor1.1.0/edit': maker,
  '/brand/details': brand,
  '/brand/edit': brand,
  '/rolePermissionEdit': first('/api/v1/oa/role/?size=1', 'id', 'roleId'),
  '/model/details': model,
  '/model/edit': model,
  '/gatewayOther/details': docking,
  '/system/project': settingsOfProject,
  '/system/project/information': settingsOfProject,
  '/system/project/material': settingsOfProject,
  '/system/project/dashboard': settingsOfProject,
  '/system/project/application': settingsOfProject,
  '/system/project/appPowerRange': settingsOfProject,
  '/system/project/electronicFence': settingsOfProject,
  '/system/enterprise': settingsOfCompany,
  '/system/enterprise/message': settingsOfCompany,
  '/system/enterprise/material': settingsOfCompany,
  '/system/enterprise/aptitude': settingsOfCompany,
  '/system/enterprise/history': settingsOfCompany,
  '/system/enterprise/projectList': settingsOfCompany,
  '/system/enterprise/appPowerRange': settingsOfCompany,
  '/system/govemment': settingsOfBody,
  '/system/govemment/information': settingsOfBody,
  '/system/govemment/projectList': settingsOfBody,
  '/system/govemment/appPowerRange': settingsOfBody,
  '/gatewayOther/edit': docking,
  '/projectNavigationDetails': first('/api/v1/oa/process/projectOnboarding?projectCode=*&size=1', 'projectCode'),
}
