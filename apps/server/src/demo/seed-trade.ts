import { maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import type { City } from '@zhugong/simulator/city-types'
import { type Insertable, sql } from 'kysely'
import type { Tables, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import type { Secrets } from '#kit/secret'

/** Rows a statement inserts at once: far below PostgreSQL's 65,535 parameters for the widest table. */
const chunk = 400

export async function insertAll<T extends keyof Tables>(tx: Tx, table: T, rows: readonly Insertable<Tables[T]>[]): Promise<void> {
  for (let i = 0; i < rows.length; i += chunk) {
    await tx
      .insertInto(table)
      .values(rows.slice(i, i + chunk) as never)
      .execute()
  }
}

export const shanghai = (text: string) => new Date(`${text.replace(' ', 'T')}${text.length === 10 ? 'T00:00:00' : ''}+08:00`)
const json = (value: unknown) => JSON.stringify(value ?? [])

/** Authorities, companies, projects, units, teams and people of the invented city, through the same sealing and masking as real ones. */
export async function seedTrade(tx: Tx, city: City, secrets: Secrets): Promise<void> {
  const phone = (text: string | null) => ({ sealed: secrets.seal(text), mask: text ? maskPhone(text) : null })
  await insertAll(
    tx,
    'government' as never,
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
        linkPhone: phone(g.linkPhone).sealed,
        linkPhoneMask: phone(g.linkPhone).mask,
        address: g.address,
      })) as never,
  )
  await insertAll(
    tx,
    'corporation' as never,
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
      linkPhone: phone(c.linkPhone).sealed,
      linkPhoneMask: phone(c.linkPhone).mask,
      email: c.email,
      safetyLicenseNo: c.safetyLicenseNo,
      safetyLicenseEnd: c.safetyLicenseEnd,
      creditScore: c.creditScore,
    })) as never,
  )
  const plans = new Map(city.sitePlans.map((p) => [p.projectCode, p]))
  await insertAll(
    tx,
    'project' as never,
    city.projects.map((p) => ({
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
      linkPhone: phone(p.linkPhone).sealed,
      linkPhoneMask: phone(p.linkPhone).mask,
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
    })) as never,
  )
  await insertAll(
    tx,
    'projectStateLog' as never,
    city.projects.flatMap((p) => [
      { id: newId(), projectCode: p.projectCode, fromState: null, toState: '003', at: shanghai(p.actualStartDate), reason: '开工' },
      ...(p.prjStatus === '005'
        ? [{ id: newId(), projectCode: p.projectCode, fromState: '003', toState: '005', at: shanghai(city.today), reason: '停工整改' }]
        : []),
    ]) as never,
  )
  await insertAll(
    tx,
    'projectCorp' as never,
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
      pmPhone: phone(c.pmPhone).sealed,
      pmPhoneMask: phone(c.pmPhone).mask,
      payType: c.payType,
      bankAccounts: json([]),
      stationed: c.stationed,
      createTime: shanghai(c.entryTime),
    })) as never,
  )
  const people = new Map(city.workers.map((w) => [w.workerId, w]))
  await insertAll(
    tx,
    'team' as never,
    city.teams.map((t) => ({
      id: t.id,
      teamSysNo: t.teamSysNo,
      projectCode: t.projectCode,
      corpCode: t.corpCode,
      teamName: t.teamName,
      workType: t.workType,
      teamLeaderId: t.teamLeaderId,
      teamLeaderName: t.teamLeaderId ? (people.get(t.teamLeaderId)?.name ?? null) : null,
      responsiblePersonName: t.responsiblePersonName,
      responsiblePersonPhone: phone(t.responsiblePersonPhone).sealed,
      responsiblePersonPhoneMask: phone(t.responsiblePersonPhone).mask,
      responsiblePersonIdCardType: t.responsiblePersonIdCardType,
      responsiblePersonIdNumber: secrets.seal(t.responsiblePersonIdNumber),
      responsiblePersonIdMask: maskIdCard(t.responsiblePersonIdNumber),
      entryTime: t.entryTime,
      exitTime: t.exitTime,
      stationed: t.stationed,
      remark: t.remark,
      createTime: shanghai(t.entryTime),
    })) as never,
  )
  await sql`select setval('team_sys_no_seq', (select max(team_sys_no) + 1 from team))`.execute(tx)
  await insertAll(
    tx,
    'projectTeam' as never,
    city.teams.map((t) => ({
      id: newId(),
      projectCode: t.projectCode,
      teamId: t.id,
      corpCode: t.corpCode,
      entryTime: t.entryTime,
      exitTime: t.exitTime,
    })) as never,
  )

  await insertAll(
    tx,
    'worker' as never,
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
      cellPhone: phone(w.cellPhone).sealed,
      cellPhoneHash: secrets.blindIndex('phone', w.cellPhone),
      cellPhoneMask: phone(w.cellPhone).mask,
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
    })) as never,
  )
  const teamIds = new Map(city.teams.map((t) => [t.teamSysNo, t.id]))
  await insertAll(
    tx,
    'projectWorker' as never,
    city.projectWorkers.map((p) => {
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
    }) as never,
  )
  const stays = new Map(city.projectWorkers.map((p) => [`${p.projectCode}/${p.workerId}`, p]))
  await insertAll(
    tx,
    'entryExitHistory' as never,
    city.entryExits.flatMap((e) => {
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
    }) as never,
  )
  await insertAll(
    tx,
    'workerCert' as never,
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
    })) as never,
  )
  await insertAll(
    tx,
    'workerContract' as never,
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
    })) as never,
  )
  await insertAll(
    tx,
    'attendanceSetting' as never,
    city.attendanceSettings.map(({ projectCode, ...value }) => ({
      id: newId(),
      projectCode,
      effectiveFrom: '2020-01-01',
      value: json(value),
    })) as never,
  )
}
