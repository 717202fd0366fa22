import { addDays, addYears, daysBetween } from './calendar.ts'
import { certsOf } from './city-certs.ts'
import { cityName, type NamedWorker, namedWorkers, type TeamPlan, type Trade, trades } from './city-plan.ts'
import { fileSeed, type Registered, type Stay } from './city-stay.ts'
import type { FileSeed, ProjectWorker, Worker, WorkerContract } from './city-types.ts'
import { personName } from './names.ts'
import { bankCardNumber, idCardCheck, idCardNumber, mobile } from './numbers.ts'
import type { Sitter } from './portrait.ts'
import { idOf, type Random, stream } from './random.ts'

/** Area prefixes of existing provinces and non-existing counties, so that no ID number can belong to a real person. */
const idAreas = [
  '420290',
  '420590',
  '421190',
  '422890',
  '421090',
  '420390',
  '420990',
  '421290',
  '430790',
  '411590',
  '511990',
  '360490',
  '340890',
  '500290',
]

const portraitSeed = (title: string, sitter: Sitter): FileSeed => ({
  ...fileSeed('portrait', title, [], sitter.personId, sitter.onSite ? 'face' : 'head'),
  sitter,
})

/** A birthday of that age; if the last four characters are given, one for which their check digit is correct. */
function birthdayOf(
  random: Random,
  today: string,
  age: number,
  area: string,
  tail?: string,
): { birthday: string; sequence: number | null } {
  const latest = addDays(addYears(today, -age), -10)
  for (let tries = 0; tries < 400; tries++) {
    const birthday = addDays(latest, -random.int(0, 340))
    if (!tail) return { birthday, sequence: null }
    if (idCardCheck(`${area}${birthday.replaceAll('-', '')}${tail.slice(0, 3)}`) === tail[3])
      return { birthday, sequence: Number(tail.slice(0, 3)) }
  }
  throw new Error(`no birthday gives the identity number tail ${tail}`)
}

function ageOf(random: Random, gender: '1' | '2', isManager: boolean): number {
  const [low, high] = gender === '2' ? [22, 48] : [20, 59]
  for (;;) {
    const age = Math.round(random.normal(isManager ? 37 : 44, isManager ? 8 : 9))
    if (age >= low && age <= high) return age
  }
}

const banks = [
  { code: '105', name: '中国建设银行', prefix: '621700', link: '105522000011' },
  { code: '103', name: '中国农业银行', prefix: '622848', link: '103522000026' },
  { code: '102', name: '中国工商银行', prefix: '622202', link: '102522000038' },
]
const streets = ['解放', '人民', '沿河', '向阳', '青山', '石桥', '白塔', '枣林', '湖滨', '花园']
const dayWage: Partial<Record<Trade, number>> = {
  helper: 22_000,
  mason: 33_000,
  rebar: 36_000,
  formwork: 38_000,
  scaffold: 40_000,
  climbing: 42_000,
  craneDriver: 35_000,
  electrician: 36_000,
  welder: 38_000,
}

/** One person and their stay on one project, complete enough to become formal except for deliberate gaps. */
export function register(stay: Stay): Registered {
  const { seed, today, plan, named } = stay
  const random = stream(seed, 'person', plan.key, stay.personKey)
  const isManager = stay.post !== null
  const drawn = personName(random, isManager ? 0.16 : stay.trade === 'scaffold' || stay.trade === 'climbing' ? 0.01 : 0.11)
  const gender = named ? (named.gender ?? '1') : drawn.gender
  const name = named?.name ?? drawn.name
  const area = named?.area ?? (named ? undefined : drawn.area) ?? random.pick(idAreas)
  const age = named?.age ?? ageOf(random, gender, isManager)
  const { birthday, sequence } = birthdayOf(random, today, age, area, named?.tail)
  const drawnSequence = random.int(1, 498) * 2 + (gender === '1' ? 1 : 0)
  const workerId = idOf(seed, 'worker', plan.key, stay.personKey)
  const projectDays = daysBetween(addDays(today, -plan.startDaysAgo), today)
  // Units arrive over the first third of a project; a few people arrive later, the last ones this week.
  const entryDaysAgo =
    named?.entryDaysAgo ??
    (isManager
      ? projectDays - random.int(0, 20)
      : random.chance(plan.green ? 0 : 0.05)
        ? random.int(2, 12)
        : Math.round(projectDays * random.float(0.25, 0.96)))
  const entryDay = addDays(today, -Math.max(2, Math.min(projectDays, entryDaysAgo)))
  const entryTime = `${entryDay} ${String(random.int(8, 10)).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}:00`
  const exitDay = stay.exited ? addDays(entryDay, Math.max(1, Math.floor(daysBetween(entryDay, today) * random.float(0.3, 0.9)))) : null
  const skillLevel = isManager
    ? null
    : named?.name === '陈大勇'
      ? '4'
      : random.weighted([
          ['1', 20],
          ['2', 30],
          ['3', 34],
          ['4', 14],
          ['5', 2],
        ])
  const startDate = addDays(today, -random.int(300, 3000))
  const faceConsent = !random.chance(0.008) || named !== undefined
  const phone = named?.name === '陈大勇' ? '13807144471' : mobile(random)
  const town = `${random.pick(streets)}${random.pick(['镇', '乡', '街道'])}`
  const worker: Worker = {
    workerId,
    name,
    idCardType: '01',
    idCardNumber: idCardNumber(area, birthday, sequence ?? drawnSequence),
    gender,
    nation: named ? (named.nation ?? '01') : drawn.nation,
    birthday,
    birthPlaceCode: area,
    address:
      named?.name === '陈大勇'
        ? `${cityName}青石县石桥镇向阳村 12 号`
        : `${random.pick(['湖北省', '湖北省', '湖北省', '湖南省', '河南省', '四川省'])}${town}${random.pick(streets)}村 ${random.int(1, 180)} 号`,
    grantOrg: `${random.pick(streets)}县公安局`,
    startDate,
    expiryDate: addYears(startDate, age > 45 ? 20 : 10),
    headImage: portraitSeed(`${name} 证件头像`, { personId: workerId, gender, age, manager: isManager, onSite: false }),
    facePhoto: faceConsent ? portraitSeed(`${name} 现场照片`, { personId: workerId, gender, age, manager: isManager, onSite: true }) : null,
    cellPhone: phone,
    realNameState: named?.formal === '0' || (!plan.green && random.chance(0.015)) ? '0' : '1',
    consentTime: entryTime,
    faceConsent,
    politics: random.weighted([
      ['13', 88],
      ['01', isManager ? 30 : 5],
      ['03', 4],
    ]),
    cultureLevel: isManager
      ? random.pick(['05', '06', '06', '07'])
      : random.weighted([
          ['01', 18],
          ['02', 52],
          ['03', 20],
          ['04', 10],
        ]),
    degree: isManager && random.chance(0.5) ? '4' : '0',
    maritalStatus:
      age < 25
        ? '01'
        : random.weighted([
            ['02', 90],
            ['03', 5],
            ['01', 5],
          ]),
    isJoined: random.chance(0.3),
    joinedTime: null,
    workTypeCode: trades[stay.trade],
    workCorpName: stay.corpName,
    workDate: addDays(addYears(birthday, 18), random.int(30, 1400)),
    skillLevel,
    urgentLinkMan: named?.name === '陈大勇' ? '刘桂香' : personName(random, gender === '1' ? 0.9 : 0.2).name,
    urgentLinkManPhone: mobile(random),
    hasBadMedicalHistory: false,
  }
  if (worker.isJoined) worker.joinedTime = entryDay
  if (worker.workDate >= entryDay) worker.workDate = addYears(entryDay, -1)

  const certs = certsOf(random, stay, worker)
  const expired = certs.some((cert) => cert.certType === '7' && cert.status === '4')
  const formalStatus = named?.formal ?? (expired ? '2' : '1')
  const withoutContract = !isManager && !plan.green && (formalStatus === '0' || random.chance(0.011))
  const bank = random.pick(banks)
  const salary = isManager ? random.int(70, 180) * 10_000 : (dayWage[stay.trade] ?? 32_000)
  const entryTrained = formalStatus !== '0'
  const projectWorker: ProjectWorker = {
    id: idOf(seed, 'stay', plan.key, stay.personKey),
    projectCode: stay.projectCode,
    corpCode: stay.corpCode,
    teamSysNo: stay.teamSysNo,
    workerId,
    workRole: isManager ? '10' : '20',
    workType: isManager ? null : trades[stay.trade],
    post: stay.post,
    isTeamLeader: false,
    entryTime,
    exitTime: exitDay ? `${exitDay} 17:40:00` : null,
    exitReason: exitDay
      ? random.weighted([
          ['1', 50],
          ['2', 12],
          ['3', 28],
          ['7', 8],
          ['4', 2],
        ])
      : null,
    issueCardDate: entryTrained ? entryDay : null,
    cardNumber: stay.cardNumber,
    payRollBankCode: isManager ? null : bank.code,
    payRollBankName: isManager ? null : `${bank.name}${cityName}分行`,
    payRollBankCardNumber: isManager ? null : bankCardNumber(random, bank.prefix),
    bankLinkNumber: isManager ? null : bank.link,
    hasContract: !withoutContract,
    hasBuyInsurance: true,
    paymentType: isManager ? '2' : '1',
    unitPrice: salary,
    entryTrained,
    formalStatus,
    stationed: stay.exited ? '2' : '1',
    attendEnabled: !stay.exited && formalStatus === '1' && entryTrained,
    blackHit: false,
    uploadStatus: formalStatus === '0' ? '0' : '1',
  }
  return {
    worker,
    projectWorker,
    certs,
    contract: withoutContract ? null : contractOf(random, stay, worker, projectWorker, entryDay, salary),
  }
}

function contractOf(
  random: Random,
  stay: Stay,
  worker: Worker,
  projectWorker: ProjectWorker,
  entryDay: string,
  salary: number,
): WorkerContract {
  const { seed, today, plan } = stay
  const fixed = random.chance(0.7)
  let endDate = fixed ? addDays(addYears(entryDay, 1), -1) : null
  // Expired contracts were renewed; a few expire soon.
  while (endDate && endDate < today) endDate = addYears(endDate, 1)
  if (fixed && !plan.green && !stay.named && random.chance(0.01)) endDate = addDays(today, random.int(5, 28))
  const code = `HT${entryDay.replaceAll('-', '').slice(2)}${idOf(seed, 'contract', worker.workerId).slice(0, 6).toUpperCase()}`
  return {
    id: idOf(seed, 'contract', worker.workerId),
    contractCode: code,
    workerId: worker.workerId,
    projectCode: stay.projectCode,
    corpCode: stay.corpCode,
    contractKind: projectWorker.workRole === '10' ? '1' : random.pick(['1', '4', '4']),
    contractPeriodType: fixed ? '0' : '1',
    startDate: entryDay,
    endDate,
    paymentType: projectWorker.paymentType,
    unit: projectWorker.paymentType === '1' ? '1' : null,
    unitPrice: projectWorker.paymentType === '1' ? salary : null,
    salary,
    payDay: 15,
    workContent: projectWorker.workRole === '10' ? '项目管理' : '按班组安排从事本工种作业',
    signDate: entryDay,
    signMode: random.chance(0.6) ? '2' : '1',
    files: [
      fileSeed('contract', '劳动合同', [code, worker.name, stay.corpName, `${entryDay} 至 ${endDate ?? '工作完成'}`], worker.workerId),
    ],
  }
}

export function namedFor(project: string, place: { team?: TeamPlan; post?: string }): NamedWorker[] {
  return namedWorkers.filter(
    (worker) =>
      worker.project === project &&
      (place.team ? worker.team === place.team.name : worker.post !== undefined && worker.post === place.post),
  )
}
