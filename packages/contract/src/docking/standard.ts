/**
 * The objects of the national labour data standard (全国建筑工人管理服务信息平台数据标准) in the order in which they are sent, with the fields of each. Names
 * are those of the standard; additional fields of a platform above are mapped by hand. Not yet compared with a printed copy of the
 * standard: the delivered profile says so.
 */
export interface StandardField {
  /** Field name in the standard. */
  upper: string
  label: string
  /** Field name in this product: one of the values that the server collects for the object (`docking/sources.ts`). */
  source: string
  required?: true
  /** This product's dictionary, by which the code is translated. */
  dict?: string
  /** Personal data: masked wherever it is displayed. */
  personal?: true
}
export interface StandardObject {
  name: string
  /** Name of the object in the standard. */
  upper: string
  /** Short name, used in the messages of objects that wait for this one. */
  short: string
  fields: readonly StandardField[]
  /** Standard fields that identify a record at the platform above: a deletion sends only these. */
  keys: readonly string[]
  /** Values that can be mapped in addition to the fields of the standard. */
  more?: readonly Omit<StandardField, 'upper' | 'required'>[]
}

const f = (upper: string, label: string, source: string, more: Omit<StandardField, 'upper' | 'label' | 'source'> = {}): StandardField => ({
  upper,
  label,
  source,
  ...more,
})
const must = { required: true } as const
const secret = { required: true, personal: true } as const
const person = [
  f('idCardType', '证件类型', 'idCardType', { ...must, dict: 'idCardType' }),
  f('idCardNumber', '证件号码', 'idCardNumber', secret),
]
const site = f('projectCode', '项目编码', 'projectCode', must)
const corp = f('corpCode', '统一社会信用代码', 'corpCode', must)

export const standardObjects = {
  corporation: {
    name: '企业信息',
    upper: 'CorpBasicInfo',
    short: '企业',
    keys: ['corpCode'],
    fields: [
      corp,
      f('corpName', '企业名称', 'corpName', must),
      f('corpType', '企业登记注册类型', 'corpType', { ...must, dict: 'corpType' }),
      f('areaCode', '注册地区划', 'areaCode', must),
      f('address', '注册地址', 'address', must),
      f('legalMan', '法定代表人', 'legalMan', must),
      f('regCapital', '注册资本（万元）', 'regCapital'),
      f('establishDate', '成立日期', 'establishDate'),
      f('linkMan', '联系人', 'linkMan'),
    ],
  },
  project: {
    name: '项目信息',
    upper: 'ProjectMaster',
    short: '项目',
    keys: ['projectCode'],
    more: [
      { label: '项目简称', source: 'shortName' },
      { label: '联系人', source: 'linkMan' },
    ],
    fields: [
      site,
      f('name', '项目名称', 'name', must),
      f('contractorCorpCode', '总包单位', 'contractorCorpCode', must),
      f('category', '项目分类', 'category', { ...must, dict: 'projectCategory' }),
      f('areaCode', '所在区划', 'areaCode', must),
      f('invest', '总投资（万元）', 'invest'),
      f('buildingArea', '建筑面积', 'buildingArea'),
      f('startDate', '开工日期', 'startDate', must),
      f('completeDate', '竣工日期', 'completeDate'),
      f('prjStatus', '项目状态', 'prjStatus', { ...must, dict: 'projectState' }),
      f('address', '项目地址', 'address'),
      f('lng', '经度', 'lng'),
      f('lat', '纬度', 'lat'),
    ],
  },
  projectCorp: {
    name: '参建单位',
    upper: 'ProjectSubContractor',
    short: '参建单位',
    keys: ['projectCode', 'corpCode', 'corpType'],
    more: [
      { label: '分包合同编号', source: 'contractNo' },
      { label: '是否在场', source: 'stationed' },
    ],
    fields: [
      site,
      corp,
      f('corpName', '企业名称', 'corpName', must),
      f('corpType', '参建类型', 'corpType', { ...must, dict: 'projectCorpType' }),
      f('entryTime', '进场时间', 'entryTime'),
      f('exitTime', '退场时间', 'exitTime'),
      f('pmName', '负责人', 'pmName'),
    ],
  },
  team: {
    name: '班组',
    upper: 'TeamMaster',
    short: '班组',
    keys: ['projectCode', 'corpCode', 'teamSysNo'],
    more: [
      { label: '班组工种', source: 'workType', dict: 'workerType' },
      { label: '班组长', source: 'teamLeaderName', personal: true },
    ],
    fields: [
      site,
      corp,
      f('teamSysNo', '班组编号', 'teamSysNo', must),
      f('teamName', '班组名称', 'teamName', must),
      f('responsiblePersonName', '责任人', 'responsiblePersonName', must),
      f('entryTime', '进场日期', 'entryTime', must),
      f('exitTime', '退场日期', 'exitTime'),
    ],
  },
  workerBase: {
    name: '工人档案',
    upper: 'WorkerMaster',
    short: '工人档案',
    keys: ['idCardType', 'idCardNumber'],
    more: [
      { label: '学历', source: 'degree' },
      { label: '婚姻状况', source: 'maritalStatus', personal: true },
    ],
    fields: [
      f('workerName', '姓名', 'name', secret),
      ...person,
      f('gender', '性别', 'gender', { ...must, dict: 'gender' }),
      f('nation', '民族', 'nation', { ...must, dict: 'nation' }),
      f('birthday', '出生日期', 'birthday', secret),
      f('birthPlaceCode', '籍贯', 'birthPlaceCode'),
      f('address', '住址', 'address', secret),
      f('grantOrg', '发证机关', 'grantOrg', must),
      f('startDate', '证件有效期起', 'startDate'),
      f('expiryDate', '证件有效期止', 'expiryDate', must),
      f('cellPhone', '手机号码', 'cellPhone', { personal: true }),
      f('politicsType', '政治面貌', 'politics', { dict: 'politics' }),
      f('cultureLevelType', '文化程度', 'cultureLevel', { dict: 'education' }),
      f('urgentLinkMan', '紧急联系人', 'urgentLinkMan', { personal: true }),
    ],
  },
  workerCert: {
    name: '人员证书',
    upper: 'WorkerQualification',
    short: '人员证书',
    keys: ['idCardType', 'idCardNumber', 'certType', 'certNo'],
    more: [{ label: '等级', source: 'level' }],
    fields: [
      ...person,
      f('certType', '证书类型', 'certType', { ...must, dict: 'certType' }),
      f('certName', '证书名称', 'name', must),
      f('certNo', '证书编号', 'certNo', secret),
      f('issueDate', '发证日期', 'issueDate', must),
      f('validEnd', '有效期止', 'validEnd'),
      f('grantOrg', '发证机关', 'grantOrg', must),
      f('status', '证书状态', 'status', { dict: 'certStatus' }),
    ],
  },
  projectWorker: {
    name: '项目人员',
    upper: 'ProjectWorker',
    short: '项目人员',
    keys: ['projectCode', 'corpCode', 'teamSysNo', 'idCardType', 'idCardNumber'],
    more: [
      { label: '岗位', source: 'post', dict: 'managerPost' },
      { label: '进场时间', source: 'entryTime' },
      { label: '退场时间', source: 'exitTime' },
    ],
    fields: [
      site,
      corp,
      f('teamSysNo', '班组编号', 'teamSysNo', must),
      f('workerName', '姓名', 'workerName', secret),
      ...person,
      f('isTeamLeader', '是否班组长', 'isTeamLeader'),
      f('workRole', '人员类别', 'workRole', { ...must, dict: 'workRole' }),
      f('workType', '工种', 'workType', { ...must, dict: 'workerType' }),
      f('cellPhone', '手机号码', 'cellPhone', { personal: true }),
      f('hasContract', '是否签订合同', 'hasContract'),
      f('hasBuyInsurance', '是否购买保险', 'hasBuyInsurance'),
    ],
  },
  entryExitHistory: {
    name: '进退场记录',
    upper: 'EntryExitHistory',
    short: '进退场',
    keys: ['projectCode', 'corpCode', 'idCardType', 'idCardNumber', 'type', 'date'],
    fields: [site, corp, ...person, f('type', '进退场类型', 'type', { ...must, dict: 'entryExitType' }), f('date', '日期', 'date', must)],
  },
  workerContract: {
    name: '劳动合同',
    upper: 'WorkerContractRule',
    short: '劳动合同',
    keys: ['projectCode', 'corpCode', 'idCardType', 'idCardNumber', 'contractCode'],
    more: [
      { label: '签订日期', source: 'signDate' },
      { label: '终止原因', source: 'terminateReason' },
    ],
    fields: [
      site,
      corp,
      ...person,
      f('contractCode', '合同编号', 'contractCode', must),
      f('contractPeriodType', '合同期限类型', 'contractPeriodType', { ...must, dict: 'contractType' }),
      f('startDate', '开始日期', 'startDate', must),
      f('endDate', '结束日期', 'endDate'),
      f('paymentType', '计酬方式', 'paymentType', { dict: 'paymentType' }),
    ],
  },
  training: {
    name: '培训记录',
    upper: 'ProjectTraining',
    short: '培训',
    keys: ['projectCode', 'idCardType', 'idCardNumber', 'trainingType', 'trainingDate'],
    fields: [
      site,
      ...person,
      f('trainingType', '培训类型', 'trainingType', { ...must, dict: 'trainingType' }),
      f('trainingDate', '培训日期', 'trainDate', must),
      f('trainingDuration', '学时', 'hours', must),
      f('trainer', '培训人', 'trainer'),
      f('isPass', '是否合格', 'passed'),
    ],
  },
  attendanceRecord: {
    name: '考勤记录',
    upper: 'WorkerAttendance',
    short: '考勤',
    keys: ['projectCode', 'idCardType', 'idCardNumber', 'date', 'direction'],
    more: [
      { label: '统一社会信用代码', source: 'corpCode' },
      { label: '设备编号', source: 'terminalCode' },
    ],
    fields: [
      site,
      f('teamSysNo', '班组编号', 'teamSysNo', must),
      ...person,
      f('date', '刷卡时间', 'time', must),
      f('direction', '进出方向', 'direction', { ...must, dict: 'attendanceDirection' }),
      f('attendType', '通行方式', 'attendType', { ...must, dict: 'attendanceType' }),
      f('channel', '通道', 'channel'),
      f('lng', '经度', 'lng'),
      f('lat', '纬度', 'lat'),
    ],
  },
  workerBad: {
    name: '良好与不良记录',
    upper: 'WorkerBadRecord',
    short: '不良记录',
    keys: ['projectCode', 'idCardType', 'idCardNumber', 'badRecordTypeCode', 'occurrenceDate'],
    fields: [
      site,
      corp,
      ...person,
      f('badRecordTypeCode', '行为类别', 'badRecordType', must),
      f('badRecordLevelType', '严重程度', 'badRecordLevel', { ...must, dict: 'actionLevel' }),
      f('occurrenceDate', '发生日期', 'occurrenceDate', must),
      f('details', '事由', 'reason', must),
    ],
  },
  laborBlack: {
    name: '黑名单',
    upper: 'WorkerBlackList',
    short: '黑名单',
    keys: ['idCardType', 'idCardNumber', 'startDate'],
    fields: [
      f('workerName', '姓名', 'name', secret),
      ...person,
      f('blackReason', '原因', 'reasonType', { ...must, dict: 'blacklistReason' }),
      f('occurrenceDate', '发生日期', 'occurrenceDate', must),
      f('startDate', '列入日期', 'startDate', must),
      f('endDate', '届满日期', 'endDate', must),
    ],
  },
} as const satisfies Record<string, StandardObject>

export type ObjectType = keyof typeof standardObjects
export const objectTypes = Object.keys(standardObjects) as [ObjectType, ...ObjectType[]]
export const objectOf = (type: ObjectType): StandardObject => standardObjects[type]
/** Sources of the fields that every mapping of the object must contain. */
export const demandedOf = (type: ObjectType): ReadonlySet<string> =>
  new Set(objectOf(type).fields.flatMap((field) => (field.required ? [field.source] : [])))
/** All values of an object that can be mapped, without duplicates. */
export const sourcesOf = (type: ObjectType): Omit<StandardField, 'upper' | 'required'>[] => [
  ...new Map(
    [...objectOf(type).fields, ...(objectOf(type).more ?? [])].map(({ source, label, dict, personal }) => [
      source,
      { source, label, dict, personal },
    ]),
  ).values(),
]
export const isObjectType = (type: string): type is ObjectType => Object.hasOwn(standardObjects, type)
/** Position in the sending order, from 1. */
export const rankOf = (type: ObjectType): number => objectTypes.indexOf(type) + 1
export const objectByUpper = new Map<string, ObjectType>(objectTypes.map((type) => [standardObjects[type].upper, type]))

/** Objects of the standard that this product has no data for; shown, so that users do not assume that they are sent. */
export const notEnabled: readonly { upper: string; name: string; why: string }[] = [
  { upper: 'CorpCertification', name: '企业资质', why: '企业资质由主管部门系统维护，本平台没有可信数据' },
  { upper: 'PayRoll', name: '工资单', why: '本平台暂无工资发放数据' },
  { upper: 'PayRollDetail', name: '工资明细', why: '本平台暂无工资发放数据' },
  { upper: 'ProjectBankAccount', name: '工资专户', why: '本平台暂无专户流水' },
]

/** A profile: the interface of a type of platform. */
export const profiles = {
  national: { name: '全国建筑工人管理服务信息平台数据标准' },
  zhugong: { name: '筑工上级平台' },
} as const
export type Profile = keyof typeof profiles

/**
 * Codes with which our dictionaries extend the standard, and the code to send instead. In addition to `platformCode` and to the parent of a
 * sub-trade.
 */
export const fixedCodes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  projectState: { '007': '004' },
  certType: { '7': '1' },
}
