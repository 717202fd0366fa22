import { addDays, dayStart } from './calendar.ts'
import { contact } from './city-orgs.ts'
import { namedFor, register } from './city-people.ts'
import { cityName, type ProjectPlan, type Trade, trades, type UnitPlan } from './city-plan.ts'
import type { Registered, Stay } from './city-stay.ts'
import type { City, EntryExit, Persona, Project, ProjectCorp, ProjectWorker, Team, Training } from './city-types.ts'
import { idOf, type Random, stream } from './random.ts'

interface Built
  extends Pick<
    City,
    'projectCorps' | 'teams' | 'workers' | 'projectWorkers' | 'entryExits' | 'workerCerts' | 'workerContracts' | 'trainings' | 'personas'
  > {
  project: Project
  craneDrivers: string[]
  present: string[]
}

/** The registered facts of a site. */
function projectOf(
  seed: number,
  today: string,
  index: number,
  plan: ProjectPlan,
  superviseOrg: string,
  { code, nameOf }: { code: (key: string) => string; nameOf: (key: string) => string },
): Project {
  const random = stream(seed, 'project', plan.key)
  const startDate = addDays(today, -plan.startDaysAgo)
  const link = contact(random, plan.linkMan)
  const licenceArea = `${plan.areaCode}${addDays(startDate, -8).replaceAll('-', '')}${String(index).padStart(2, '0')}01`
  return {
    id: idOf(seed, 'project', plan.key),
    projectCode: `${plan.areaCode}${addDays(startDate, -40).replaceAll('-', '').slice(2)}${plan.category}${String(index).padStart(4, '0')}`,
    name: plan.name,
    shortName: plan.shortName,
    contractorCorpCode: code(plan.contractor),
    contractorCorpName: nameOf(plan.contractor),
    buildCorpCode: code(plan.owner),
    buildCorpName: nameOf(plan.owner),
    category: plan.category,
    prjStatus: plan.status,
    description: plan.description,
    areaCode: plan.areaCode,
    address: plan.address,
    lng: plan.origin.lng,
    lat: plan.origin.lat,
    areaRule: { type: '2', points: [] },
    builderLicenses: [
      { prjName: plan.name, builderLicenseNum: licenceArea, licenseDate: addDays(startDate, -8), grantOrg: `${cityName}住房和城乡建设局` },
    ],
    investProjectCode: `${startDate.slice(0, 4)}-${plan.areaCode}-47-0${random.int(1, 3)}-${random.int(100_000, 999_999)}`,
    prjSize: plan.prjSize,
    propertyNum: plan.key === 'school' ? '005' : '001',
    functionNum: plan.functionNum,
    nationNum: '中国',
    invest: plan.invest,
    contractPrice: plan.price,
    laborCostRatio: 22.5,
    buildingArea: plan.area,
    buildingLength: plan.length,
    structureType: plan.structureType,
    floorsUp: plan.floorsUp || null,
    floorsDown: plan.floorsDown || null,
    startDate,
    completeDate: addDays(startDate, plan.planDays),
    actualStartDate: startDate,
    fundSource: plan.fundSource,
    projectMode: plan.key === 'tunnel' ? '2' : '1',
    phase: plan.phase,
    progressPercent: plan.progress,
    linkMan: link.name,
    linkPhone: link.phone,
    superviseOrg,
    superviseNo: `${superviseOrg}-${startDate.slice(0, 4)}-${String(index).padStart(3, '0')}`,
    attendanceStartTime: '07:00',
    attendanceEndTime: '17:30',
    payRollCreateDay: 5,
    payRollDay: 15,
    payRollDelayDays: 5,
    isClosedSite: plan.key !== 'tunnel',
    enable: '1',
    uploadStatus: '1',
  }
}

export function buildProject(
  seed: number,
  today: string,
  index: number,
  plan: ProjectPlan,
  codeByKey: Map<string, string>,
  corpNames: Map<string, string>,
  superviseOrg: string,
): Built {
  const code = (key: string) => codeByKey.get(key)!
  const nameOf = (key: string) => corpNames.get(code(key))!
  const project = projectOf(seed, today, index, plan, superviseOrg, { code, nameOf })
  const { projectCode, startDate } = project

  const built: Built = {
    project,
    craneDrivers: [],
    present: [],
    projectCorps: [],
    teams: [],
    workers: [],
    projectWorkers: [],
    entryExits: [],
    workerCerts: [],
    workerContracts: [],
    trainings: [],
    personas: [],
  }
  let serial = 0
  const cardNumber = () => `${String(index).padStart(2, '0')}${String(++serial).padStart(5, '0')}`
  const enrol = (stay: Omit<Stay, 'seed' | 'today' | 'plan' | 'projectCode' | 'cardNumber'>) => {
    const registered = register({ ...stay, seed, today, plan, projectCode, cardNumber: cardNumber() })
    keep(built, seed, registered)
    if (!stay.exited) {
      built.present.push(registered.worker.workerId)
      if (stay.trade === 'craneDriver') built.craneDrivers.push(registered.worker.workerId)
    }
    return registered
  }

  plan.units.forEach((unit, u) => {
    const corpCode = code(unit.corp)
    const corp: ProjectCorp = projectCorp(
      stream(seed, 'unit', plan.key, unit.corp),
      seed,
      unit,
      plan,
      projectCode,
      corpCode,
      code,
      addDays(startDate, u * 6),
    )
    built.projectCorps.push(corp)
    const addTeam = (teamName: string, workType: string, t: number): Team => {
      const own = stream(seed, 'team', plan.key, unit.corp, teamName)
      const responsible = contact(own, unit.pm)
      const team: Team = {
        id: idOf(seed, 'team', plan.key, unit.corp, teamName),
        teamSysNo: index * 1000 + u * 100 + t,
        projectCode,
        corpCode,
        teamName,
        workType,
        teamLeaderId: null,
        teamLeaderPhone: null,
        responsiblePersonName: unit.pm,
        responsiblePersonPhone: responsible.phone,
        responsiblePersonIdCardType: '01',
        responsiblePersonIdNumber: corp.pmIdCardNumber,
        entryTime: addDays(corp.entryTime, t),
        exitTime: null,
        stationed: '1',
        remark: null,
      }
      built.teams.push(team)
      return team
    }
    if (unit.managers) {
      const team = addTeam(unit.role === '007' ? '项目监理部' : '项目管理部', trades.manager, 0)
      for (const [post, count] of unit.managers) {
        const named = namedFor(plan.key, { post })
        for (let i = 0; i < count; i++) {
          const registered = enrol({
            corpCode,
            corpName: nameOf(unit.corp),
            teamSysNo: team.teamSysNo,
            personKey: `${unit.corp}/${post}/${i}`,
            trade: 'manager',
            post,
            named: named[i],
            exited: false,
          })
          if (!team.teamLeaderId) lead(team, registered)
        }
      }
    }
    for (const [t, teamPlan] of (unit.teams ?? []).entries()) {
      const team = addTeam(teamPlan.name, trades[teamPlan.trade], t + 1)
      const named = namedFor(plan.key, { team: teamPlan })
      for (const [trade, count] of teamPlan.people) {
        const ofTrade = named.filter((person) => (person.trade ?? teamPlan.trade) === trade)
        for (let i = 0; i < count; i++) {
          const registered = enrol({
            corpCode,
            corpName: nameOf(unit.corp),
            teamSysNo: team.teamSysNo,
            personKey: `${unit.corp}/${teamPlan.name}/${trade}/${i}`,
            trade,
            post: null,
            named: ofTrade[i],
            exited: false,
          })
          if (!team.teamLeaderId || (ofTrade[i]?.leader && i === 0)) lead(team, registered)
        }
      }
      const gone = Math.round(teamPlan.people.reduce((sum, [, count]) => sum + count, 0) * 0.12)
      for (let i = 0; i < gone; i++) {
        const trade: Trade = teamPlan.trade
        enrol({
          corpCode,
          corpName: nameOf(unit.corp),
          teamSysNo: team.teamSysNo,
          personKey: `${unit.corp}/${teamPlan.name}/gone/${i}`,
          trade,
          post: null,
          exited: true,
        })
      }
    }
  })
  // A person has one phone number everywhere, that of their file.
  const workers = new Map(built.workers.map((worker) => [worker.workerId, worker]))
  const managers = new Map(
    built.projectWorkers.flatMap(({ corpCode, post, workerId }) => {
      const worker = post === null ? undefined : workers.get(workerId)
      return worker ? [[`${corpCode}/${worker.name}`, worker] as const] : []
    }),
  )
  const ownFile = (corpCode: string, name: string) => managers.get(`${corpCode}/${name}`)
  for (const corp of built.projectCorps) {
    const file = ownFile(corp.corpCode, corp.pmName)
    if (file) Object.assign(corp, { pmPhone: file.cellPhone, pmIdCardNumber: file.idCardNumber })
  }
  for (const team of built.teams) {
    const file = ownFile(team.corpCode, team.responsiblePersonName)
    if (file) Object.assign(team, { responsiblePersonPhone: file.cellPhone, responsiblePersonIdNumber: file.idCardNumber })
    const leader = built.projectWorkers.find((row) => row.workerId === team.teamLeaderId)
    if (leader) leader.isTeamLeader = true
  }
  built.trainings = trainingsOf(seed, plan, project, built)
  built.personas = personasOf(plan, project, built, corpNames)
  return built
}

function lead(team: Team, registered: Registered) {
  team.teamLeaderId = registered.worker.workerId
  team.teamLeaderPhone = registered.worker.cellPhone
}

function keep(built: Built, seed: number, { worker, projectWorker, certs, contract }: Registered) {
  built.workers.push(worker)
  built.projectWorkers.push(projectWorker)
  built.workerCerts.push(...certs)
  if (contract) built.workerContracts.push(contract)
  const passage = (type: '1' | '0', date: string, reason: string | null): EntryExit => ({
    id: idOf(seed, 'entryExit', projectWorker.id, type),
    projectCode: projectWorker.projectCode,
    workerId: worker.workerId,
    type,
    date,
    reason,
    source: '4',
  })
  built.entryExits.push(passage('1', projectWorker.entryTime, null))
  if (projectWorker.exitTime) built.entryExits.push(passage('0', projectWorker.exitTime, projectWorker.exitReason))
}

function projectCorp(
  random: Random,
  seed: number,
  unit: UnitPlan,
  plan: ProjectPlan,
  projectCode: string,
  corpCode: string,
  code: (key: string) => string,
  entryTime: string,
): ProjectCorp {
  const pm = contact(random, unit.pm)
  const sub = unit.parent !== undefined
  return {
    id: idOf(seed, 'projectCorp', plan.key, unit.corp),
    projectCode,
    corpCode,
    corpType: unit.role,
    parentCorpCode: unit.parent ? code(unit.parent) : null,
    contractNo: sub ? `FB-${entryTime.slice(0, 4)}-${random.int(100, 999)}` : null,
    contractAmount: sub ? random.int(180, 6200) : unit.role === '009' ? plan.price : null,
    entryTime,
    exitTime: null,
    pmName: unit.pm,
    pmIdCardType: '01',
    pmIdCardNumber: pm.idCardNumber,
    pmPhone: pm.phone,
    payType: '1',
    bankAccounts:
      unit.role === '009'
        ? [
            {
              businessType: '001',
              bankCode: '105',
              bankName: '中国建设银行滨江支行',
              bankNumber: `4205016${String(random.int(1_000_000_000, 9_999_999_999))}`,
              bankLinkNumber: '105522000011',
            },
          ]
        : [],
    stationed: '1',
  }
}

/** One induction training per project and week of arrival, required for entry. */
function trainingsOf(seed: number, plan: ProjectPlan, project: Project, built: Built): Training[] {
  const byWeek = new Map<number, ProjectWorker[]>()
  for (const row of built.projectWorkers) {
    if (!row.entryTrained) continue
    const week = Math.floor(dayStart(row.entryTime.slice(0, 10)) / (7 * 86_400_000))
    byWeek.set(week, [...(byWeek.get(week) ?? []), row])
  }
  return [...byWeek.entries()]
    .sort(([a], [b]) => a - b)
    .map(([week, rows], i) => {
      const random = stream(seed, 'training', plan.key, week)
      const first = rows.map((row) => row.entryTime.slice(0, 10)).sort()[0]!
      return {
        id: idOf(seed, 'training', plan.key, week),
        projectCode: project.projectCode,
        trainingType: '003002',
        name: `第 ${i + 1} 期入场安全教育`,
        trainer: plan.linkMan,
        organizer: project.contractorCorpCode,
        startTime: `${first} 13:30:00`,
        duration: 48,
        address: '项目安全教育室',
        content: '公司、项目、班组三级安全教育：劳动纪律、高处作业、临时用电、起重吊装、应急处置与逃生路线。',
        workers: rows.map((row) => ({ workerId: row.workerId, isPass: true, score: random.int(72, 100) })),
      }
    })
}

function personasOf(plan: ProjectPlan, project: Project, built: Built, corpNames: Map<string, string>): Persona[] {
  const titles: Record<string, [string, string]> = {
    '1009': ['pm', '项目经理'],
    '1029': ['safety', '安全总监'],
    '1022': ['labour', '劳务员'],
    '1018': ['officer', '专职安全员'],
  }
  const seen = new Set<string>()
  const personas: Persona[] = []
  for (const row of built.projectWorkers) {
    const worker = built.workers.find((one) => one.workerId === row.workerId)!
    const title = row.post ? titles[row.post] : undefined
    if (title && !seen.has(title[0])) {
      seen.add(title[0])
      personas.push({
        account: `${plan.key}-${title[0]}`,
        name: worker.name,
        title: title[1],
        groupType: 3,
        groupName: plan.name,
        govCode: null,
        corpCode: null,
        projectCode: project.projectCode,
        workerId: row.workerId,
      })
    }
    if (row.post === '1001') {
      personas.push({
        account: `${plan.key}-jl`,
        name: worker.name,
        title: '总监理工程师',
        groupType: 2,
        groupName: corpNames.get(row.corpCode)!,
        govCode: null,
        corpCode: row.corpCode,
        projectCode: project.projectCode,
        workerId: row.workerId,
      })
    }
  }
  return personas
}
