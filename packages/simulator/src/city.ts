import { addDays, weekday } from './calendar.ts'
import { buildCorporations, buildGovernments } from './city-orgs.ts'
import { areaCodes, cityName, officePeople, type ProjectPlan, projectPlans } from './city-plan.ts'
import { buildProject } from './city-project.ts'
import { buildSite, deviceModels } from './city-sites.ts'
import type { City, Project } from './city-types.ts'
import { idCardNumber } from './numbers.ts'
import { idOf } from './random.ts'

export type * from './city-types.ts'

/** The whole invented city. The same seed and day give identical data. */
export function buildCity({ seed, today }: { seed: number; today: string }): City {
  const { corporations, qualifications, codeByKey } = buildCorporations(seed, today)
  const corpNames = new Map(corporations.map((corp) => [corp.corpCode, corp.corpName]))
  const governments = buildGovernments(seed)
  const city: City = {
    seed,
    today,
    name: cityName,
    areas: [
      { code: areaCodes.city, name: cityName, parentCode: areaCodes.province },
      { code: areaCodes.binjiang, name: '滨江区', parentCode: areaCodes.city },
      { code: areaCodes.yundong, name: '云东区', parentCode: areaCodes.city },
    ],
    governments,
    corporations,
    corpQualifications: qualifications,
    projects: [],
    unitProjects: [],
    projectCorps: [],
    teams: [],
    workers: [],
    projectWorkers: [],
    entryExits: [],
    workerCerts: [],
    workerContracts: [],
    trainings: [],
    attendanceSettings: [],
    deviceModels: deviceModels(seed),
    gateways: [],
    devices: [],
    openApps: [],
    sitePlans: [],
    personas: [],
  }
  for (const person of officePeople) {
    const government = governments.find((one) => one.govCode === person.government)
    const corpCode = person.corp ? codeByKey.get(person.corp)! : null
    city.personas.push({
      account: person.account,
      name: person.name,
      title: person.title,
      groupType: government ? 1 : 2,
      groupName: government?.name ?? corpNames.get(corpCode!)!,
      govCode: government?.govCode ?? null,
      corpCode,
      projectCode: null,
      workerId: null,
    })
  }
  for (const [i, plan] of projectPlans.entries()) {
    const built = buildProject(seed, today, i + 1, plan, codeByKey, corpNames, `${plan.areaCode}001`)
    const { project } = built
    const site = buildSite(seed, today, i + 1, plan, project.projectCode, { craneDrivers: built.craneDrivers, all: built.present })
    project.areaRule.points = site.fence
    city.projects.push(project)
    for (const key of [
      'projectCorps',
      'teams',
      'workers',
      'projectWorkers',
      'entryExits',
      'workerCerts',
      'workerContracts',
      'trainings',
      'personas',
    ] as const) {
      ;(city[key] as unknown[]).push(...built[key])
    }
    city.gateways.push(...site.gateways)
    city.devices.push(...site.devices)
    city.openApps.push(...site.openApps)
    city.sitePlans.push(site.plan)
    city.attendanceSettings.push(attendanceSetting(project, plan, today))
    for (const [n, unit] of plan.unitProjects.entries()) {
      city.unitProjects.push({
        id: idOf(seed, 'unitProject', plan.key, n),
        projectCode: project.projectCode,
        name: unit.name,
        type: unit.type,
        part: unit.part,
        structureType: plan.structureType,
        basicType: '1',
        state: plan.status === '005' ? '2' : '1',
        area: unit.area,
        height: unit.height,
        floorsUp: unit.up,
        floorsDown: unit.down,
        phase: plan.phase,
        progressPercent: unit.progress,
      })
    }
  }
  keepNumbersApart(city.workers)
  return city
}

/** Makes ID numbers unique: with a thousand people two may draw the same number. The later one gets the next number of the same sex. */
function keepNumbersApart(workers: City['workers']): void {
  const taken = new Set<string>()
  for (const worker of workers) {
    while (taken.has(worker.idCardNumber)) {
      const next = (Number(worker.idCardNumber.slice(14, 17)) + 2) % 1000
      worker.idCardNumber = idCardNumber(worker.idCardNumber.slice(0, 6), worker.birthday, next)
    }
    taken.add(worker.idCardNumber)
  }
}

function attendanceSetting(project: Project, plan: ProjectPlan, today: string): City['attendanceSettings'][number] {
  const restDates: string[] = []
  for (let back = -30; back <= 90; back++) {
    const day = addDays(today, -back)
    if (weekday(day) === 0) restDates.push(day)
  }
  return {
    projectCode: project.projectCode,
    workStart: '07:00',
    workEnd: '17:30',
    lateMinutes: 15,
    earlyMinutes: 10,
    dayCut: '04:00',
    minHours: 0,
    supplementDays: 3,
    autoExitDays: 30,
    absentAlarmDays: 7,
    keyPostRate: 80,
    ageMaleMax: 60,
    ageFemaleMax: 50,
    ageMin: 18,
    faceThreshold: 80,
    allowMobile: plan.key === 'tunnel',
    crossMidnight: false,
    breaks: [],
    restDates: restDates.sort(),
    repeatSeconds: 60,
    maxSpanHours: 16,
    standardHours: 10,
  }
}
