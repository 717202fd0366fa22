import { maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import { addDays } from '#kit/clock'
import { type Given, json, phoneOf, shanghai } from './trade-given.ts'

/* Rows of people, stays, certificates and contracts. */

export const workerRows = ({ city, secrets }: Given) =>
  city.workers.map((w) => ({
    id: w.workerId,
    name: w.name,
    idCardType: w.idCardType,
    idCardNumber: secrets.seal(w.idCardNumber),
    idCardHash: secrets.blindIndex('id-card', w.idCardNumber),
    idCardMask: maskIdCard(w.idCardNumber),
    gender: w.gender,
    nation: w.nation,
    birthday: w.birthday,
    birthPlaceCode: w.birthPlaceCode,
    address: secrets.seal(w.address),
    grantOrg: w.grantOrg,
    startDate: w.startDate,
    expiryDate: w.expiryDate,
    cellPhone: phoneOf(secrets, w.cellPhone).sealed,
    cellPhoneHash: secrets.blindIndex('phone', w.cellPhone),
    cellPhoneMask: phoneOf(secrets, w.cellPhone).mask,
    realNameState: w.realNameState,
    consents: json([
      { kind: 'personal', state: '同意', version: '1.0', way: '手写签名', time: w.consentTime },
      { kind: 'face', state: w.faceConsent ? '同意' : '不同意', version: '1.0', way: '手写签名', time: w.consentTime },
    ]),
    politics: w.politics,
    cultureLevel: w.cultureLevel,
    degree: w.degree,
    maritalStatus: w.maritalStatus,
    isJoined: w.isJoined,
    joinedTime: w.joinedTime,
    workTypeCode: w.workTypeCode,
    workCorpName: w.workCorpName,
    workDate: w.workDate,
    skillLevel: w.skillLevel,
    urgentLinkMan: w.urgentLinkMan,
    urgentLinkManPhone: secrets.seal(w.urgentLinkManPhone),
    urgentLinkManPhoneMask: maskPhone(w.urgentLinkManPhone),
    hasBadMedicalHistory: w.hasBadMedicalHistory,
    createTime: shanghai(w.consentTime),
  }))

export function projectWorkerRows({ city, secrets }: Given) {
  const people = new Map(city.workers.map((w) => [w.workerId, w]))
  const teamIds = new Map(city.teams.map((t) => [t.teamSysNo, t.id]))
  return city.projectWorkers.map((p) => {
    const w = people.get(p.workerId)
    if (!w) throw new Error(`no worker ${p.workerId}`)
    return {
      id: p.id,
      projectCode: p.projectCode,
      workerId: p.workerId,
      corpCode: p.corpCode,
      teamId: p.teamSysNo === null ? null : (teamIds.get(p.teamSysNo) ?? null),
      workRole: p.workRole,
      workType: p.workType,
      post: p.post,
      isTeamLeader: p.isTeamLeader,
      entryTime: shanghai(p.entryTime),
      exitTime: p.exitTime ? shanghai(p.exitTime) : null,
      exitReason: p.exitReason,
      issueCardDate: p.issueCardDate,
      cardNumber: p.cardNumber,
      payRollBankCode: p.payRollBankCode,
      payRollBankName: p.payRollBankName,
      payRollBankCardNumber: secrets.seal(p.payRollBankCardNumber),
      payRollBankCardHash: p.payRollBankCardNumber ? secrets.blindIndex('bank-card', p.payRollBankCardNumber) : null,
      payRollBankCardMask: p.payRollBankCardNumber
        ? `${p.payRollBankCardNumber.slice(0, 4)}********${p.payRollBankCardNumber.slice(-4)}`
        : null,
      bankLinkNumber: p.bankLinkNumber,
      hasContract: p.hasContract,
      hasBuyInsurance: p.hasBuyInsurance,
      paymentType: p.paymentType,
      unitPriceCents: p.unitPrice,
      entryTrained: p.entryTrained,
      formalStatus: p.formalStatus,
      formalFrom: p.formalStatus === '0' ? null : shanghai(p.entryTime),
      stationed: p.stationed,
      attendEnabled: p.attendEnabled,
      blackHit: p.blackHit,
      uploadStatus: p.uploadStatus,
      workerName: w.name,
      gender: w.gender,
      birthday: w.birthday,
      idCardMask: maskIdCard(w.idCardNumber),
      idCardHash: secrets.blindIndex('id-card', w.idCardNumber),
      cellPhoneMask: maskPhone(w.cellPhone),
      cellPhoneHash: secrets.blindIndex('phone', w.cellPhone),
      createTime: shanghai(p.entryTime),
    }
  })
}

/** In the demonstration people are suspended from the day after their licence expired. */
export function stayPauseRows({ city }: Given) {
  const ended = new Map(
    city.workerCerts.flatMap((c) => (c.certType === '7' && c.status === '4' && c.validEnd ? [[c.workerId, c.validEnd]] : [])),
  )
  return city.projectWorkers.flatMap((p) => {
    const last = ended.get(p.workerId)
    const suspended = p.formalStatus === '2' && !p.exitTime
    return suspended && last ? [{ projectCode: p.projectCode, workerId: p.workerId, fromAt: shanghai(`${addDays(last, 1)} 00:00:00`) }] : []
  })
}

export function entryExitHistoryRows({ city }: Given) {
  const stays = new Map(city.projectWorkers.map((p) => [`${p.projectCode}/${p.workerId}`, p]))
  return city.entryExits.flatMap((e) => {
    const stay = stays.get(`${e.projectCode}/${e.workerId}`)
    return stay
      ? [
          {
            id: e.id,
            projectCode: e.projectCode,
            workerId: e.workerId,
            corpCode: stay.corpCode,
            projectWorkerId: stay.id,
            type: e.type,
            date: shanghai(e.date),
            reason: e.reason,
            source: e.source,
          },
        ]
      : []
  })
}

export const workerCertRows = ({ city }: Given) =>
  city.workerCerts.map((c) => ({
    id: c.id,
    workerId: c.workerId,
    certType: c.certType,
    specialType: c.specialType,
    name: c.name,
    certNo: c.certNo,
    level: c.level,
    firstIssueDate: c.firstIssueDate,
    issueDate: c.issueDate,
    validStart: c.validStart,
    validEnd: c.validEnd,
    grantOrg: c.grantOrg,
    status: c.status,
    auditStatus: c.auditStatus,
  }))

export const workerContractRows = ({ city }: Given) =>
  city.workerContracts.map((c) => ({
    id: c.id,
    contractCode: c.contractCode,
    workerId: c.workerId,
    projectCode: c.projectCode,
    corpCode: c.corpCode,
    contractKind: c.contractKind,
    contractPeriodType: c.contractPeriodType,
    startDate: c.startDate,
    endDate: c.endDate,
    paymentType: c.paymentType,
    unit: c.unit,
    unitPrice: c.unitPrice,
    salary: c.salary,
    payDay: c.payDay,
    workContent: c.workContent,
    signDate: c.signDate,
    signMode: c.signMode,
  }))
