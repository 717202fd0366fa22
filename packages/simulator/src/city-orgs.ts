import { addDays, addYears } from './calendar.ts'
import { areaCodes, cityName, corpPlans } from './city-plan.ts'
import { fileSeed } from './city-stay.ts'
import type { City, Corporation } from './city-types.ts'
import { personName } from './names.ts'
import { creditCode, idCardNumber, mobile } from './numbers.ts'
import { idOf, type Random, stream } from './random.ts'

/** An adult who appears only as a contact or legal representative. */
export function contact(random: Random, name?: string) {
  const drawn = personName(random, 0.15)
  return {
    name: name ?? drawn.name,
    idCardNumber: idCardNumber(
      '420290',
      `${random.int(1966, 1988)}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`,
      random.int(1, 498) * 2 + 1,
    ),
    phone: mobile(random),
  }
}

export function buildCorporations(seed: number, today: string) {
  const corporations: Corporation[] = []
  const codeByKey = new Map<string, string>()
  const qualifications: City['corpQualifications'] = []
  for (const plan of corpPlans) {
    const random = stream(seed, 'corp', plan.key)
    const corpCode = creditCode(random, plan.key === 'jiaoyu' ? '12' : '91', plan.areaCode)
    const legal = contact(random, plan.legalMan)
    const linkMan = contact(random)
    const registerDate = addDays(today, -random.int(2200, 9000))
    codeByKey.set(plan.key, corpCode)
    corporations.push({
      id: idOf(seed, 'corp', plan.key),
      corpCode,
      corpName: plan.name,
      corpType: plan.corpType,
      corpKind: plan.kinds,
      areaCode: plan.areaCode,
      address: `${cityName}${plan.areaCode === areaCodes.yundong ? '云东区' : '滨江区'}${random.pick(['建设路', '滨江东路', '科创大道', '南门大道', '东湾大道'])} ${random.int(1, 320)} 号`,
      zipCode: plan.areaCode === areaCodes.yundong ? '435001' : '435000',
      legalMan: legal.name,
      legalManDuty: '法定代表人',
      legalManIdCardType: '01',
      legalManIdCardNumber: legal.idCardNumber,
      regCapital: plan.regCapital,
      factRegCapital: Math.round(plan.regCapital * random.float(0.5, 1)),
      capitalCurrencyType: 'CNY',
      registerDate,
      establishDate: registerDate,
      officePhone: `0714-${random.int(6_200_000, 6_599_999)}`,
      linkMan: linkMan.name,
      linkPhone: linkMan.phone,
      email: `${plan.key}@example.com`,
      safetyLicenseNo:
        plan.safetyLicenceDays === undefined
          ? null
          : `(鄂)JZ安许证字[${addYears(addDays(today, plan.safetyLicenceDays), -3).slice(0, 4)}]${String(random.int(1, 99_999)).padStart(6, '0')}`,
      safetyLicenseEnd: plan.safetyLicenceDays === undefined ? null : addDays(today, plan.safetyLicenceDays),
      licenseFile: fileSeed('licence', '营业执照', [plan.name, corpCode, legal.name], plan.key),
      creditScore: plan.key === 'jiangtan' ? 91 : plan.key === 'huaan' ? 94 : 100,
      enable: '1',
    })
    for (const [i, current] of plan.qualifications.entries()) {
      const certCode = `D${current.type}42${String(random.int(1_000_000, 9_999_999))}`
      const endDate = addDays(today, current.endInDays)
      qualifications.push({
        id: idOf(seed, 'qualification', plan.key, i),
        corpCode,
        certTypeNum: current.type,
        tradeBoundNum: current.trade,
        titleLevelNum: current.level,
        certCode,
        organName: '湖北省住房和城乡建设厅',
        organDate: addYears(endDate, -5),
        endDate,
        addTypeNum: '001',
        status: '001',
        file: fileSeed('certificate', '企业资质证书', [plan.name, certCode], plan.key, i),
      })
    }
  }
  return { corporations, qualifications, codeByKey }
}

export function buildGovernments(seed: number): City['governments'] {
  const government = (
    govCode: string,
    name: string,
    type: string,
    level: string,
    areaCode: string,
    parentGovCode: string | null,
    address: string,
    linkMan?: string,
  ) => {
    const random = stream(seed, 'government', govCode)
    const person = contact(random, linkMan)
    return {
      id: idOf(seed, 'government', govCode),
      govCode,
      name,
      type,
      level,
      areaCode,
      parentGovCode,
      creditCode: creditCode(random, type === '1' ? '11' : '12', areaCode),
      disciplines: type === '2' ? ['1', '2', '3', '4', '6'] : ['1', '2', '3', '4', '5', '6', '7'],
      linkMan: person.name,
      linkPhone: person.phone,
      address,
      enable: '1' as const,
    }
  }
  return [
    government('420200001', `${cityName}住房和城乡建设局`, '1', '3', areaCodes.city, null, `${cityName}市民大道 1 号`, '方启年'),
    government('420200002', `${cityName}建设工程质量安全监督站`, '2', '3', areaCodes.city, '420200001', `${cityName}市民大道 1 号`),
    government('420202001', '滨江区建设工程监督站', '2', '4', areaCodes.binjiang, '420200001', '滨江区滨江东路 20 号', '赵启明'),
    government('420203001', '云东区建设工程监督站', '2', '4', areaCodes.yundong, '420200001', '云东区科创大道 2 号', '王海'),
  ]
}
