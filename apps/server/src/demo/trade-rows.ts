import { maskIdCard } from '@zhugong/contract/kit/checks'
import { newId } from '#kit/ids'
import { type Given, json, phoneOf, shanghai } from './trade-given.ts'

/* Rows of authorities, companies, projects and teams. */

export const governmentRows = ({ city, secrets }: Given) =>
  [...city.governments]
    .sort((a, b) => Number(a.parentGovCode !== null) - Number(b.parentGovCode !== null))
    .map((g) => ({
      govCode: g.govCode,
      name: g.name,
      type: g.type,
      level: g.level,
      areaCode: g.areaCode,
      parentGovCode: g.parentGovCode,
      creditCode: g.creditCode,
      disciplines: g.disciplines,
      linkMan: g.linkMan,
      linkPhone: phoneOf(secrets, g.linkPhone).sealed,
      linkPhoneMask: phoneOf(secrets, g.linkPhone).mask,
      address: g.address,
    }))

export const corporationRows = ({ city, secrets }: Given) =>
  city.corporations.map((c) => ({
    id: c.id,
    corpCode: c.corpCode,
    corpName: c.corpName,
    corpType: c.corpType,
    corpKind: c.corpKind,
    areaCode: c.areaCode,
    address: c.address,
    zipCode: c.zipCode,
    legalMan: c.legalMan,
    legalManDuty: c.legalManDuty,
    legalManIdCardType: c.legalManIdCardType,
    legalManIdCardNumber: secrets.seal(c.legalManIdCardNumber),
    legalManIdCardMask: maskIdCard(c.legalManIdCardNumber),
    regCapital: c.regCapital,
    factRegCapital: c.factRegCapital,
    capitalCurrencyType: c.capitalCurrencyType,
    registerDate: c.registerDate,
    establishDate: c.establishDate,
    officePhone: c.officePhone,
    linkMan: c.linkMan,
    linkPhone: phoneOf(secrets, c.linkPhone).sealed,
    linkPhoneMask: phoneOf(secrets, c.linkPhone).mask,
    email: c.email,
    safetyLicenseNo: c.safetyLicenseNo,
    safetyLicenseEnd: c.safetyLicenseEnd,
    creditScore: c.creditScore,
  }))

export function projectRows({ city, secrets }: Given) {
  const plans = new Map(city.sitePlans.map((p) => [p.projectCode, p]))
  return city.projects.map((p) => ({
    id: p.id,
    projectCode: p.projectCode,
    name: p.name,
    shortName: p.shortName,
    contractorCorpCode: p.contractorCorpCode,
    buildCorpCode: p.buildCorpCode,
    category: p.category,
    prjStatus: p.prjStatus,
    description: p.description,
    areaCode: p.areaCode,
    address: p.address,
    lng: p.lng,
    lat: p.lat,
    areaRule: json(p.areaRule),
    builderLicenses: json(p.builderLicenses),
    investProjectCode: p.investProjectCode,
    prjSize: p.prjSize,
    propertyNum: p.propertyNum,
    functionNum: p.functionNum,
    nationNum: p.nationNum,
    invest: p.invest,
    contractPrice: p.contractPrice,
    laborCostRatio: p.laborCostRatio,
    buildingArea: p.buildingArea,
    buildingLength: p.buildingLength,
    structureType: p.structureType,
    floorsUp: p.floorsUp,
    floorsDown: p.floorsDown,
    startDate: p.startDate,
    completeDate: p.completeDate,
    actualStartDate: p.actualStartDate,
    fundSource: p.fundSource,
    projectMode: p.projectMode,
    phase: p.phase,
    linkMan: p.linkMan,
    linkPhone: phoneOf(secrets, p.linkPhone).sealed,
    linkPhoneMask: phoneOf(secrets, p.linkPhone).mask,
    superviseOrg: p.superviseOrg,
    superviseNo: p.superviseNo,
    attendanceStartTime: p.attendanceStartTime,
    attendanceEndTime: p.attendanceEndTime,
    payRollCreateDay: p.payRollCreateDay,
    payRollDay: p.payRollDay,
    payRollDelayDays: p.payRollDelayDays,
    isClosedSite: p.isClosedSite,
    sitePlan: json(plans.get(p.projectCode) ?? null),
    uploadStatus: p.uploadStatus,
    createTime: shanghai(p.startDate),
  }))
}

export const projectStateLogRows = ({ city }: Given) =>
  city.projects.flatMap((p) => [
    { id: newId(), projectCode: p.projectCode, fromState: null, toState: '003', at: shanghai(p.actualStartDate), reason: '开工' },
    ...(p.prjStatus === '005'
      ? [{ id: newId(), projectCode: p.projectCode, fromState: '003', toState: '005', at: shanghai(city.today), reason: '停工整改' }]
      : []),
  ])

export const projectCorpRows = ({ city, secrets }: Given) =>
  city.projectCorps.map((c) => ({
    id: c.id,
    projectCode: c.projectCode,
    corpCode: c.corpCode,
    corpType: c.corpType,
    parentCorpCode: c.parentCorpCode,
    contractNo: c.contractNo,
    contractAmount: c.contractAmount,
    entryTime: c.entryTime,
    exitTime: c.exitTime,
    pmName: c.pmName,
    pmIdCardType: c.pmIdCardType,
    pmIdCardNumber: secrets.seal(c.pmIdCardNumber),
    pmIdCardMask: maskIdCard(c.pmIdCardNumber),
    pmPhone: phoneOf(secrets, c.pmPhone).sealed,
    pmPhoneMask: phoneOf(secrets, c.pmPhone).mask,
    payType: c.payType,
    bankAccounts: json([]),
    stationed: c.stationed,
    createTime: shanghai(c.entryTime),
  }))

export function teamRows({ city, secrets }: Given) {
  const people = new Map(city.workers.map((w) => [w.workerId, w]))
  return city.teams.map((t) => ({
    id: t.id,
    teamSysNo: t.teamSysNo,
    projectCode: t.projectCode,
    corpCode: t.corpCode,
    teamName: t.teamName,
    workType: t.workType,
    teamLeaderId: t.teamLeaderId,
    teamLeaderName: t.teamLeaderId ? (people.get(t.teamLeaderId)?.name ?? null) : null,
    responsiblePersonName: t.responsiblePersonName,
    responsiblePersonPhone: phoneOf(secrets, t.responsiblePersonPhone).sealed,
    responsiblePersonPhoneMask: phoneOf(secrets, t.responsiblePersonPhone).mask,
    responsiblePersonIdCardType: t.responsiblePersonIdCardType,
    responsiblePersonIdNumber: secrets.seal(t.responsiblePersonIdNumber),
    responsiblePersonIdMask: maskIdCard(t.responsiblePersonIdNumber),
    entryTime: t.entryTime,
    exitTime: t.exitTime,
    stationed: t.stationed,
    remark: t.remark,
    createTime: shanghai(t.entryTime),
  }))
}

export const projectTeamRows = ({ city }: Given) =>
  city.teams.map((t) => ({
    id: newId(),
    projectCode: t.projectCode,
    teamId: t.id,
    corpCode: t.corpCode,
    entryTime: t.entryTime,
    exitTime: t.exitTime,
  }))

export const attendanceSettingRows = ({ city }: Given) =>
  city.attendanceSettings.map(({ projectCode, ...value }) => ({
    id: newId(),
    projectCode,
    effectiveFrom: '2020-01-01',
    value: json(value),
  }))
